"""The movements of a bank day: as the gateway posted them, and as the institute knows them.

Card payments of the test mode EXTERNAL are those of the card host's own entries: what it approved
settles, also where its answer was lost and the gateway has the payment as failed, and what it took
back does not. All else is known from the postings. A payment is of the bank day in which the
gateway posted it, also where the host decided it in the one before; one that was never posted is of
that of the host's entry. What is reversed before its bank day is over never moved anything; later
the reversal takes it back. Choices: D-401, D-524.
"""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import NamedTuple, Protocol

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.institutes import is_settled_at
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import LedgerEntry, Payment, PaymentType, State
from simulator.domain.core.slices import with_pauses
from simulator.domain.payments.ledger import OF_PAYMENT, entries_between
from simulator.domain.payments.trees import referring_to
from simulator.domain.ports.clearing import OF, ClearingEntry, HasClearing
from simulator.domain.settlement.blocks import SettledChargeback
from simulator.service.acquiring.card_host import is_sent_to_card_host
from simulator.service.settlement.projecting import (
    clearing_entry,
    host_clearing_entry,
)
from simulator.service.settlement.remaining import with_left

LAST = "~"
UNDER_WAY = frozenset({State.OPEN, State.PENDING})
GIVING_BACK = frozenset({PaymentType.RF, PaymentType.RV})


class MovementPorts(HasClearing, HasStore, Protocol):
    """What movements are read from."""


class Posted(NamedTuple):
    """A payment, and when its money moved."""

    payment: Payment
    at: datetime


def movements(
    ports: MovementPorts, institute: str, day: date, seen: Callable[[Payment], object]
) -> Iterator[ClearingEntry]:
    """The movements of a bank day as the institute knows them. Each payment that the gateway posted
    in it is `seen`.
    """
    window = ports.clearing.window(institute, day)
    for each in posted(ports, institute, day):
        seen(each.payment)
        yield from _known(ports, each, window)
    for each in _unposted(ports, institute, day):
        yield from _known(ports, each, window)


def _known(
    ports: MovementPorts, each: Posted, window: tuple[datetime, datetime]
) -> Iterator[ClearingEntry]:
    """The movement of a payment in a bank day as the institute knows it; none where it knows none,
    or it was taken back before the day was over.
    """
    payment, (begins, ends) = each.payment, window
    if is_taken_back(ports, payment, ends):
        return
    kind = about_kind(ports, payment, begins)
    if not is_known_to_host(ports, payment):
        yield with_left(ports, clearing_entry(*each, kind), payment)
        return
    entry = ports.store.get(CardEntry, payment.id)
    known = None if entry is None else host_clearing_entry(payment, entry, each.at, kind)
    if known is not None:
        yield with_left(ports, known, payment)


def posted(ports: MovementPorts, institute: str, day: date) -> Iterator[Posted]:
    """The payments of an institute whose money moved in a bank day, oldest first."""
    for each in _posted_between(ports, *_bounds(ports, institute, day)):
        if is_settled_at(each.payment, institute) and not _is_from_file(ports, each.payment):
            yield each


def posted_at(ports: HasStore, payment: Payment) -> datetime | None:
    """When the money of a payment moved; None where it did not. Payments of 0.1.0 have a ledger
    entry beside them.
    """
    if payment.posted_at is not None:
        return payment.posted_at
    entry = ports.store.get(LedgerEntry, payment.id + OF_PAYMENT)
    return None if entry is None else entry.at


def moved_at(ports: MovementPorts, payment: Payment) -> datetime | None:
    """When a payment moved its money as the institute knows it; None where it did not."""
    at = posted_at(ports, payment)
    if not is_known_to_host(ports, payment):
        return at
    entry = ports.store.get(CardEntry, payment.id)
    if entry is None or host_clearing_entry(payment, entry, entry.at) is None:
        return None
    return _unposted_at(ports, payment, entry) if at is None else at


def is_taken_back(ports: MovementPorts, payment: Payment, ends: datetime) -> bool:
    """Whether a payment was reversed before the end of its bank day: then it never moved anything.
    An authorization moves nothing by itself, and its fee stays.
    """
    if payment.state is not State.REVERSED or not PAYMENT_TYPES[payment.type].record:
        return False
    later = referring_to(ports, payment)
    moments = (moved_at(ports, each) for each in later if each.type is PaymentType.RV)
    return any(moment is not None and moment < ends for moment in moments)


def about_kind(ports: MovementPorts, payment: Payment, begins: datetime) -> str:
    """The type of what a reversal, a refund or a dispute is about; empty for any other payment, and
    for a reversal of what moved no money before the bank day began, at `begins`.
    """
    if payment.dispute is not None:
        about = ports.store.get(Payment, payment.dispute.payment)
        return payment.dispute.type.value if about is None else _kind_with_original(ports, about)
    if payment.referenced is None or payment.type not in GIVING_BACK:
        return ""
    parent = ports.store.get(Payment, payment.referenced)
    moment = None if parent is None else moved_at(ports, parent)
    is_settled = moment is not None and moment < begins
    is_known = is_settled or payment.type is not PaymentType.RV
    return parent.type.value if parent is not None and is_known else ""


def _kind_with_original(ports: HasStore, payment: Payment) -> str:
    """The type of a payment; of a refund, which may go either way, also that of its original."""
    original = None
    if payment.type is PaymentType.RF and payment.referenced is not None:
        original = ports.store.get(Payment, payment.referenced)
    return payment.type.value if original is None else f"{payment.type}{OF}{original.type}"


def count_postings(ports: MovementPorts, institute: str, day: date) -> int:
    """How many payments of any institute moved money in a bank day. Costs the same however many."""
    bounds = _bounds(ports, institute, day)
    return ports.store.page(Payment, "posted", bounds, start=0, most=0)[1]


def first_movement(ports: MovementPorts) -> datetime | None:
    """When money moved first; None where none did."""
    posting = next(entries_between(ports.store, "", LAST), None)
    entry = next(ports.store.between(CardEntry, "date", "", LAST), None)
    return min((each.at for each in (posting, entry) if each is not None), default=None)


def _posted_between(ports: HasStore, low: str, high: str) -> Iterator[Posted]:
    for payment in with_pauses(ports, ports.store.between(Payment, "posted", low, high)):
        assert payment.posted_at is not None, "it is in the index"
        yield Posted(payment, payment.posted_at)
    for entry in with_pauses(ports, ports.store.between(LedgerEntry, "date", low, high)):
        if entry.id.endswith(OF_PAYMENT):
            payment_of_former = ports.store.get(Payment, entry.payment)
            if payment_of_former is not None:
                yield Posted(payment_of_former, entry.at)


def is_known_to_host(ports: MovementPorts, payment: Payment) -> bool:
    """Whether the card host's own entry says what became of a payment. One without its end says
    nothing yet, and nothing ever where its answer was lost.
    """
    if not is_sent_to_card_host(payment):
        return False
    entry = ports.store.get(CardEntry, payment.id)
    return entry is None or not entry.is_pending


def _unposted(ports: MovementPorts, institute: str, day: date) -> Iterator[Posted]:
    """The payments that the card host decided in a bank day and the gateway never posted."""
    entries = ports.store.between(CardEntry, "date", *_bounds(ports, institute, day))
    for entry in with_pauses(ports, entries):
        payment = ports.store.get(Payment, entry.id)
        if payment is None or not is_settled_at(payment, institute):
            continue
        # One that the host holds as pending and the gateway does not wait for came to nothing.
        at = None if entry.is_pending else _unposted_at(ports, payment, entry)
        if at is not None and posted_at(ports, payment) is None:
            yield Posted(payment, at)


def _unposted_at(ports: HasStore, payment: Payment, entry: CardEntry) -> datetime | None:
    """When a payment that the gateway has not posted moved its money; None while it is under way:
    it may still be posted, in the bank day of that, or taken back by a reversal that is not
    answered: one that a file had by then would be paid, and taken back by no other.
    """
    is_lost = payment.state in UNDER_WAY or ports.store.get(LostRequest, payment.id) is not None
    return None if is_lost else entry.at


def _bounds(ports: MovementPorts, institute: str, day: date) -> tuple[str, str]:
    """From the cut-off before a bank day to just before its own, as bounds of instants."""
    begins, ends = ports.clearing.window(institute, day)
    return begins.isoformat(), ends.isoformat()


def _is_from_file(ports: MovementPorts, payment: Payment) -> bool:
    """Whether a chargeback was in a file already, or made of a line: it is settled."""
    return payment.dispute is not None and bool(ports.store.get(SettledChargeback, payment.id))
