"""The cart: its items and the payments already used for it."""

from simulator.catalogue.fields.limits import CART_ITEMS_MAX
from simulator.grammar.formats import (
    amount_two_decimals,
    ascii_letters,
    boolean,
    choice_of,
    currency,
    digits,
    matching,
    text,
    url,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, table
from simulator.grammar.relations import max_items

QUANTITY = matching(
    "up to 12 integer digits, optional fraction of up to 3 digits",
    "quantity",
    r"[0-9]{1,12}(\.[0-9]{1,3})?",
    lengths=(1, 16),
)
PERCENTAGE = matching(
    "AN6, percentage 0 to 100 with up to two decimals",
    "percentage",
    r"(?:[0-9]{1,2}(\.[0-9]{1,2})?|100(\.0{1,2})?)",
    lengths=(1, 6),
)
COUNTRY_OR_NUMBER = matching(
    "A2 letters, or N3 digits", "country or number", "(?:[A-Za-z]{2}|[0-9]{3})", lengths=(2, 3)
)
ITEM_TYPE = choice_of("PHYSICAL", "DIGITAL", "MIXED", "ANONYMOUS_DONATION", "AUTHORITIES_PAYMENT")
QUANTITY_UNIT = choice_of("M", "CM", "KG", "G", "COUNT")
PAYMENT_KIND = choice_of("GIFTCARD", "PROMOTION")
PAYMENT_STATUS = choice_of("pending", "authorized", "captured")

# fmt: off
CART_ITEMS = table("Cart items", (
    Param("cart.items[n].name",                   text(255),                  CONDITIONAL),
    Param("cart.items[n].merchantItemId",         text(255),                  CONDITIONAL),
    Param("cart.items[n].quantity",               QUANTITY,                   CONDITIONAL),
    Param("cart.items[n].type",                   ITEM_TYPE,                  CONDITIONAL),
    Param("cart.items[n].sku",                    text(255),                  OPTIONAL),
    Param("cart.items[n].currency",               currency(),                 CONDITIONAL),
    Param("cart.items[n].description",            text(2048),                 CONDITIONAL),
    Param("cart.items[n].price",                  amount_two_decimals("N13"), CONDITIONAL,
          "per unit, including tax and discount"),
    Param("cart.items[n].totalAmount",            amount_two_decimals("N13"), CONDITIONAL,
          "includes quantity"),
    Param("cart.items[n].taxAmount",              amount_two_decimals("N13"), CONDITIONAL,
          "per unit"),
    Param("cart.items[n].totalTaxAmount",         amount_two_decimals("N13"), CONDITIONAL),
    Param("cart.items[n].tax",                    PERCENTAGE,                 CONDITIONAL),
    Param("cart.items[n].shipping",               amount_two_decimals(),      CONDITIONAL),
    Param("cart.items[n].discount",               amount_two_decimals("N13"), CONDITIONAL,
          "described as a percentage applied to the price"),
    Param("cart.items[n].giftMessage",            text(255),                  OPTIONAL),
    Param("cart.items[n].shippingMethod",         text(255),                  OPTIONAL),
    Param("cart.items[n].shippingInstructions",   text(255),                  OPTIONAL),
    Param("cart.items[n].shippingTrackingNumber", text(255),                  OPTIONAL),
    Param("cart.items[n].originalPrice",          text(255),                  OPTIONAL,
          "price before discounts, per unit"),
    Param("cart.items[n].quantityUnit",           QUANTITY_UNIT,              OPTIONAL,
          "default COUNT"),
    Param("cart.items[n].productUrl",             url(2048),                  OPTIONAL,
          origin="D-53"),
    Param("cart.items[n].imageUrl",               url(2048),                  OPTIONAL,
          origin="D-53"),
    Param("cart.items[n].totalDiscountAmount",    amount_two_decimals(),      OPTIONAL),
    Param("cart.items[n].productCode",            text(30),                   OPTIONAL),
    Param("cart.items[n].partNumber",             text(30),                   OPTIONAL),
    Param("cart.items[n].recipient.salutation",   text(5),                    OPTIONAL),
    Param("cart.items[n].recipient.firstName",    text(48),                   OPTIONAL),
    Param("cart.items[n].recipient.middleName",   text(50),                   OPTIONAL),
    Param("cart.items[n].recipient.lastName",     text(48),                   OPTIONAL),
    Param("cart.items[n].recipient.apartment",    text(100),                  OPTIONAL),
    Param("cart.items[n].recipient.street",       text(100),                  OPTIONAL),
    Param("cart.items[n].recipient.address",      text(100),                  OPTIONAL),
    Param("cart.items[n].recipient.city",         text(80),                   OPTIONAL),
    Param("cart.items[n].recipient.state",        text(50),                   OPTIONAL),
    Param("cart.items[n].recipient.postcode",     text(30),                   OPTIONAL),
    Param("cart.items[n].recipient.country",      COUNTRY_OR_NUMBER,          OPTIONAL),
    Param("cart.items[n].recipient.phone",        digits(1, 25),              OPTIONAL),
    Param("cart.items[n].recipient.email",        text(60),                   OPTIONAL),
), echo=True, personal=(
    "cart.items[n].recipient.", "cart.items[n].giftMessage", "cart.items[n].shippingInstructions",
))

CART_PAYMENTS = table("Cart payments", (
    Param("cart.payments[n].name",     text(255),             OPTIONAL),
    Param("cart.payments[n].type",     PAYMENT_KIND,          OPTIONAL),
    Param("cart.payments[n].amount",   amount_two_decimals(), OPTIONAL),
    Param("cart.payments[n].currency", ascii_letters(3),      OPTIONAL),
    Param("cart.payments[n].status",   PAYMENT_STATUS,        OPTIONAL),
    Param("cart.payments[n].brand",    text(255),             OPTIONAL),
    Param("cart.payments[n].primary",  boolean(),             OPTIONAL,
          "marks the primary payment method of the cart"),
), echo=True)

CART_RELATIONS = (
    max_items("CART-01", "cart.items", CART_ITEMS_MAX),
)
# fmt: on
