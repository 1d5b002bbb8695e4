"""Decisions about a payment that refers to another: CP, RF, RV, RB, RC, CB, CR.

Refusals in this order: unknown, pending, other channel, unsuitable type or never successful,
currency, state, sum. Source: Endpoints, note 2; who may refer to whom is
`catalogue/payment_types.py`.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.accounts.accounts import account_in, refuse_brand
from simulator.domain.accounts.cards import refuse_expiry
from simulator.domain.chargebacks import REASON, dispute_of, outcome_of_report
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal, UnknownReferenceError
from simulator.domain.core.hosts import NO_TEST_MODE
from simulator.domain.core.money import ZERO, Money, as_part
from simulator.domain.core.parameters import kept, receiving_in
from simulator.domain.core.ports import HasChoices
from simulator.domain.core.records import (
    Attempt,
    Origin,
    Payment,
    PaymentSource,
    PaymentType,
    State,
)
from simulator.domain.merchants.requirements import refuse_lacking
from simulator.domain.payments.initial import (
    DIRECT,
    PaymentAttempt,
    TransactionIds,
    descriptor_of,
    money_in,
    refuse_money,
    refuse_nothing,
    request_for,
)
from simulator.domain.payments.ledger import is_recorded_only
from simulator.domain.payments.transitions import UNANSWERED, Event, allows
from simulator.grammar.choices import Choices
from simulator.grammar.payment_types import RESERVING, PaymentEffect, PaymentTypeRow

# Reports, traces and refunds of an authorization read all that refer to one payment.
REFERENCES_MAX = 1000
UNCAPTURED = frozenset({*UNANSWERED, State.FAILED, State.REVERSED})


class ReferenceCase(NamedTuple):
    """A reference to be judged: its row, what it refers to, the amount, the day. `root` is the
    payment that a dispute is about; without one what it refers to.
    """

    row: PaymentTypeRow
    parent: Payment
    money: Money
    today: date
    root: Payment


def decide_reference(
    parent: Payment | None,
    sent: Mapping[str, str],
    *,
    context: ChannelContext[HasChoices],
    ticket: TransactionIds,
    root: Payment | None = None,
    origin: Origin = DIRECT,
) -> PaymentAttempt:
    """Decide to open a payment that refers to `parent`, its amount reserved there. Raises Refusal.

    `root` is the payment that the dispute of `parent` is about.
    """
    row = PAYMENT_TYPES[sent["paymentType"]]
    kind = PaymentType(row.code)
    if origin.source is PaymentSource.OPP:
        refuse_lacking(sent, context)
        _refuse_reporting(row, context.channel)
    if parent is None:
        raise UnknownReferenceError(row.unknown, f"{row.code}: no payment has the id in the path")
    parent = reserving(parent, -origin.reserved)
    refuse_parent(parent, row, channel=context.channel, choices=context.ports.choices)
    money = _money_of(parent, row, sent, root or parent)
    case = ReferenceCase(row, parent, money, ticket.now.date(), root or parent)
    _refuse_money(case, context.channel)
    payment = Payment(
        id=ticket.id,
        type=kind,
        state=State.OPEN,
        stamp=parent.stamp,
        created_at=ticket.now,
        ndc=ticket.ndc,
        short_id=ticket.short_id,
        brand=parent.brand,
        scheme=parent.scheme,
        money=money,
        referenced=parent.id,
        sent=kept(sent),
        descriptor=descriptor_of(sent, context.channel, ticket.short_id),
        test_mode=parent.test_mode,
        host=context.host,
        attempt=Attempt(trace=ticket.trace, at=ticket.now),
        source=origin.source,
        dispute=dispute_of(parent) if row.reported else None,
        shown=receiving_in(parent.shown),
    )
    is_reported = row.reported or is_recorded_only(kind, parent.type)
    return PaymentAttempt(
        payment=payment,
        request=request_for(payment, _asked_of(parent, row, sent), None),
        parent=_reserve(parent, row, money),
        root=root,
        decided=outcome_of_report(payment, sent.get(REASON)) if is_reported else None,
    )


def _asked_of(parent: Payment, row: PaymentTypeRow, sent: Mapping[str, str]) -> Mapping[str, str]:
    """What the acquirer is asked with. It goes where its original went, whatever it sends; a rebill
    names the account again: it is no card whose number the vault has. Choices: D-16, D-88, D-184.
    """
    account = account_in(parent.sent) if row.effect is PaymentEffect.REBILL else {}
    asked = {**account, **sent, "testMode": parent.test_mode}
    if parent.test_mode == NO_TEST_MODE:
        del asked["testMode"]
    return asked


def refuse_crowd(count: int) -> None:
    """Raise Refusal where so many payments refer to one already. Choice: D-362."""
    if count >= REFERENCES_MAX:
        raise Refusal("700.500.001", f"expected at most {REFERENCES_MAX} that refer to one payment")


def _refuse_reporting(row: PaymentTypeRow, channel: Channel) -> None:
    if row.platform_only and not channel.chargebacks:
        raise Refusal(row.platform_only, f"{row.code}: this channel leaves it to the platform")


def refuse_parent(
    parent: Payment, row: PaymentTypeRow, *, channel: Channel, choices: Choices
) -> None:
    """Raise Refusal unless `parent` is a payment of this channel that `row` may refer to."""
    if parent.state in UNANSWERED:
        raise Refusal(
            "700.400.570", f"{row.code}: the {parent.type} it refers to is still {parent.state}"
        )
    if parent.stamp.channel != channel.id:
        raise Refusal(
            "700.400.700", f"{row.code}: expected the channel of the {parent.type} it refers to"
        )
    suitable = row.refers_to(choices)
    if parent.type not in suitable or parent.state is State.FAILED:
        too_late = parent.type in row.too_late and parent.state is not State.FAILED
        is_switched = parent.type in row.also and parent.type not in suitable
        hint = "; profile field accepts it" if is_switched else ""
        raise Refusal(
            row.used_up if too_late else row.unsuitable,
            f"{row.code}: expected a successful {' or '.join(suitable)}, "
            f"got a {parent.type} that is {parent.state}{hint}",
        )


def refunded_by(parent: Payment, linked: Iterable[Payment], sent: Mapping[str, str]) -> Payment:
    """The payment that a refund of `parent` takes its money from: the oldest capture that has as
    much left, of those in `linked`; else the newest; `parent` itself where nothing was captured.

    Choice: D-281.
    """
    row = PAYMENT_TYPES[sent["paymentType"]]
    captures = [each for each in linked if each.type in row.to and each.state not in UNCAPTURED]
    money = money_in(sent)
    for each in captures:
        if money is not None and money.amount <= open_amount(each):
            return each
    return captures[-1] if captures else parent


def open_amount(payment: Payment) -> Decimal:
    """What of `payment` is neither taken by later transactions nor reserved by open attempts."""
    return max(payment.moved.amount - payment.taken - payment.reserved, ZERO)


def reserving(payment: Payment, amount: Decimal) -> Payment:
    """`payment` with so much more of it reserved, or less for an amount below zero."""
    return replace(payment, reserved=max(payment.reserved + amount, ZERO))


def _money_of(
    parent: Payment, row: PaymentTypeRow, sent: Mapping[str, str], root: Payment
) -> Money:
    """What is asked for. A reversal voids the whole amount, so one that is sent must be it
    (Choice: D-29); a dispute without an amount is about all that can be disputed (Choice: D-147).
    """
    asked = money_in(sent)
    if asked is None:
        _refuse_currency(sent.get("currency"), parent)
    if row.effect in DISPUTE_LIMITS and asked is None:
        most = DISPUTE_LIMITS[row.effect](parent, root)
        if most == ZERO:
            nothing = f"{row.code}: nothing is left of the {parent.type}{_reserved_of(parent)}"
            raise Refusal(row.used_up, nothing)
        return Money(most, parent.moved.currency)
    if row.effect is not PaymentEffect.REVERSAL:
        assert asked is not None, "the catalogue asks an amount of all others"
        return asked
    if asked is not None and asked != parent.money:
        raise Refusal(
            "700.100.200", f"{row.code}: expected {parent.money} or no amount, got {asked}"
        )
    return parent.moved


def _disputable(parent: Payment, root: Payment) -> Decimal:
    """What may be charged back: what nothing took so far, and no more than was won back."""
    return min(parent.moved.amount, open_amount(root))


def _restorable(parent: Payment, root: Payment) -> Decimal:
    return parent.moved.amount


# The most that a dispute may be about.
DISPUTE_LIMITS = {
    PaymentEffect.CHARGEBACK: _disputable,
    PaymentEffect.CHARGEBACK_REVERSAL: _restorable,
}


def _refuse_money(case: ReferenceCase, channel: Channel) -> None:
    """Raise Refusal for an amount that the payment referred to, or the channel, does not allow."""
    kind, is_rebill = PaymentType(case.row.code), case.row.effect is PaymentEffect.REBILL
    refuse_nothing(case.money, kind)
    if is_rebill or case.money.currency != case.parent.moved.currency:
        refuse_money(case.money, kind, channel)
    if is_rebill:
        refuse_brand(case.parent.brand, channel)
    _refuse_currency(case.money.currency, case.parent)
    EFFECTS[case.row.effect](case)


def _refuse_currency(asked: str | None, parent: Payment) -> None:
    """Raise Refusal for another currency than that of `parent`, sent with or without an amount."""
    currency = parent.moved.currency
    if asked not in (None, currency):
        raise Refusal("700.100.500", f"currency: expected {currency}, got {asked}")


def _refuse_receipt(case: ReferenceCase) -> None:
    """Refuse a receipt above what is left to capture, or to record of what was captured."""
    parent, row = case.parent, case.row
    if not is_recorded_only(PaymentType(row.code), parent.type):
        _refuse_above_open_amount(case)
        return
    is_reversed = parent.state is State.REVERSED
    left = ZERO if is_reversed else parent.moved.amount - parent.received
    if not left or case.money.amount > left:
        raise Refusal(
            row.used_up,
            f"{row.code}: expected at most {left} {parent.moved.currency} of a {parent.type} "
            f"that is {parent.state}, got {case.money}",
        )


def _refuse_above_open_amount(case: ReferenceCase) -> None:
    """Refuse a capture, receipt or refund above what is left of the payment it refers to."""
    parent, row = case.parent, case.row
    left = open_amount(parent) if allows(parent.state, Event.PARTLY_USED) else ZERO
    if not left or case.money.amount > left:
        raise Refusal(
            row.used_up,
            f"{row.code}: expected at most {left} {parent.moved.currency} "
            f"of a {parent.type} that is {parent.state}, got {case.money}{_reserved_of(parent)}",
        )


def _reserved_of(parent: Payment) -> str:
    """What to say of an amount that another payment may yet take or free."""
    if not parent.reserved:
        return ""
    reserved = f"{parent.reserved} {parent.moved.currency}"
    return f"; {reserved} of it are reserved by a payment or chargeback that is still pending"


def _refuse_reversal(case: ReferenceCase) -> None:
    parent, row = case.parent, case.row
    untouched = open_amount(parent) == parent.moved.amount
    if not allows(parent.state, Event.REVERSED) or not untouched:
        state = f"{row.code}: the {parent.type} is {parent.state}"
        raise Refusal(row.used_up, f"{state}{_reserved_of(parent)}")
    day = parent.created_at.date()
    if row.cut_off and parent.state is State.COMPLETED and day != case.today:
        raise Refusal(row.cut_off, f"{row.code}: the cut-off of {day} has passed")


def _refuse_rebill(case: ReferenceCase) -> None:
    """Refuse a new charge of an account that could not be charged anew. Source: CARD-02."""
    card = case.parent.card
    if case.parent.state is State.REVERSED:
        raise Refusal(case.row.used_up, f"{case.row.code}: the {case.parent.type} is reversed")
    if card is not None and card.expiryMonth and card.expiryYear:
        refuse_expiry(card.expiryMonth, card.expiryYear, case.today)


def _refuse_chargeback(case: ReferenceCase) -> None:
    parent, row = case.parent, case.row
    if parent.chargeback is not None:
        raise Refusal(row.repeated, f"{row.code}: the {parent.type} had a chargeback already")
    if not allows(case.root.state, Event.CHARGED_BACK):
        raise Refusal(row.used_up, f"{row.code}: the {case.root.type} is {case.root.state}")
    _refuse_beyond(case)


def _refuse_chargeback_reversal(case: ReferenceCase) -> None:
    parent, row = case.parent, case.row
    if parent.dispute is not None and parent.referenced != parent.dispute.payment:
        raise Refusal(row.at_end, f"{row.code}: nothing takes a second chargeback back")
    if not allows(parent.state, Event.REVERSED):
        raise Refusal(row.used_up, f"{row.code}: the {parent.type} is {parent.state}")
    _refuse_beyond(case)


def _refuse_beyond(case: ReferenceCase) -> None:
    most = DISPUTE_LIMITS[case.row.effect](case.parent, case.root)
    if case.money.amount > most:
        raise Refusal(
            case.row.used_up, f"{case.row.code}: expected at most {most}, got {case.money}"
        )


# What a referencing payment does to the one it refers to, and what forbids it.
EFFECTS = {
    PaymentEffect.CAPTURE: _refuse_above_open_amount,
    PaymentEffect.RECEIPT: _refuse_receipt,
    PaymentEffect.REFUND: _refuse_above_open_amount,
    PaymentEffect.REVERSAL: _refuse_reversal,
    PaymentEffect.REBILL: _refuse_rebill,
    PaymentEffect.CHARGEBACK: _refuse_chargeback,
    PaymentEffect.CHARGEBACK_REVERSAL: _refuse_chargeback_reversal,
}


def _reserve(parent: Payment, row: PaymentTypeRow, money: Money) -> Payment:
    """`parent` with the amount held, so that two attempts at once never exceed the sum. A type
    that only reports what has happened is not sent to the acquirer and holds nothing.
    """
    if row.effect not in RESERVING or is_recorded_only(PaymentType(row.code), parent.type):
        return parent
    return reserving(parent, as_part(money))
