"""What a bank can still charge back when a file is written: of a payment that was refunded,
reversed or charged back it is less, or nothing. What a file takes is reserved from then on until
its line is booked: a slice at a time, since a file may charge a whole day back, and each payment
together with the record that says so. Choices: D-147, D-404.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import HasScheduler, HasStore, unit_of
from simulator.domain.core.records import Payment, PaymentType
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.core.transact import transact
from simulator.domain.payments.references import open_amount, reserving
from simulator.domain.payments.transitions import Event, allows
from simulator.domain.ports.clearing import CarriedOver, ClearingEntry, DeferredEntry
from simulator.domain.settlement.blocks import ReservedSale
from simulator.domain.settlement.runs import SettlementRun


def with_left(ports: HasStore, entry: ClearingEntry, payment: Payment) -> ClearingEntry:
    """The movement of a payment, with what is left where that is less than its amount."""
    sale = _sale_of(ports, payment)
    left = None if sale is None else _left_of(sale)
    return entry if left is None or left >= entry.money.amount else replace(entry, left=left)


def with_what_is_left(ports: HasStore, carried: CarriedOver, day: date) -> CarriedOver:
    """A part of what an earlier run left, each chargeback that is due with what is left by now."""
    due = {each.entry.payment for each in carried.entries if _is_looked_up(each, day)}
    if not due:
        return carried
    sales = ports.store.get_many(Payment, due)
    entries = (_due(each, sales) if _is_looked_up(each, day) else each for each in carried.entries)
    return replace(carried, entries=tuple(entries))


class ReservingPorts(HasScheduler, HasStore, Protocol):
    """What is freed with."""


class LessLeftError(Exception):
    """Less is left of a payment than a file that is written charges back."""


def reserve_sales(ports: HasStore, run: SettlementRun, charged_back: Mapping[str, Decimal]) -> None:
    """Reserve all that is left of the payments of which the file of a run takes these amounts.
    Durable once the run is. Raises LessLeftError: what is reserved by then is to be freed.
    """
    wanted = iter(charged_back.items())
    while some := dict(islice(wanted, SLICE_RECORDS)):
        transact(ports.store, partial(_reserve, ports, run, some))
        ports.store.pause(0)


def reserved_of(ports: HasStore, run: SettlementRun, payment: str) -> Decimal:
    """What the file of a run has reserved of a payment."""
    reserved = ports.store.get(ReservedSale, payment)
    return ZERO if reserved is None or reserved.run != run.id else reserved.amount


def free_reserved(ports: ReservingPorts, institute: str) -> None:
    """Free what files of an institute have reserved and no line took: their lines were not booked,
    or made no chargeback. Of a file whose lines are still to be booked it stays. A process that
    was killed may have left it, or another release that ended the run.
    """
    found = ports.store.ids_found(ReservedSale, "institute", institute)
    for first in range(0, len(found), SLICE_RECORDS):
        some = found[first : first + SLICE_RECORDS]
        transact(ports.store, partial(_free, ports, some))
        ports.store.pause(0)
    if found:
        # A return of the bank may have waited for what is free now.
        ports.scheduler.wake()


def _reserve(ports: HasStore, run: SettlementRun, some: Mapping[str, Decimal]) -> None:
    sales = ports.store.get_many(Payment, some)
    lefts = {identity: _left_of(sale) for identity, sale in sales.items()}
    if any(lefts[identity] < some[identity] for identity in lefts):
        raise LessLeftError
    noted = (
        ReservedSale(id=identity, run=run.id, institute=run.institute, amount=left)
        for identity, left in lefts.items()
    )
    reserved = (reserving(sale, lefts[sale.id]) for sale in sales.values())
    ports.store.commit_unflushed(unit_of(*noted, *reserved))


def _free(ports: HasStore, some: Sequence[str]) -> None:
    """A chargeback that a line made has freed what was reserved for it."""
    found = ports.store.get_many(ReservedSale, some)
    named = {each.run for each in found.values()}
    runs = ports.store.get_many(SettlementRun, named)
    ended = [each for each in found.values() if not _is_to_be_booked(runs.get(each.run))]
    sales = ports.store.get_many(Payment, [each.id for each in ended])
    freed = (
        reserving(sale, -found[sale.id].amount)
        for sale in sales.values()
        if sale.chargeback is None
    )
    if ended:
        ports.store.commit_unflushed(unit_of(*freed, removes=tuple(ended)))


def _is_to_be_booked(run: SettlementRun | None) -> bool:
    return run is not None and run.state == "written"


def _is_looked_up(late: DeferredEntry, day: date) -> bool:
    return late.due <= day and late.entry.left is not None


def _due(late: DeferredEntry, sales: Mapping[str, Payment]) -> DeferredEntry:
    sale = sales.get(late.entry.payment)
    left = ZERO if sale is None else _left_of(sale)
    return replace(late, entry=replace(late.entry, left=left))


def _sale_of(ports: HasStore, payment: Payment) -> Payment | None:
    """The sale that a bank could charge back: this payment, or the one that it gives back."""
    if payment.type is PaymentType.RF and payment.referenced is not None:
        return ports.store.get(Payment, payment.referenced)
    return payment if PAYMENT_TYPES[payment.type].transaction == "DEBIT" else None


def _left_of(sale: Payment) -> Decimal:
    is_open = sale.chargeback is None and allows(sale.state, Event.CHARGED_BACK)
    may_be = sale.type in PAYMENT_TYPES[PaymentType.CB].to
    return open_amount(sale) if is_open and may_be else ZERO
