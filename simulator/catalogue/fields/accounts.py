"""The accounts that pay: card, mobile wallet, virtual account, bank account."""

from itertools import combinations

from simulator.catalogue.brands import BRANDS
from simulator.grammar.formats import (
    alphanumeric,
    choice_of,
    country_of_any_case,
    date,
    digits,
    holder,
    matching,
    numbered,
    text,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, REQUIRED, Param, table
from simulator.grammar.relations import (
    either_or,
    not_together,
    required_if_any,
    requires,
    under,
)

YEAR = matching("N4, starts with 19 or 20", "year", "(?:19|20)[0-9]{2}", lengths=(4, 4))
IBAN = matching(
    "AN31: 2 letters, 2 digits, then 11-27 letters or digits",
    "iban",
    "[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,27}",
    lengths=(15, 31),
)
BIC = matching(
    "AN11, 8 or 11 letters and digits",
    "bic",
    "(?:[A-Za-z0-9]{8}|[A-Za-z0-9]{11})",
    lengths=(8, 11),
)
COUNTRY = country_of_any_case(notation="AN2, letters")
SOURCE = choice_of("web", "app", notation="web or app")

# The wallet provider defines the token, so only its length is limited. Choice: D-53.
TOKEN = text(16_384, notation="defined by the wallet provider")

# Brands that do not ask the shopper for the account on other pages. An unknown brand is
# refused as such, whatever came with it. Choices: D-44, D-54.
SYNCHRONOUS = tuple(brand.value for brand in BRANDS.values() if not brand.redirects)

# fmt: off
CARD = table("Card account", (
    Param("card.holder",      holder(128, min=3), OPTIONAL, origin="D-50"),
    Param("card.number",      digits(12, 19),     REQUIRED, secret=True),
    Param("card.expiryMonth", numbered(1, 12),    REQUIRED),
    Param("card.expiryYear",  YEAR,               REQUIRED),
    Param("card.cvv",         digits(3, 4),       CONDITIONAL, secret=True),
), personal=("card.holder",))

MOBILE_WALLET = table("Mobile wallet", (
    Param("mobileWallet.paymentToken", TOKEN,  REQUIRED, "encrypted token way",
          secret=True, origin="D-53"),
    Param("mobileWallet.source",       SOURCE, REQUIRED, "decrypted data way"),
))

VIRTUAL_ACCOUNT = table("Virtual account", (
    Param("virtualAccount.accountId", text(100), REQUIRED),
), echo=True, personal=("virtualAccount.",))

BANK_ACCOUNT = table("Bank account", (
    Param("bankAccount.holder",                  text(128, min=4),         REQUIRED),
    Param("bankAccount.bankName",                text(255),                CONDITIONAL),
    Param("bankAccount.number",                  alphanumeric(64, min=3),  CONDITIONAL,
          "number or iban is required"),
    Param("bankAccount.iban",                    IBAN,                     CONDITIONAL,
          "number or iban is required"),
    Param("bankAccount.bankCode",                alphanumeric(12),         CONDITIONAL,
          "bankCode or bic is required"),
    Param("bankAccount.bic",                     BIC,                      CONDITIONAL,
          "bankCode or bic is required"),
    Param("bankAccount.country",                 COUNTRY,                  CONDITIONAL,
          "ISO 3166-1"),
    Param("bankAccount.mandate.id",              alphanumeric(35, min=35), CONDITIONAL,
          "direct debit mandate id"),
    Param("bankAccount.mandate.dateOfSignature", date(),                   CONDITIONAL),
    Param("bankAccount.mandate.reference",       alphanumeric(32, min=32), CONDITIONAL),
    Param("transactionDueDate",                  date(),                   CONDITIONAL,
          "due date of the direct debit"),
), echo=True, personal=("bankAccount.holder", "bankAccount.number", "bankAccount.iban"))

CARD_RELATIONS = (
    required_if_any(
        "CARD-01", "card.", "card.number", "card.expiryMonth", "card.expiryYear",
        unless="mobileWallet.paymentToken",
    ),
)
MOBILE_WALLET_RELATIONS = (
    requires(
        "SVC-03", "mobileWallet.source", "card.number", "card.expiryMonth", "card.expiryYear",
        "threeDSecure.verificationId", "threeDSecure.eci",
        unless="mobileWallet.paymentToken",
    ),
)
BANK_ACCOUNT_RELATIONS = (
    required_if_any(
        "BANK-06", "bankAccount.", "bankAccount.holder",
        unless="paymentBrand", unless_not_in=SYNCHRONOUS,
    ),
    either_or(
        "BANK-01", "bankAccount.", "bankAccount.number", "bankAccount.iban",
        unless="paymentBrand", unless_not_in=SYNCHRONOUS,
    ),
    either_or(
        "BANK-02", "bankAccount.", "bankAccount.bankCode", "bankAccount.bic",
        unless="paymentBrand", unless_not_in=SYNCHRONOUS,
    ),
)
# fmt: on

# What says which account is charged, and which stored one.
ACCOUNT_NUMBERS = (
    "card.number", "bankAccount.iban", "bankAccount.number", "bankAccount.bic",
    "bankAccount.bankCode", "virtualAccount.accountId", "mobileWallet.paymentToken",
)  # fmt: skip
STORED_ACCOUNT = (*ACCOUNT_NUMBERS, "registrationId", "registrations[].id")

# Each names an account by itself; IBAN and national number are of the same one. Choice: D-668.
APART = (
    ("card.number",), ("mobileWallet.paymentToken",), ("virtualAccount.accountId",),
    ("bankAccount.iban", "bankAccount.number"),
)  # fmt: skip
ONE_ACCOUNT_RELATIONS = tuple(
    under("one_account", not_together("SVC-02", first, second))
    for one, other in combinations(APART, 2)
    for first in one
    for second in other
)
NO_STORED_ACCOUNT_RELATIONS = tuple(
    under("one_account", not_together("SVC-02", name, "registrationId"))
    for names in APART
    for name in names
)
