"""Basic payment, authentication, test modes. Source: Resources and their fields."""

from simulator.catalogue.payment_types import REGISTRATION_TYPES, SPECIFIED_PAYMENT_TYPES
from simulator.grammar.formats import (
    alphanumeric,
    amount,
    choice_of,
    currency,
    lower_hex,
    opaque,
    switched,
    text,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, REQUIRED, Param, table
from simulator.grammar.relations import accepted_only_in

# A referencing payment (CP, RF and so on) and a new one take other types: see `operations`.
PAYMENT_TYPE = choice_of(*SPECIFIED_PAYMENT_TYPES, *REGISTRATION_TYPES, notation="A2")
TYPE_OF_BRAND = choice_of(*SPECIFIED_PAYMENT_TYPES, notation="A2")
MODE = choice_of("EXTERNAL", "INTERNAL", notation="EXTERNAL or INTERNAL")

# Up to 10 integer digits; the field knows 12. Choice: D-06.
AMOUNT = switched(amount(10), "amount_digits", amount(12))

BEARER = opaque("Bearer scheme with an access token", "header")

# Clients in the field send references as short as `123`. Choice: D-09.
MERCHANT_REFERENCE = switched(text(255, min=8), "short_references", text(255))

# Another spelling of entityId. Choice: D-32.
ENTITY_ALIAS = "authentication.entityId"

# fmt: off
BASIC = table("Basic payment", (
    Param("amount",                     AMOUNT,                      REQUIRED,
          "dot is the decimal separator. The only amount that affects processing: taxAmount, "
          "shipping.cost and similar are part of it"),
    Param("taxAmount",                  AMOUNT,                      CONDITIONAL,
          "same format as amount"),
    Param("currency",                   currency(),                  REQUIRED, "ISO 4217 code"),
    Param("paymentBrand",               alphanumeric(32, signs="_"), CONDITIONAL,
          "may be omitted only when card brand detection is used; otherwise mandatory. Full "
          "list of brand values: not shown"),
    Param("paymentType",                PAYMENT_TYPE,                REQUIRED,
          "values named in the material: PA, DB, CD, and RG (registration). Full list of "
          "payment types: not shown"),
    Param("overridePaymentType[brand]", TYPE_OF_BRAND,               OPTIONAL,
          "gives a specific brand its own payment type, while other brands use paymentType. "
          "Accepted only when a checkout is created", key=alphanumeric(32, signs="_")),
    Param("descriptor",                 text(127),                   OPTIONAL,
          "fills all or part of the merchant name on the shopper's statement. Use depends on "
          "merchant account configuration. merchant.name overrides it"),
    Param("merchantTransactionId",      MERCHANT_REFERENCE,          CONDITIONAL,
          "merchant reference, should be unique. Some receivers require it. Used for "
          "reconciliation", echo=True),
    Param("merchantInvoiceId",          text(255, min=8),            OPTIONAL,
          "merchant invoice number, should be unique. Not sent onward"),
    Param("merchantMemo",               text(255, min=8),            OPTIONAL,
          "appears only in reporting"),
    Param("transactionCategory",        alphanumeric(32, min=0),     OPTIONAL,
          "allowed values: not shown"),
))

AUTHENTICATION = table("Authentication parameters", (
    Param("entityId",             lower_hex(32), CONDITIONAL,
          "channel entity id. When channel dispatching is active it is the merchant entity id"),
    Param("Authorization header", BEARER,        REQUIRED, "see Authentication"),
))

TEST_MODES = table("Test modes", (
    Param("testMode", MODE, OPTIONAL, "default INTERNAL"),
))

BASIC_RELATIONS = (
    accepted_only_in(
        "PAY-06", "overridePaymentType[brand]", "create_checkout",
        says="is accepted only when a checkout is created",
    ),
)
# fmt: on
