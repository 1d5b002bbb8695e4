"""Payments: what each endpoint accepts and what it needs. Source: Endpoints."""

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.fields.accounts import ONE_ACCOUNT_RELATIONS
from simulator.catalogue.fields.basic import AUTHENTICATION, TEST_MODES
from simulator.catalogue.fields.flow import WAY_BACK
from simulator.catalogue.fields.parameters import PAYMENT_TABLES
from simulator.catalogue.fields.recurring import MIGRATION
from simulator.catalogue.fields.reporting import CHARGEBACK
from simulator.catalogue.payment_types import (
    INITIAL_TYPES,
    NEW_TYPES,
    REFERRING_TYPES,
    REGISTRATION_TYPES,
    SPECIFIED_PAYMENT_TYPES,
    types_where,
)
from simulator.grammar.brands import CARD, WALLET
from simulator.grammar.formats import choice_of, switched
from simulator.grammar.operations import Operation
from simulator.grammar.relations import (
    account_needed,
    required,
    required_for,
    required_with,
    requires,
)

CARD_BRANDS = tuple(brand.value for brand in BRANDS.values() if brand.account == CARD)
WALLET_BRANDS = tuple(brand.value for brand in BRANDS.values() if brand.account == WALLET)
WITHOUT_AMOUNT = types_where(lambda row: not row.amount_needed)

# The list for new payments as clients have seen it is PA, DB, CD, PA.CP. Choices: D-11, D-57.
WITHOUT_REGISTRATION = switched(
    choice_of(*SPECIFIED_PAYMENT_TYPES, notation="A2"),
    "authorize_capture",
    choice_of(*INITIAL_TYPES, notation="A2"),
)
WITH_REGISTRATION = switched(
    choice_of(*SPECIFIED_PAYMENT_TYPES, *REGISTRATION_TYPES, notation="A2"),
    "authorize_capture",
    choice_of(*NEW_TYPES, notation="A2"),
)
REFERRING_TYPE = choice_of(*REFERRING_TYPES, notation="A2")
NEW_TYPE = switched(WITH_REGISTRATION, "registration_type", WITHOUT_REGISTRATION)

# fmt: off
ENTITY_RELATIONS = (
    required("AUTH-02", "entityId"),
)
ACCOUNTS = ("card.number", "card.", "mobileWallet.", "virtualAccount.", "bankAccount.")
BRAND_OF_ACCOUNT = required_with(
    "PAY-04", ("bankAccount.", "virtualAccount."), "paymentBrand", unless="card.number",
)
# Both ways of a wallet: its token, or all that the merchant decrypted of it.
WALLET_OF_BRAND = required_for(
    "SVC-03", "paymentBrand", WALLET_BRANDS,
    "mobileWallet.source", "card.number", "card.expiryMonth", "card.expiryYear",
    "threeDSecure.verificationId", "threeDSecure.eci",
    unless="mobileWallet.paymentToken",
    says="may not be empty: a wallet without mobileWallet.paymentToken needs it",
)
# Whose account is meant: where no terminal may have read it, and where one may.
ACCOUNT_RELATIONS = (
    BRAND_OF_ACCOUNT,
    WALLET_OF_BRAND,
    account_needed("PAY-04", "paymentBrand", brands=CARD_BRANDS, accounts=ACCOUNTS),
)
TERMINAL_ACCOUNT_RELATIONS = (
    BRAND_OF_ACCOUNT,
    WALLET_OF_BRAND,
    account_needed(
        "PAY-04", "paymentBrand", brands=CARD_BRANDS,
        accounts=(*ACCOUNTS, "pos.encryptedSred.data"),
    ),
)
CREATE_RELATIONS = (
    required("PAY-01", "amount",   unless="paymentType", unless_in=REGISTRATION_TYPES),
    required("PAY-03", "currency", unless="paymentType", unless_in=REGISTRATION_TYPES),
    requires("PAY-03", "amount", "currency"),
    required("PAY-05", "paymentType"),
    *TERMINAL_ACCOUNT_RELATIONS,
    WAY_BACK,
)
REFER_RELATIONS = (
    required("PAY-01", "amount",   unless="paymentType", unless_in=WITHOUT_AMOUNT),
    required("PAY-03", "currency", unless="paymentType", unless_in=WITHOUT_AMOUNT),
    required("PAY-05", "paymentType"),
    requires("PAY-03", "amount", "currency"),
)

CREATE_PAYMENT = Operation(
    "create_payment", "POST", "/v1/payments",
    (*PAYMENT_TABLES, MIGRATION),
    (*ENTITY_RELATIONS, *CREATE_RELATIONS, *ONE_ACCOUNT_RELATIONS),
    (("paymentType", NEW_TYPE),),
    kept=("registrationId",),
)
READ_PAYMENT = Operation(
    "read_payment", "GET", "/v1/payments/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
REFER_PAYMENT = Operation(
    "refer_payment", "POST", "/v1/payments/{id}",
    (*PAYMENT_TABLES, CHARGEBACK),
    (*ENTITY_RELATIONS, *REFER_RELATIONS),
    (("paymentType", REFERRING_TYPE),),
)
# fmt: on

ROWS = (CREATE_PAYMENT, READ_PAYMENT, REFER_PAYMENT)
