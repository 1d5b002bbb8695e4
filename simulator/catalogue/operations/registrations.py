"""Registrations: what each endpoint accepts and what it needs.

The specification names a direct endpoint and payments by the id of a registration, and shows no
path. Source: Endpoints, note 2; Tokenization and registration. Choice: D-119.
"""

from simulator.catalogue.fields.accounts import (
    ACCOUNT_NUMBERS,
    BANK_ACCOUNT,
    CARD,
    ONE_ACCOUNT_RELATIONS,
    STORED_ACCOUNT,
)
from simulator.catalogue.fields.addresses import BILLING, SHIPPING
from simulator.catalogue.fields.airline import AIRLINE, AIRLINE_LEG
from simulator.catalogue.fields.basic import AUTHENTICATION, BASIC, TEST_MODES
from simulator.catalogue.fields.cart import CART_ITEMS, CART_PAYMENTS
from simulator.catalogue.fields.customer import CUSTOMER, SHIPPING_CUSTOMER
from simulator.catalogue.fields.flow import ASYNCHRONOUS, CUSTOM_PARAMETERS
from simulator.catalogue.fields.merchant import CORPORATE, MERCHANT
from simulator.catalogue.fields.parameters import PAYMENT_TABLES
from simulator.catalogue.fields.recurring import CARD_ON_FILE, MIGRATION, RECURRING, TOKENIZATION
from simulator.catalogue.fields.risk import GIFT_CARD, RISK
from simulator.catalogue.fields.three_d_secure import THREE_D_SECURE
from simulator.catalogue.operations.checkouts import NAMED_CUSTOMER
from simulator.catalogue.operations.payments import (
    ENTITY_RELATIONS,
    TERMINAL_ACCOUNT_RELATIONS,
    WITHOUT_REGISTRATION,
)
from simulator.catalogue.payment_types import INITIAL_TYPES, REGISTRATION_TYPES
from simulator.grammar.formats import choice_of, switched
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import some_of
from simulator.grammar.relations import required, requires

REGISTRATION_TYPE = choice_of(*REGISTRATION_TYPES, notation="A2")
# What a client of the field sends to capture at once. Choice: D-180.
CHARGING_TYPE = switched(
    WITHOUT_REGISTRATION,
    "registration_capture",
    choice_of(*INITIAL_TYPES, "CP", notation="A2"),
)

# What a charge may say of the stored account: the code of the card, and a holder it lacks.
CHARGED_CARD = some_of(CARD, "card.holder", "card.cvv")
CHARGED_ACCOUNT = some_of(BANK_ACCOUNT, "bankAccount.holder", "transactionDueDate")
# What of a stored account may change; another number is another registration. Choice: D-121.
CHANGED_CARD = some_of(CARD, "card.holder", "card.expiryMonth", "card.expiryYear")
CHANGED_ACCOUNT = some_of(
    BANK_ACCOUNT,
    "bankAccount.holder",
    "bankAccount.bankName",
    "bankAccount.country",
    "bankAccount.mandate.id",
    "bankAccount.mandate.dateOfSignature",
    "bankAccount.mandate.reference",
)

CHANGED = (
    TEST_MODES, AUTHENTICATION, CHANGED_CARD, CHANGED_ACCOUNT, CUSTOMER, SHIPPING_CUSTOMER, BILLING,
    SHIPPING, CORPORATE, CUSTOM_PARAMETERS,
)  # fmt: skip

# fmt: off
CREATE_RELATIONS = (
    requires("PAY-03", "amount", "currency"),
    *TERMINAL_ACCOUNT_RELATIONS,
)
CHARGE_RELATIONS = (
    required("PAY-01", "amount"),
    required("PAY-03", "currency"),
    required("PAY-05", "paymentType"),
)

CREATE_REGISTRATION = Operation(
    "create_registration", "POST", "/v1/registrations",
    (*PAYMENT_TABLES, MIGRATION),
    (*ENTITY_RELATIONS, *CREATE_RELATIONS, *ONE_ACCOUNT_RELATIONS),
    (("paymentType", REGISTRATION_TYPE),),
    kept=("registrationId",),
)
READ_REGISTRATION = Operation(
    "read_registration", "GET", "/v1/registrations/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
UPDATE_REGISTRATION = Operation(
    "update_registration", "POST", "/v1/registrations/{id}",
    CHANGED, ENTITY_RELATIONS, is_part=True, kept=STORED_ACCOUNT,
)
# What of a registration may change, once it has; never a request of its own.
WHOLE_REGISTRATION = Operation(
    "whole_registration", "POST", "/v1/registrations/{id}",
    CHANGED, (NAMED_CUSTOMER,), rests=("CUST-01", "CARD-01", "BANK-06"),
)
REMOVE_REGISTRATION = Operation(
    "remove_registration", "DELETE", "/v1/registrations/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
PAY_REGISTRATION = Operation(
    "pay_registration", "POST", "/v1/registrations/{id}/payments",
    (
        TEST_MODES, BASIC, AUTHENTICATION, CHARGED_CARD, CHARGED_ACCOUNT, CUSTOMER,
        SHIPPING_CUSTOMER, BILLING, SHIPPING, CORPORATE, MERCHANT, CART_ITEMS, CART_PAYMENTS,
        AIRLINE, AIRLINE_LEG, TOKENIZATION, RECURRING, THREE_D_SECURE, CUSTOM_PARAMETERS,
        ASYNCHRONOUS, GIFT_CARD, RISK, CARD_ON_FILE,
    ),
    (*ENTITY_RELATIONS, *CHARGE_RELATIONS),
    (("paymentType", CHARGING_TYPE),),
    kept=ACCOUNT_NUMBERS,
)
EXTEND_REGISTRATION = Operation(
    "extend_registration", "POST", "/v1/registrations/{id}/extendlife",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
# fmt: on

ROWS = (
    CREATE_REGISTRATION,
    READ_REGISTRATION,
    UPDATE_REGISTRATION,
    REMOVE_REGISTRATION,
    PAY_REGISTRATION,
    EXTEND_REGISTRATION,
)
