"""Addresses of the shopper."""

from simulator.grammar.formats import (
    Format,
    alphanumeric,
    amount_two_decimals,
    choice_of,
    country,
    country_of_any_case,
    date,
    letters,
    postcode,
    switched,
    text,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, table
from simulator.grammar.relations import not_digits_only, requires


# What existing clients send here is any text. Choice: D-272.
def _or_any_text(format: Format, longest: int) -> Format:
    return switched(format, "address_texts", text(longest))


METHODS = choice_of(
    "LOWEST_COST", "CARRIER_DESIGNATED_BY_CUSTOMER", "ELECTRONIC_DELIVERY", "GROUND",
    "INTERNATIONAL", "MILITARY", "NEXT_DAY_OVERNIGHT", "OTHER", "STORE_PICKUP", "SAME_DAY_SERVICE",
    "TWO_DAY_SERVICE", "THREE_DAY_SERVICE", "PUDO", "EXPEDITED", notation="AN30",
)  # fmt: skip
PREFERENCE = choice_of("GET_FROM_FILE", "NO_SHIPPING", "SET_PROVIDED_ADDRESS", notation="AN21")
METHOD = _or_any_text(METHODS, 255)
CITY = _or_any_text(letters(80, notation="AN80, letters"), 80)
BILLING_STATE = _or_any_text(alphanumeric(10, signs="."), 48)
SHIPPING_STATE = _or_any_text(alphanumeric(50, signs="."), 50)

# fmt: off
BILLING = table("Billing address", (
    Param("billing.street1",          text(95),                    CONDITIONAL,
          "mandatory for 3D Secure v2"),
    Param("billing.street2",          text(100),                   CONDITIONAL,
          "the combination of street1 and street2 must not consist of digits only"),
    Param("billing.houseNumber1",     text(100),                   OPTIONAL,
          "if present, street1 holds only the street name and street2 is ignored"),
    Param("billing.houseNumber2",     text(100),                   OPTIONAL,
          "requires billing.houseNumber1"),
    Param("billing.city",             text(48),                    CONDITIONAL,
          "mandatory for 3D Secure v2"),
    Param("billing.state",            BILLING_STATE,               CONDITIONAL),
    Param("billing.postcode",         postcode(16),                CONDITIONAL,
          "mandatory for 3D Secure v2"),
    Param("billing.country",          country(),                   CONDITIONAL,
          "ISO 3166-1. Mandatory for 3D Secure v2"),
    Param("billing.normalized",       text(255),                   OPTIONAL, "normalized address"),
    Param("billing.validationStatus", text(255),                   OPTIONAL,
          "whether the address was validated and the normalized address confirmed by the "
          "consumer"),
), echo=True, personal=("billing.",))

SHIPPING = table("Shipping address", (
    Param("shipping.street1",              text(100),                   CONDITIONAL),
    Param("shipping.street2",              text(100),                   CONDITIONAL),
    Param("shipping.houseNumber1",         text(100),                   OPTIONAL,
          "if present, street1 holds only the street name and street2 is ignored"),
    Param("shipping.houseNumber2",         text(100),                   OPTIONAL,
          "requires shipping.houseNumber1"),
    Param("shipping.city",                 CITY,                        CONDITIONAL),
    Param("shipping.state",                SHIPPING_STATE,              CONDITIONAL),
    Param("shipping.postcode",             postcode(30),                CONDITIONAL),
    Param("shipping.country",              country_of_any_case(),       CONDITIONAL, "ISO 3166-1"),
    Param("shipping.method",               METHOD,                      CONDITIONAL),
    Param("shipping.cost",                 amount_two_decimals("N13"),  CONDITIONAL),
    Param("shipping.comment",              text(160),                   CONDITIONAL),
    Param("shipping.expectedDate",         date(),                      OPTIONAL),
    Param("shipping.logisticsProvider",    text(255),                   OPTIONAL),
    Param("shipping.trackingNumber",       text(255),                   OPTIONAL),
    Param("shipping.returnTrackingNumber", text(255),                   OPTIONAL),
    Param("shipping.normalized",           text(255),                   OPTIONAL),
    Param("shipping.validationStatus",     text(255),                   OPTIONAL),
    Param("shipping.warehouse",            text(100),                   OPTIONAL),
    Param("shipping.preference",           PREFERENCE,                  OPTIONAL),
), echo=True, personal=("shipping.",))

BILLING_RELATIONS = (
    not_digits_only("ADDR-01", "billing.street1", "billing.street2"),
    requires("ADDR-03", "billing.houseNumber2", "billing.houseNumber1"),
)
SHIPPING_RELATIONS = (
    requires("ADDR-03", "shipping.houseNumber2", "shipping.houseNumber1"),
)
# fmt: on
