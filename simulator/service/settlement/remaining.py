"""What a bank can still charge back when a file is written: of a payment that was refunded,
reversed or charged back it is less, or nothing. What a file takes is reserved from then on until
its line is booked. Choices: D-147, D-404.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment, PaymentType
from simulator.domain.payments.references import open_amount, reserving
from simulator.domain.payments.transitions import Event, allows
from simulator.domain.ports.clearing import CarriedOver, ClearingEntry, DeferredEntry


def with_left(ports: HasStore, entry: ClearingEntry, payment: Payment) -> ClearingEntry:
    """The movement of a payment, with what is left where that is less than its amount."""
    sale = _sale_of(ports, payment)
    left = None if sale is None else _left_of(sale)
    return entry if left is None or left >= entry.money.amount else replace(entry, left=left)


def with_what_is_left(ports: HasStore, carried: CarriedOver, day: date) -> CarriedOver:
    """What an earlier run left, each chargeback that is due with what is left by now."""
    return replace(carried, entries=tuple(_due(ports, each, day) for each in carried.entries))


class LessLeftError(Exception):
    """Less is left of a payment than a file that is written charges back."""


def reserved_for(
    ports: HasStore, charged_back: Mapping[str, Decimal]
) -> list[tuple[Payment, Decimal]]:
    """The payments of which a file takes these amounts, with what is to be reserved of each: all
    that is left. Raises LessLeftError.
    """
    sales = ports.store.get_many(Payment, charged_back)
    if any(_left_of(sale) < charged_back[sale.id] for sale in sales.values()):
        raise LessLeftError
    return [(sale, _left_of(sale)) for sale in sales.values()]


def still_reserved(ports: HasStore, reserved: Mapping[str, Decimal]) -> list[Payment]:
    """The payments of which no line has taken what was reserved, without that: their lines were not
    booked, or made no chargeback. One that was made has freed it.
    """
    sales = ports.store.get_many(Payment, reserved).values()
    return [reserving(sale, -reserved[sale.id]) for sale in sales if sale.chargeback is None]


def _due(ports: HasStore, late: DeferredEntry, day: date) -> DeferredEntry:
    entry = late.entry
    if late.due > day or entry.left is None:
        return late
    sale = ports.store.get(Payment, entry.payment)
    return replace(late, entry=replace(entry, left=ZERO if sale is None else _left_of(sale)))


def _sale_of(ports: HasStore, payment: Payment) -> Payment | None:
    """The sale that a bank could charge back: this payment, or the one that it gives back."""
    if payment.type is PaymentType.RF and payment.referenced is not None:
        return ports.store.get(Payment, payment.referenced)
    return payment if PAYMENT_TYPES[payment.type].transaction == "DEBIT" else None


def _left_of(sale: Payment) -> Decimal:
    is_open = sale.chargeback is None and allows(sale.state, Event.CHARGED_BACK)
    may_be = sale.type in PAYMENT_TYPES[PaymentType.CB].to
    return open_amount(sale) if is_open and may_be else ZERO
