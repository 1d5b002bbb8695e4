"""Whether a payment is settled: resultDetails names the settlement. Choice: D-522."""

from simulator.domain.acquiring.institutes import is_settled_at
from simulator.domain.core.records import Payment
from simulator.domain.settlement.numbers import number_of
from simulator.domain.settlement.runs import Aggregation, aggregation_id, run_id
from simulator.service.settlement.movements import (
    MovementPorts,
    is_taken_back,
    moved_at,
)


def reconciliation_id(ports: MovementPorts, payment: Payment) -> str | None:
    """The id, in reports of settlement, of what the bank day of a payment was settled with; None
    where it is not settled yet, moved nothing, or was reversed before its bank day was over.
    """
    at = moved_at(ports, payment)
    institute = _institute_of(ports, payment)
    if at is None or institute is None:
        return None
    day, ends = ports.clearing.next_cut_off(institute, at)
    if is_taken_back(ports, payment, ends):
        return None
    identity = aggregation_id(run_id(institute, day), number_of(payment))
    return None if ports.store.get(Aggregation, identity) is None else identity


def _institute_of(ports: MovementPorts, payment: Payment) -> str | None:
    names = ports.clearing.names
    return next((each for each in names if is_settled_at(payment, each)), None)
