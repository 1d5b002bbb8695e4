"""The brands of payments. The specification shows no list: these are the card schemes, and neutral
names for the other accounts. Source: Basic payment, paymentBrand. Choices: D-22, D-54.
"""

from collections.abc import Mapping

from simulator.catalogue.payment_types import CHARGING_TYPES, REGISTRATION_TYPES
from simulator.grammar.brands import BANK, VIRTUAL, WALLET, Brand, Ecis, card, named_card

# A mandate is for taking money, now or later.
MANDATED = (*CHARGING_TYPES, *REGISTRATION_TYPES)
MASTERCARD = Ecis("02", "01", "00", "04")

# fmt: off
ROWS = (
    #          value               ranges of the number             digits
    card(      "VISA",             "4",                              13, 16, 19, scheme="visa"),
    card(      "MASTER",           "51-55 2221-2720",                16,
               scheme="mastercard", ecis=MASTERCARD, has_facilitators=True),
    card(      "AMEX",             "34 37",                          15, cvv=4, scheme="amex"),
    card(      "DINERS",           "300-305 3095 36 38-39",          14, 15, 16, 17, 18, 19,
               scheme="diners"),
    card(      "DISCOVER",         "6011 644-649 65",                16, 17, 18, 19,
               scheme="discover"),
    card(      "JCB",              "3088-3094 3096-3102 3112-3120 3158-3159 3337-3349 3528-3589",
                                                                     16, 17, 18, 19, scheme="jcb"),
    card(      "MAESTRO",          "50 56-58 6",                     *range(12, 20),
               scheme="mastercard", ecis=MASTERCARD, has_facilitators=True),
    card(      "UNIONPAY",         "62 81",                          16, 17, 18, 19, luhn=False,
               ecis=Ecis("02", "01", "00", "00")),
    card(      "DANKORT",          "5019",                           16),
    named_card("AIRPLUS"),
    named_card("ARGENCARD"),
    named_card("BCMC",             "6703"),
    named_card("CABAL"),
    named_card("CABALDEBIT"),
    named_card("CARNET"),
    named_card("CARTEBANCAIRE"),
    named_card("CARTEBLEUE"),
    named_card("ELO"),
    named_card("HIPERCARD",        "606282"),
    named_card("MADA"),
    named_card("MASTERDEBIT",      "51-55 2221-2720", has_facilitators=True),
    named_card("MEEZA",            "5078"),
    named_card("NARANJA"),
    named_card("NATIVA"),
    named_card("SERVIRED"),
    named_card("UNIONPAY_SMS",     "62 81", luhn=False),
    named_card("VISADEBIT",        "4"),
    named_card("VISAELECTRON",     "4"),
    named_card("VPAY",             "4"),
    #     value                  account
    Brand("MOBILE_WALLET",       WALLET),
    Brand("VIRTUAL_ACCOUNT",     VIRTUAL),
    Brand("VIRTUAL_REDIRECT",    VIRTUAL, redirects=True),
    Brand("DIRECTDEBIT_SEPA",    BANK,    collects=True, types=MANDATED),
    Brand("SEPA",                BANK,    collects=True),
    Brand("PREPAYMENT",          BANK,    types=("PA",)),
    Brand("EFT",                 BANK,    redirects=True),
    Brand("EPS",                 BANK,    redirects=True),
    Brand("GIROPAY",             BANK,    redirects=True),
    Brand("IDEAL",               BANK,    redirects=True),
    Brand("INTERAC_ONLINE",      BANK,    redirects=True),
    Brand("SOFORTUEBERWEISUNG",  BANK,    redirects=True),
)
# fmt: on

BRANDS: Mapping[str, Brand] = {row.value: row for row in ROWS}
