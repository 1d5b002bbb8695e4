"""Reconciles the ledgers of gateway and card host. Choice: D-188."""

from collections.abc import Iterator

from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.reconciliation import Difference, LedgerReconciliation, reconcile
from simulator.domain.core.ports import Ports, key_of
from simulator.domain.core.records import Payment
from simulator.service.acquiring.card_host import is_sent_to_card_host

LAST = "~"


def reconcile_ledgers(ports: Ports) -> LedgerReconciliation:
    """What gateway and card host say of every payment that travelled. Costs what the sandbox
    holds.
    """
    entries = {each.id: each for each in ports.store.between(CardEntry, "date", "", LAST)}
    lost = {each.id for each in ports.store.between(LostRequest, "due", "", LAST)}
    return reconcile({each.id: each for each in _travelled(ports)}, entries, lost)


def open_books(ports: Ports) -> list[Difference]:
    """Where the two sides differ; none where the ledgers agree."""
    return list(reconcile_ledgers(ports).differences)


def _travelled(ports: Ports) -> Iterator[Payment]:
    for merchant in ports.sandbox.merchants:
        bounds = (key_of(merchant.id, ""), key_of(merchant.id, LAST))
        for payment in ports.store.between(Payment, "history", *bounds):
            if is_sent_to_card_host(payment):
                yield payment
