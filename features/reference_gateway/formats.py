"""The formats of the parameters this gateway reads, each as one pattern that has to fit."""

import re
from collections.abc import Mapping

Sent = Mapping[str, str]

CURRENCIES = "AUD|CAD|CHF|CZK|DKK|EUR|GBP|HUF|JPY|KWD|NOK|NZD|PLN|SEK|USD|ZAR"
COUNTRIES = "AT|AU|BE|CA|CH|CZ|DE|DK|ES|FI|FR|GB|HU|IE|IT|JP|NL|NO|NZ|PL|PT|SE|US|ZA"
TEXT, NUMBER = "(?s:.)", "[0-9]"
PHONE = r"[+0-9][-+0-9 ()/.]{0,24}"
DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"

# fmt: off
FORMATS: Mapping[str, str] = {
    #  parameter                    has to fit
    "entityId":                     "[0-9a-f]{32}",
    "amount":                       rf"{NUMBER}{{1,10}}(\.{NUMBER}{{2}})?",
    "currency":                     CURRENCIES,
    "paymentBrand":                 "[A-Za-z0-9_]{1,32}",
    "paymentType":                  "PA|DB|CD|RG|CP|RF|RV",
    "descriptor":                   f"{TEXT}{{1,127}}",
    "merchantTransactionId":        f"{TEXT}{{8,255}}",
    "merchantInvoiceId":            f"{TEXT}{{8,255}}",
    "merchantMemo":                 f"{TEXT}{{8,255}}",
    "transactionCategory":          "[A-Za-z0-9]{0,32}",
    "testMode":                     "EXTERNAL|INTERNAL",
    "taxAmount":                    rf"{NUMBER}{{1,10}}(\.{NUMBER}{{2}})?",
    "createRegistration":           "true|false",
    "recurringType":                "INITIAL|REPEATED",
    "recurring.numberOfInstallments": f"{NUMBER}{{1,3}}",
    "card.number":                  f"{NUMBER}{{12,19}}",
    "card.cvv":                     f"{NUMBER}{{3,4}}",
    "card.holder":                  f"{TEXT}{{3,128}}",
    "card.expiryMonth":             "0[1-9]|1[0-2]",
    "card.expiryYear":              f"(19|20){NUMBER}{{2}}",
    "customer.email":               f"{TEXT}{{6,128}}",
    "customer.phone":               PHONE,
    "customer.mobile":              PHONE,
    "customer.sex":                 "M|F",
    "customer.birthDate":           DATE,
    "customer.status":              "NEW|EXISTING",
    "customer.identificationDocType": f"{TEXT}{{1,64}}",
    "billing.street1":              f"{TEXT}{{1,95}}",
    "billing.street2":              f"{TEXT}{{1,95}}",
    "billing.houseNumber1":         f"{TEXT}{{1,100}}",
    "billing.houseNumber2":         f"{TEXT}{{1,100}}",
    "billing.city":                 f"{TEXT}{{1,48}}",
    "billing.country":              COUNTRIES,
    "shipping.customer.sex":        "M|F",
    "shipping.customer.birthDate":  DATE,
    "shipping.customer.status":     "NEW|EXISTING",
    "giftCard.type":                "BIRTHDAY|BABY_SHOWER|CHRISTMAS|WEDDING|OTHER",
    "mobileWallet.source":          "web|app",
    "chargebackResultCode":         rf"000\.100\.2{NUMBER}{{2}}",
    "shopperResultUrl":             f"{TEXT}{{6,2048}}",
    "notificationUrl":              f"{TEXT}{{6,2048}}",
}
# fmt: on
MAPS = {"customParameters": 2048, "merchant.data": 2048}
KEY = re.compile(r"(?P<map>[A-Za-z.]+)\[(?P<key>[^\]]*)\]")
INDEX = re.compile(r"\[(\d+)\]")


def wrong_in(sent: Sent) -> list[str]:
    """The names of the parameters that do not fit their format, or one another."""
    wrong = [name for name, value in sent.items() if not fits(name, value)]
    return [*wrong, *gaps_in(sent), *missing_in(sent)]


def fits(name: str, value: str) -> bool:
    """Whether a value has the format of its parameter; a name this gateway cannot read has none."""
    named = KEY.fullmatch(name)
    if named and named["map"] in MAPS:
        known = re.fullmatch(r"[A-Za-z0-9._]{3,64}", named["key"]) is not None
        return known and len(value) <= MAPS[named["map"]]
    pattern = FORMATS.get(name)
    return pattern is None or re.fullmatch(pattern, value) is not None


def gaps_in(sent: Sent) -> list[str]:
    """The names whose index is not the first and follows no other."""
    starts = {name[: match.end()] for name in sent for match in INDEX.finditer(name)}
    wrong = []
    for name in sent:
        for match in INDEX.finditer(name):
            before = f"{name[: match.start()]}[{int(match[1]) - 1}]"
            if match[1] != "0" and before not in starts:
                wrong.append(name)
    return wrong


def missing_in(sent: Sent) -> list[str]:
    """The names of what is missing beside what was sent."""
    missing = []
    if any(name.startswith("customer.") for name in sent):
        missing += [f"customer.{name}" for name in ("givenName", "surname")]
    for first, second in PAIRS:
        missing += [second] if first in sent else []
    is_alone = "billing.houseNumber1" in sent
    streets = sent.get("billing.street1", "")
    streets += "" if is_alone else sent.get("billing.street2", "")
    wrong = ["billing.street1"] if streets.isdecimal() else []
    return [*wrong, *(name for name in missing if not sent.get(name))]


PAIRS = (
    #  where there is                   there has to be
    ("customer.identificationDocType", "customer.identificationDocId"),
    ("customer.identificationDocId", "customer.identificationDocType"),
    ("billing.houseNumber2", "billing.houseNumber1"),
    ("shipping.houseNumber2", "shipping.houseNumber1"),
)
