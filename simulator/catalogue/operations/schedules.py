"""Schedules: what each endpoint accepts and what it needs.

The specification says that an endpoint exists and shows none; the paths are those of the field.
Source: Endpoints, 4; Scheduled payment jobs. Choice: D-160.
"""

from simulator.catalogue.fields.accounts import STORED_ACCOUNT
from simulator.catalogue.fields.addresses import BILLING, SHIPPING
from simulator.catalogue.fields.airline import AIRLINE, AIRLINE_LEG
from simulator.catalogue.fields.basic import AUTHENTICATION, BASIC, TEST_MODES
from simulator.catalogue.fields.cart import CART_ITEMS, CART_PAYMENTS
from simulator.catalogue.fields.customer import CUSTOMER, SHIPPING_CUSTOMER
from simulator.catalogue.fields.flow import CUSTOM_PARAMETERS
from simulator.catalogue.fields.merchant import CORPORATE, MERCHANT
from simulator.catalogue.fields.recurring import CARD_ON_FILE, RECURRING
from simulator.catalogue.fields.reporting import JOBS
from simulator.catalogue.fields.risk import RISK
from simulator.catalogue.payment_types import SPECIFIED_PAYMENT_TYPES
from simulator.grammar.formats import choice_of, lower_hex
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import CONDITIONAL, Param, openly, table
from simulator.grammar.relations import required

EXECUTED_TYPE = choice_of(*SPECIFIED_PAYMENT_TYPES, notation="A2")

# fmt: off
SCHEDULED = table("Schedule", (
    Param("registrationId", lower_hex(32), CONDITIONAL,
          "the registration that is charged at each execution", origin="D-160"),
))

# What a payment of a schedule may carry; no secret is among it, as it is kept.
CARRIED = tuple(map(openly, (
    TEST_MODES, BASIC, AUTHENTICATION, CUSTOMER, SHIPPING_CUSTOMER, BILLING, SHIPPING, CORPORATE,
    MERCHANT, CART_ITEMS, CART_PAYMENTS, AIRLINE, AIRLINE_LEG, RECURRING, CUSTOM_PARAMETERS, RISK,
    CARD_ON_FILE, JOBS,
)))
ENTITY_RELATIONS = (
    required("AUTH-02", "entityId"),
)
CREATE_RELATIONS = (
    required("PAY-01", "amount"),
    required("PAY-03", "currency"),
    required("PAY-05", "paymentType"),
    required("SVC-20", "registrationId"),
)
LIST_RELATIONS = (
    required("SVC-20", "registrationId"),
)
TYPES = (("paymentType", EXECUTED_TYPE),)

CREATE_SCHEDULE = Operation(
    "create_schedule", "POST", "/scheduling/v1/schedules",
    (*CARRIED, SCHEDULED),
    (*ENTITY_RELATIONS, *CREATE_RELATIONS),
    TYPES,
)
LIST_SCHEDULES = Operation(
    "list_schedules", "GET", "/scheduling/v1/schedules",
    (TEST_MODES, AUTHENTICATION, SCHEDULED),
    (*ENTITY_RELATIONS, *LIST_RELATIONS),
)
READ_SCHEDULE = Operation(
    "read_schedule", "GET", "/scheduling/v1/schedules/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
RESCHEDULE = Operation(
    "reschedule", "POST", "/scheduling/v1/schedules/{id}/reschedule",
    CARRIED,
    ENTITY_RELATIONS,
    TYPES, is_part=True, kept=STORED_ACCOUNT,
)
# What a schedule carries then; never a request of its own.
WHOLE_SCHEDULE = Operation(
    "whole_schedule", "POST", "/scheduling/v1/schedules/{id}/reschedule",
    (*CARRIED, SCHEDULED), (), TYPES,
)
DESCHEDULE = Operation(
    "deschedule", "POST", "/scheduling/v1/schedules/{id}/deschedule",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
REMOVE_SCHEDULE = Operation(
    "remove_schedule", "DELETE", "/scheduling/v1/schedules/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
CREATE_SCHEDULE_OLD = Operation(
    "create_schedule_old", "POST", "/v1/schedules",
    (*CARRIED, SCHEDULED),
    (*ENTITY_RELATIONS, *CREATE_RELATIONS),
    TYPES,
)
DESCHEDULE_OLD = Operation(
    "deschedule_old", "DELETE", "/v1/schedules/{id}",
    (TEST_MODES, AUTHENTICATION),
    ENTITY_RELATIONS,
)
# fmt: on

ROWS = (
    CREATE_SCHEDULE,
    LIST_SCHEDULES,
    READ_SCHEDULE,
    RESCHEDULE,
    DESCHEDULE,
    REMOVE_SCHEDULE,
    CREATE_SCHEDULE_OLD,
    DESCHEDULE_OLD,
)
