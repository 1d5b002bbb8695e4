"""Every endpoint of the merchant API, in the order of the documents. Source: Endpoints."""

from collections.abc import Mapping

from simulator.catalogue import (
    checkout_operations,
    payment_operations,
    query_operations,
    registration_operations,
    risk_operations,
    schedule_operations,
    three_d_secure_operations,
)
from simulator.grammar.operations import Operation

ROWS = (
    *payment_operations.ROWS,
    *checkout_operations.ROWS,
    *schedule_operations.ROWS,
    *registration_operations.ROWS,
    *query_operations.ROWS,
    *risk_operations.ROWS,
    *three_d_secure_operations.ROWS,
)

OPERATIONS: Mapping[str, Operation] = {row.id: row for row in ROWS}
