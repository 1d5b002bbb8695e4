"""The brands of payments. The specification shows no list: these are the card schemes, neutral
names for the other accounts, and the brands that existing clients send. Source: Basic payment,
paymentBrand; E54 to E57. Choices: D-22, D-54.
"""

from collections.abc import Mapping

from simulator.catalogue.payment_types import CHARGING_TYPES, REGISTRATION_TYPES
from simulator.grammar.brands import (
    BANK,
    VIRTUAL,
    Brand,
    Ecis,
    card,
    named_card,
    online,
    wallet,
)

# A mandate is for taking money, now or later.
MANDATED = (*CHARGING_TYPES, *REGISTRATION_TYPES)
MASTERCARD = Ecis("02", "01", "00", "04")

# fmt: off
ROWS = (
    #          value               ranges of the number             digits
    card(      "VISA",             "4",                              13, 16, 19, scheme="visa"),
    card(      "MASTER",           "51-55 2221-2720",                16,
               scheme="mastercard", ecis=MASTERCARD, has_facilitators=True,
               aliases=("MASTERCARD", "MC")),
    card(      "AMEX",             "34 37",                          15, cvv=4, scheme="amex",
               aliases=("AMERICANEXPRESS",)),
    card(      "DINERS",           "300-305 3095 36 38-39",          14, 15, 16, 17, 18, 19,
               scheme="diners"),
    card(      "DISCOVER",         "6011 644-649 65",                16, 17, 18, 19,
               scheme="discover"),
    card(      "JCB",              "3088-3094 3096-3102 3112-3120 3158-3159 3337-3349 3528-3589",
                                                                     16, 17, 18, 19, scheme="jcb",
               written="JCB"),
    card(      "MAESTRO",          "50 56-58 6",                     *range(12, 20),
               scheme="mastercard", ecis=MASTERCARD, has_facilitators=True),
    card(      "UNIONPAY",         "62 81",                          16, 17, 18, 19, luhn=False,
               ecis=Ecis("02", "01", "00", "00"), aliases=("CUP",), written="UnionPay"),
    card(      "DANKORT",          "5019",                           16),
    named_card("AIRPLUS"),
    named_card("ARGENCARD"),
    named_card("ASYACARD"),
    named_card("AXESS"),
    named_card("BCMC",             "6703", written="BCMC"),
    named_card("BONUS"),
    named_card("CABAL"),
    named_card("CABALDEBIT", written="Cabal Debit"),
    named_card("CARNET"),
    named_card("CARTEBANCAIRE", written="Carte Bancaire"),
    named_card("CARTEBLEUE", written="Carte Bleue"),
    named_card("ELO"),
    named_card("HIPERCARD",        "606282"),
    named_card("MADA"),
    named_card("MASTERDEBIT",      "51-55 2221-2720", has_facilitators=True,
               written="Master Debit"),
    named_card("MEEZA",            "5078"),
    named_card("NARANJA"),
    named_card("NATIVA"),
    named_card("POSTEPAY"),
    named_card("SERVIRED"),
    named_card("UNIONPAY_SMS",     "62 81", luhn=False, written="UnionPay SMS"),
    named_card("VISADEBIT",        "4", written="Visa Debit"),
    named_card("VISAELECTRON",     "4", written="Visa Electron"),
    named_card("VPAY",             "4", written="V Pay"),
    named_card("WORLD"),
    #      value                 tokens
    wallet("MOBILE_WALLET",      "EC_v1"),
    wallet("APPLEPAY",           "EC_v1", aliases=("APPLE_PAY",), written="Apple Pay"),
    wallet("APPLEPAYTKN",        "EC_v1", written="Apple Pay"),
    wallet("CLICK_TO_PAY",       "EC_v1", aliases=("SRC",), written="Click to Pay"),
    wallet("GOOGLEPAY",          "ECv2",  aliases=("GOOGLE_PAY",), written="Google Pay"),
    #     value                  account
    Brand("VIRTUAL_ACCOUNT",     VIRTUAL),
    Brand("VIRTUAL_REDIRECT",    VIRTUAL, redirects=True),
    Brand("DIRECTDEBIT_SEPA",    BANK,    collects=True, types=MANDATED,
          written="SEPA Direct Debit"),
    Brand("SEPA",                BANK,    collects=True, written="SEPA Direct Debit"),
    Brand("PREPAYMENT",          BANK,    types=("PA",), field_types=CHARGING_TYPES),
    Brand("EFT",                 BANK,    redirects=True, written="EFT"),
    Brand("EPS",                 BANK,    redirects=True, written="EPS"),
    Brand("GIROPAY",             BANK,    redirects=True),
    Brand("IDEAL",               BANK,    redirects=True, written="iDEAL"),
    Brand("INTERAC_ONLINE",      BANK,    redirects=True),
    Brand("SOFORTUEBERWEISUNG",  BANK,    redirects=True, aliases=("SOFORT",)),
    *online("PAYPAL", written="PayPal"),
    *online(
        "ACI_INSTANTPAY", "ALIPAY", "BOLETO", "BRADESCO", "CHINAUNIONPAY", "CLIQ", "DAOPAY",
        "HYPERCASH", "KLARNA_INSTALLMENTS", "KLARNA_INVOICE", "KLARNA_PAYMENTS_ONE",
        "KLARNA_PAYMENTS_PAYLATER", "KLARNA_PAYMENTS_PAYNOW", "KLARNA_PAYMENTS_SLICEIT",
        "MONEYBOOKERS", "PAYDIREKT", "PAYOLUTION_ELV", "PAYOLUTION_INS", "PAYOLUTION_INVOICE",
        "PAYSAFECARD", "PAYTRAIL", "PF_KARTE_DIRECT", "POLI", "PRZELEWY", "RATENKAUF",
        "SADAD", "STC_PAY", "TABBY", "TAMARA", "TRUSTLY", "TRUSTPAY_VA", "UKASH", "URPAY", "VALU",
        "YANDEX", "ZOODPAY",
    ),
)
# fmt: on

BRANDS: Mapping[str, Brand] = {row.value: row for row in ROWS}
