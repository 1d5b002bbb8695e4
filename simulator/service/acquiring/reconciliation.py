"""Reconciles the ledgers of gateway and card host. Choice: D-188."""

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.reconciliation import (
    LedgerReconciliation,
    Reconciliation,
)
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.ports import HasSandbox, HasStore, key_of
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import with_pauses
from simulator.domain.payments.ledger import is_recorded_only
from simulator.service.acquiring.card_host import is_sent_to_card_host

LAST = "~"


class ReconciliationPorts(HasSandbox, HasStore, Protocol):
    """What a reconciliation reads."""


def reconcile_ledgers(ports: ReconciliationPorts) -> LedgerReconciliation:
    """What gateway and card host say of every payment that travelled.

    Each payment is compared with its entry at one moment; other requests are served between slices
    of them, and no payment is kept.
    """
    store = ports.store
    found = Reconciliation(lambda identity: store.get(LostRequest, identity) is not None)
    for payment in with_pauses(ports, _payments(ports)):
        if _has_travelled(ports, payment):
            found.add(payment, store.get(CardEntry, payment.id))
    for entry in with_pauses(ports, store.between(CardEntry, "date", "", LAST)):
        known = store.get(Payment, entry.id)
        if known is None or not _has_travelled(ports, known):
            found.add(None, entry)
    return found.report()


def _payments(ports: ReconciliationPorts) -> Iterator[Payment]:
    for merchant, host in product(ports.sandbox.merchants, HOSTS):
        bounds = (key_of(merchant.id, host, ""), key_of(merchant.id, host, LAST))
        yield from ports.store.between(Payment, "host_history", *bounds)


def _has_travelled(ports: ReconciliationPorts, payment: Payment) -> bool:
    return is_sent_to_card_host(payment) and not _is_recorded_only(ports, payment)


def _is_recorded_only(ports: ReconciliationPorts, payment: Payment) -> bool:
    """Whether the acquirer was never asked: a receipt for captured money. Choice: D-282."""
    about = None if payment.referenced is None else ports.store.get(Payment, payment.referenced)
    return is_recorded_only(payment.type, None if about is None else about.type)
