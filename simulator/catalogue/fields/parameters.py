"""Every table and every relation, in the order of the specification."""

from simulator.catalogue.fields.accounts import (
    BANK_ACCOUNT,
    BANK_ACCOUNT_RELATIONS,
    CARD,
    CARD_RELATIONS,
    MOBILE_WALLET,
    MOBILE_WALLET_RELATIONS,
    VIRTUAL_ACCOUNT,
)
from simulator.catalogue.fields.addresses import (
    BILLING,
    BILLING_RELATIONS,
    SHIPPING,
    SHIPPING_RELATIONS,
)
from simulator.catalogue.fields.airline import AIRLINE, AIRLINE_LEG
from simulator.catalogue.fields.basic import AUTHENTICATION, BASIC, BASIC_RELATIONS, TEST_MODES
from simulator.catalogue.fields.cart import CART_ITEMS, CART_PAYMENTS, CART_RELATIONS
from simulator.catalogue.fields.customer import CUSTOMER, CUSTOMER_RELATIONS, SHIPPING_CUSTOMER
from simulator.catalogue.fields.flow import ASYNCHRONOUS, CUSTOM_PARAMETERS
from simulator.catalogue.fields.merchant import CORPORATE, MERCHANT
from simulator.catalogue.fields.pos import POINT_OF_SALE, POINT_OF_SALE_RELATIONS
from simulator.catalogue.fields.reconciliation import RECONCILIATION
from simulator.catalogue.fields.recurring import (
    CARD_ON_FILE,
    CARD_ON_FILE_RELATIONS,
    MIGRATION,
    MIGRATION_RELATIONS,
    RECURRING,
    TOKENIZATION,
)
from simulator.catalogue.fields.reporting import (
    CHARGEBACK,
    JOB_RELATIONS,
    JOBS,
    REPORTING,
    REPORTING_RELATIONS,
)
from simulator.catalogue.fields.responses import (
    EVENTS,
    PAYMENT_RESPONSE,
    POINT_OF_SALE_RESPONSE,
    REDIRECT,
    REGISTRATION_RESPONSE,
    WEBHOOK_RESPONSE,
)
from simulator.catalogue.fields.risk import GIFT_CARD, RISK, RISK_RELATIONS
from simulator.catalogue.fields.three_d_secure import THREE_D_SECURE, THREE_D_SECURE_RELATIONS

# Every structure a payment may carry, whether it is new or refers to another.
PAYMENT_TABLES = (
    TEST_MODES,
    BASIC,
    AUTHENTICATION,
    CARD,
    MOBILE_WALLET,
    VIRTUAL_ACCOUNT,
    BANK_ACCOUNT,
    CUSTOMER,
    SHIPPING_CUSTOMER,
    BILLING,
    SHIPPING,
    CORPORATE,
    MERCHANT,
    CART_ITEMS,
    CART_PAYMENTS,
    AIRLINE,
    AIRLINE_LEG,
    TOKENIZATION,
    RECURRING,
    THREE_D_SECURE,
    CUSTOM_PARAMETERS,
    ASYNCHRONOUS,
    POINT_OF_SALE,
    GIFT_CARD,
    RISK,
    CARD_ON_FILE,
)

# Structures that belong to requests of their own.
OTHER_TABLES = (MIGRATION, REPORTING, JOBS, CHARGEBACK)

ANSWER_TABLES = (
    REGISTRATION_RESPONSE,
    REDIRECT,
    POINT_OF_SALE_RESPONSE,
    PAYMENT_RESPONSE,
    WEBHOOK_RESPONSE,
    RECONCILIATION,
    EVENTS,
)

TABLES = (*PAYMENT_TABLES, *OTHER_TABLES, *ANSWER_TABLES)

# Relations of parameters that may be sent anywhere; `operations` adds those of one request alone.
RELATIONS = (
    *BASIC_RELATIONS,
    *CARD_RELATIONS,
    *MOBILE_WALLET_RELATIONS,
    *BANK_ACCOUNT_RELATIONS,
    *CUSTOMER_RELATIONS,
    *BILLING_RELATIONS,
    *SHIPPING_RELATIONS,
    *CART_RELATIONS,
    *THREE_D_SECURE_RELATIONS,
    *POINT_OF_SALE_RELATIONS,
    *RISK_RELATIONS,
    *MIGRATION_RELATIONS,
    *CARD_ON_FILE_RELATIONS,
    *REPORTING_RELATIONS,
    *JOB_RELATIONS,
)
