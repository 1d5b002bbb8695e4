"""Authentications alone: what each endpoint accepts and what it needs.

The paths are those of the field. Source: 3D Secure; public facts 8.4. Choice: D-195.
"""

from simulator.catalogue.fields.accounts import CARD
from simulator.catalogue.fields.addresses import BILLING, SHIPPING
from simulator.catalogue.fields.basic import AUTHENTICATION, BASIC, TEST_MODES
from simulator.catalogue.fields.customer import CUSTOMER, SHIPPING_CUSTOMER
from simulator.catalogue.fields.flow import ASYNCHRONOUS, CUSTOM_PARAMETERS
from simulator.catalogue.fields.merchant import CORPORATE, MERCHANT
from simulator.catalogue.fields.recurring import CARD_ON_FILE
from simulator.catalogue.fields.risk import RISK
from simulator.catalogue.fields.three_d_secure import THREE_D_SECURE
from simulator.catalogue.operations.payments import CARD_BRANDS, ENTITY_RELATIONS
from simulator.grammar.formats import choice_of
from simulator.grammar.operations import Operation
from simulator.grammar.relations import account_needed, required, requires

# fmt: off
CREATE_AUTHENTICATION = Operation(
    "create_authentication", "POST", "/v1/threeDSecure",
    (
        TEST_MODES, BASIC, AUTHENTICATION, CARD, CUSTOMER, SHIPPING_CUSTOMER, BILLING, SHIPPING,
        CORPORATE, MERCHANT, THREE_D_SECURE, CUSTOM_PARAMETERS, ASYNCHRONOUS, RISK, CARD_ON_FILE,
    ),
    (
        *ENTITY_RELATIONS,
        required("PAY-01", "amount"),
        required("PAY-03", "currency"),
        requires("PAY-03", "amount", "currency"),
        account_needed(
            "PAY-04", "paymentBrand", brands=CARD_BRANDS,
            accounts=("card.number", "card."),
        ),
    ),
    (("paymentType", choice_of("3D", notation="A2")),),
)
READ_AUTHENTICATION = Operation(
    "read_authentication", "GET", "/v1/threeDSecure/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
# fmt: on

ROWS = (CREATE_AUTHENTICATION, READ_AUTHENTICATION)
