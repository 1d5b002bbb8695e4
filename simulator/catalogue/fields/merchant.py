"""The company of the shopper and the merchant on the statement."""

from simulator.grammar.formats import (
    alphanumeric,
    ascii_letters,
    choice_of,
    digits,
    map_key,
    postcode,
    text,
)
from simulator.grammar.parameters import OPTIONAL, Param, table

YES_OR_NO = choice_of("Y", "N", notation="A1")

# fmt: off
CORPORATE = table("Corporate", (
    Param("corporate.name",          text(30),      OPTIONAL),
    Param("corporate.description",   text(160),     OPTIONAL),
    Param("corporate.street",        text(100),     OPTIONAL),
    Param("corporate.address",       text(100),     OPTIONAL, "line 2"),
    Param("corporate.city",          text(80),      OPTIONAL),
    Param("corporate.state",         text(50),      OPTIONAL),
    Param("corporate.postCode",      text(30),      OPTIONAL),
    Param("corporate.suite",         text(30),      OPTIONAL),
    Param("corporate.postboxNumber", text(15),      OPTIONAL),
    Param("corporate.purchase",      YES_OR_NO,     OPTIONAL),
    Param("corporate.phone",         digits(1, 25), OPTIONAL),
    Param("corporate.fax",           digits(1, 25), OPTIONAL),
), echo=True, personal=("corporate.",))

MERCHANT = table("Merchant", (
    Param("merchant.name",          text(100),                     OPTIONAL,
          "overrides the merchant name and descriptor; usually the first statement line"),
    Param("merchant.city",          text(100),                     OPTIONAL,
          "city, phone, email or URL; usually the second statement line"),
    Param("merchant.street",        text(100),                     OPTIONAL),
    Param("merchant.postcode",      postcode(10, signs="-"),       OPTIONAL),
    Param("merchant.state",         alphanumeric(50),              OPTIONAL),
    Param("merchant.country",       ascii_letters(2),              OPTIONAL),
    Param("merchant.phone",         alphanumeric(25, signs="+.-"), OPTIONAL),
    Param("merchant.mcc",           alphanumeric(4),               OPTIONAL,
          "merchant category code"),
    Param("merchant.submerchantId", text(100),                     OPTIONAL,
          "only for payment facilitators of one card scheme"),
    Param("merchant.data[key]",     text(2048, min=0),             OPTIONAL,
          "extra merchant data sent with the transaction", key=map_key()),
    Param("merchant.websiteId",     text(255, min=0),              OPTIONAL,
          "random session id unique per transaction"),
), echo=True)
# fmt: on
