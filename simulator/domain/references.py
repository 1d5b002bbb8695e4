"""Decisions about a payment that refers to another: CP, RF, RV, RB, RC.

Refusals in this order: unknown, pending, other channel, unsuitable type or never successful,
currency, state, sum. Source: Endpoints, note 2; who may refer to whom is
`catalogue/references.py`.
"""

from collections.abc import Mapping
from decimal import Decimal

from msgspec.structs import replace

from simulator.catalogue.references import REFERENCES
from simulator.domain.descriptors import descriptor_of
from simulator.domain.errors import Refusal, UnknownReference
from simulator.domain.money import Money
from simulator.domain.parameters import kept
from simulator.domain.payments import (
    Opening,
    Ticket,
    ask_for,
    money_in,
    refuse_money,
    refuse_reference,
)
from simulator.domain.ports import Seat
from simulator.domain.records import Attempt, Channel, Payment, PaymentType, State
from simulator.domain.transitions import UNANSWERED, Event, allows
from simulator.grammar.choices import Choices
from simulator.grammar.references import REPEAT, TAKE, VOID, Reference


def decide_reference(
    parent: Payment | None, sent: Mapping[str, str], *, seat: Seat, ticket: Ticket
) -> Opening:
    """Decide to open a payment that refers to `parent`, its amount reserved there. Raises Refusal.
    """
    row = REFERENCES[sent["paymentType"]]
    refuse_reference(sent, seat.channel)
    if parent is None:
        raise UnknownReference(row.unknown, f"{row.type}: no payment has the id in the path")
    refuse_parent(parent, row, channel=seat.channel, choices=seat.ports.choices)
    money = _money_of(parent, row, sent)
    refuse_money(money, PaymentType(row.type), seat.channel)
    _refuse_money_against(parent, row, money, ticket)
    payment = Payment(
        id=ticket.id,
        type=PaymentType(row.type),
        state=State.OPEN,
        stamp=parent.stamp,
        created_at=ticket.now,
        ndc=ticket.ndc,
        short_id=ticket.short_id,
        brand=parent.brand,
        money=money,
        referenced=parent.id,
        sent=kept(sent),
        descriptor=descriptor_of(sent, seat.channel, ticket.short_id),
        test_mode=parent.test_mode,
        host=seat.host,
        attempt=Attempt(trace=ticket.trace, at=ticket.now),
    )
    return Opening(
        payment=payment, ask=ask_for(payment, sent, None), parent=_reserved(parent, row, money)
    )


def refuse_parent(parent: Payment, row: Reference, *, channel: Channel, choices: Choices) -> None:
    """Raise Refusal unless `parent` is a payment of this channel that `row` may refer to."""
    if parent.state in UNANSWERED:
        raise Refusal(
            "700.400.570", f"{row.type}: the {parent.type} it refers to is still {parent.state}"
        )
    if parent.stamp.channel != channel.id:
        raise Refusal(
            "700.400.700", f"{row.type}: expected the channel of the {parent.type} it refers to"
        )
    suitable = row.types(choices)
    if parent.type not in suitable or parent.state is State.FAILED:
        too_late = parent.type in row.too_late and parent.state is not State.FAILED
        raise Refusal(
            row.used_up if too_late else row.unsuitable,
            f"{row.type}: expected a successful {' or '.join(suitable)}, "
            f"got a {parent.type} that is {parent.state}",
        )


def open_amount(payment: Payment) -> Decimal:
    """What of `payment` is neither taken by later transactions nor reserved by open attempts."""
    return payment.moved.amount - payment.taken - payment.reserved


def _money_of(parent: Payment, row: Reference, sent: Mapping[str, str]) -> Money:
    """What is asked for; a reversal voids the whole amount, so one that is sent must be it
    (Choice: D-29).
    """
    asked = money_in(sent)
    if row.effect != VOID:
        assert asked is not None, "the catalogue asks an amount of all but a reversal"
        return asked
    if asked is not None and asked != parent.money:
        raise Refusal(
            "700.100.200", f"{row.type}: expected {parent.money} or no amount, got {asked}"
        )
    return parent.moved


def _refuse_money_against(parent: Payment, row: Reference, money: Money, ticket: Ticket) -> None:
    if money.currency != parent.moved.currency:
        raise Refusal(
            "700.100.500", f"currency: expected {parent.moved.currency}, got {money.currency}"
        )
    EFFECTS[row.effect](parent, row, money, ticket)


def _refuse_taking(parent: Payment, row: Reference, money: Money, ticket: Ticket) -> None:
    if not allows(parent.state, Event.TAKEN_PARTLY) or money.amount > open_amount(parent):
        raise Refusal(
            row.used_up,
            f"{row.type}: expected at most {open_amount(parent)} {parent.moved.currency} "
            f"of a {parent.type} that is {parent.state}, got {money}",
        )


def _refuse_voiding(parent: Payment, row: Reference, money: Money, ticket: Ticket) -> None:
    untouched = open_amount(parent) == parent.moved.amount
    if not allows(parent.state, Event.VOIDED) or not untouched:
        raise Refusal(row.used_up, f"{row.type}: the {parent.type} is {parent.state}")
    past_cut_off = parent.created_at.date() != ticket.now.date()
    if parent.state is State.COMPLETED and past_cut_off:
        raise Refusal(
            "700.300.700", f"{row.type}: the cut-off of {parent.created_at.date()} has passed"
        )


def _refuse_repeating(parent: Payment, row: Reference, money: Money, ticket: Ticket) -> None:
    if parent.state is State.REVERSED:
        raise Refusal(row.used_up, f"{row.type}: the {parent.type} is {parent.state}")


# What a referencing payment does to the one it refers to, and what forbids it.
EFFECTS = {TAKE: _refuse_taking, VOID: _refuse_voiding, REPEAT: _refuse_repeating}


def _reserved(parent: Payment, row: Reference, money: Money) -> Payment:
    """`parent` with the amount held, so that two attempts at once never exceed the sum."""
    if row.effect == REPEAT:
        return parent
    return replace(parent, reserved=parent.reserved + money.amount)
