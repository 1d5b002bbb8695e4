"""Checkouts: what each endpoint accepts and what it needs. Source: Endpoints.

What a merchant fixes and what a shopper enters are checked apart, each for its values, and together
for the rules between parameters (`WHOLE_PAYMENT`, `WHOLE_REGISTERED`). Choices: D-128, D-129.
"""

from simulator.catalogue.fields.accounts import (
    NO_STORED_ACCOUNT_RELATIONS,
    ONE_ACCOUNT_RELATIONS,
)
from simulator.catalogue.fields.basic import AUTHENTICATION, TEST_MODES
from simulator.catalogue.fields.customer import CUSTOMER
from simulator.catalogue.fields.parameters import PAYMENT_TABLES
from simulator.catalogue.fields.pos import POINT_OF_SALE
from simulator.catalogue.operations.payments import (
    CREATE_RELATIONS,
    ENTITY_RELATIONS,
    WITH_REGISTRATION,
    WITHOUT_REGISTRATION,
)
from simulator.grammar.formats import boolean, text
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Param, openly, table
from simulator.grammar.relations import required, required_with, requires, under

REGISTERED = ("true", "1")
# Beginnings of what a checkout keeps for itself.
NOT_OF_THE_PAYMENT = ("overridePaymentType[", "integrity", "registrations[")

# What the form sends again though the merchant said it: what it sends counts.
PREFILLED = ("entityId", "card.holder")

# What a form may send, by name or beginning; everything else is the merchant's to say.
OF_THE_SHOPPER = (
    "entityId",
    "paymentBrand",
    "registrationId",
    "card.",
    "virtualAccount.",
    "bankAccount.",
    "mobileWallet.",
    "customer.",
    "billing.",
    "createRegistration",
    "recurring.numberOfInstallments",
    "customParameters[",
    "shopperResultUrl",
)

# fmt: off
PREPARATION = table("Checkout", (
    Param("integrity",           boolean(),        note="the answer has the hash of the script "
          "of the form", origin="D-128"),
    Param("registrations[n].id", text(32, min=32), note="stored accounts that the form offers",
          origin="D-128"),
))
SUBMISSION = table("Checkout", (
    Param("registrationId",      text(32, min=32), note="the stored account to pay with",
          origin="D-129"),
))
READING = (TEST_MODES, AUTHENTICATION)
# A terminal has no checkout.
STRUCTURES = tuple(each for each in PAYMENT_TABLES if each is not POINT_OF_SALE)
FIXED = (*map(openly, STRUCTURES), PREPARATION)
ENTERED = (*STRUCTURES, SUBMISSION)

# What the shopper will enter is not there when a checkout is prepared.
ENTERED_LATER = ("CARD-01", "SVC-03", "BANK-01", "BANK-02", "BANK-06")
AMOUNT_RELATIONS = (
    required("PAY-01", "amount",      unless="createRegistration", unless_in=REGISTERED),
    required("PAY-03", "currency",    unless="createRegistration", unless_in=REGISTERED),
    required("PAY-05", "paymentType", unless="createRegistration", unless_in=REGISTERED),
    requires("PAY-03", "amount", "currency"),
    requires("PAY-01", "paymentType", "amount"),
    requires("PAY-03", "paymentType", "currency"),
)
# The form sends the browser data whether or not the merchant sends the customer.
NAMED_CUSTOMER = under("customer_names", required_with(
    "CUST-01",
    tuple(row.name for row in CUSTOMER.rows if not row.name.startswith("customer.browser")),
    "customer.givenName", "customer.surname",
))
OF_THE_ACCOUNT = ("CARD-01", "SVC-03", "PAY-04")

CREATE_CHECKOUT = Operation(
    "create_checkout", "POST", "/v1/checkouts",
    FIXED, (*ENTITY_RELATIONS, *AMOUNT_RELATIONS),
    (("paymentType", WITHOUT_REGISTRATION),), ENTERED_LATER, is_bare=True,
)
UPDATE_CHECKOUT = Operation(
    "update_checkout", "POST", "/v1/checkouts/{id}",
    FIXED, ENTITY_RELATIONS,
    (("paymentType", WITHOUT_REGISTRATION),), is_bare=True, is_part=True,
)
READ_CHECKOUT = Operation(
    "read_checkout", "GET", "/v1/checkouts/{id}", READING, ENTITY_RELATIONS, is_bare=True,
)
DELETE_CHECKOUT = Operation(
    "delete_checkout", "DELETE", "/v1/checkouts/{id}", READING, ENTITY_RELATIONS, is_bare=True,
)
PAY_CHECKOUT = Operation(
    "pay_checkout", "POST", "/v1/checkouts/{id}/payment",
    ENTERED, (*ENTITY_RELATIONS, *ONE_ACCOUNT_RELATIONS, *NO_STORED_ACCOUNT_RELATIONS),
    (("paymentType", WITHOUT_REGISTRATION),), is_bare=True, is_part=True,
)
READ_CHECKOUT_PAYMENT = Operation(
    "read_checkout_payment", "GET", "/v1/checkouts/{id}/payment",
    READING, ENTITY_RELATIONS, is_bare=True,
)
REGISTER_CHECKOUT = Operation(
    "register_checkout", "POST", "/v1/checkouts/{id}/registration",
    STRUCTURES, (*ENTITY_RELATIONS, *ONE_ACCOUNT_RELATIONS),
    (("paymentType", WITH_REGISTRATION),), is_bare=True, is_part=True,
    kept=("registrationId",),
)
READ_CHECKOUT_REGISTRATION = Operation(
    "read_checkout_registration", "GET", "/v1/checkouts/{id}/registration",
    READING, ENTITY_RELATIONS, is_bare=True,
)

# What is paid or registered in the end; never a request of its own.
WHOLE_PAYMENT = Operation(
    "whole_payment", "POST", "/v1/checkouts/{id}/payment",
    STRUCTURES, (*CREATE_RELATIONS, NAMED_CUSTOMER),
    (("paymentType", WITH_REGISTRATION),), ("CUST-01",),
)
WHOLE_REGISTERED = Operation(
    "whole_registered", "POST", "/v1/checkouts/{id}/payment",
    STRUCTURES,
    (*(row for row in CREATE_RELATIONS if row.id not in OF_THE_ACCOUNT), NAMED_CUSTOMER),
    (("paymentType", WITH_REGISTRATION),), ("CUST-01", *OF_THE_ACCOUNT),
)
# fmt: on

ROWS = (
    CREATE_CHECKOUT,
    UPDATE_CHECKOUT,
    READ_CHECKOUT,
    DELETE_CHECKOUT,
    PAY_CHECKOUT,
    READ_CHECKOUT_PAYMENT,
    REGISTER_CHECKOUT,
    READ_CHECKOUT_REGISTRATION,
)
