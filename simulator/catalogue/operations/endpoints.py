"""Every endpoint of the merchant API, in the order of the documents. Source: Endpoints."""

from collections.abc import Mapping

from simulator.catalogue.operations import checkouts as checkout_operations
from simulator.catalogue.operations import payments as payment_operations
from simulator.catalogue.operations import reconciliations as reconciliation_operations
from simulator.catalogue.operations import registrations as registration_operations
from simulator.catalogue.operations import reports as query_operations
from simulator.catalogue.operations import risk as risk_operations
from simulator.catalogue.operations import schedules as schedule_operations
from simulator.catalogue.operations import three_d_secure as three_d_secure_operations
from simulator.grammar.operations import Operation

ROWS = (
    *payment_operations.ROWS,
    *checkout_operations.ROWS,
    *schedule_operations.ROWS,
    *registration_operations.ROWS,
    *query_operations.ROWS,
    *reconciliation_operations.ROWS,
    *risk_operations.ROWS,
    *three_d_secure_operations.ROWS,
)

OPERATIONS: Mapping[str, Operation] = {row.id: row for row in ROWS}
