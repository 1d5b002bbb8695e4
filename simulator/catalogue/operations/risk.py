"""Risk checks alone: what the endpoint accepts and what it needs.

The specification speaks of risk-only requests and shows no path. Source: Risk; Choice: D-168.
"""

from collections.abc import Iterable

from simulator.catalogue.fields.flow import ASYNCHRONOUS
from simulator.catalogue.fields.parameters import PAYMENT_TABLES
from simulator.catalogue.fields.pos import POINT_OF_SALE
from simulator.catalogue.fields.recurring import TOKENIZATION
from simulator.catalogue.operations.payments import ACCOUNT_RELATIONS, ENTITY_RELATIONS
from simulator.grammar.formats import choice_of
from simulator.grammar.operations import Operation
from simulator.grammar.parameters import Table
from simulator.grammar.relations import required, requires


def _without(tables: Iterable[Table], *left_out: Table) -> tuple[Table, ...]:
    return tuple(table for table in tables if table not in left_out)


# fmt: off
CHECK_RISK = Operation(
    "check_risk", "POST", "/v1/risk",
    _without(PAYMENT_TABLES, TOKENIZATION, ASYNCHRONOUS, POINT_OF_SALE),
    (
        *ENTITY_RELATIONS,
        required("PAY-01", "amount"),
        required("PAY-03", "currency"),
        requires("PAY-03", "amount", "currency"),
        *ACCOUNT_RELATIONS,
    ),
    (("paymentType", choice_of("RI", notation="A2")),),
)
# fmt: on

ROWS = (CHECK_RISK,)
