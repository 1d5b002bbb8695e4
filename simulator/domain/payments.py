"""Decisions about an initial payment: PA, DB, CD, RG (and PA.CP in profile field)."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from simulator.domain.acquiring import Ask
from simulator.domain.cards import CardAccount
from simulator.domain.descriptors import descriptor_of
from simulator.domain.errors import Refusal, Violations
from simulator.domain.hosts import NO_TEST_MODE, test_mode_of
from simulator.domain.money import ZERO, Money, read_amount
from simulator.domain.parameters import kept, onward
from simulator.domain.ports import Seat
from simulator.domain.records import Attempt, Channel, Payment, PaymentType, SealedCard, State
from simulator.grammar.violations import Violation


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """What clock, chance and door hand to a decision: nothing in it comes from the merchant."""

    id: str
    short_id: str
    trace: int
    now: datetime
    ndc: str


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """A decided attempt: the open payment, what to ask the acquirer, and what it refers to,
    amount reserved.
    """

    payment: Payment
    ask: Ask
    parent: Payment | None = None


def money_in(sent: Mapping[str, str]) -> Money | None:
    """The amount and currency that were sent, or None where no amount was. Only `amount` affects
    processing.
    """
    if "amount" not in sent:
        return None
    return Money(read_amount(sent["amount"]), sent["currency"])


def refuse_money(money: Money | None, kind: PaymentType, channel: Channel) -> None:
    """Raise Refusal for an amount of nothing (a PA may verify a card with 0.00) or a foreign
    currency.
    """
    if money is None:
        return
    if money.amount == ZERO and kind not in (PaymentType.PA, PaymentType.RG):
        raise Refusal(
            "100.550.300", f"amount: expected more than 0.00 for {kind}, got {money.amount}"
        )
    if channel.currencies and money.currency not in channel.currencies:
        raise Refusal(
            "600.200.500",
            f"currency: expected one of {', '.join(channel.currencies)}, got {money.currency}",
        )


def refuse_reference(sent: Mapping[str, str], channel: Channel) -> None:
    """Raise Violations where the channel's receiver demands a merchantTransactionId. Source:
    PAY-08.
    """
    if channel.requires_merchant_transaction_id and "merchantTransactionId" not in sent:
        message = "may not be empty: the receiver behind this channel requires it"
        raise Violations([Violation("merchantTransactionId", None, message, "PAY-08")])


def decide_payment(
    sent: Mapping[str, str], account: CardAccount, *, seat: Seat, sealed: SealedCard, ticket: Ticket
) -> Opening:
    """Decide to open an initial payment: what is stored of it, and what the acquirer is asked.

    `account` has passed the card rules. Raises Refusal. Source: Basic payment.
    """
    kind = PaymentType(sent["paymentType"])
    refuse_reference(sent, seat.channel)
    money = money_in(sent)
    refuse_money(money, kind, seat.channel)
    payment = Payment(
        id=ticket.id,
        type=kind,
        state=State.OPEN,
        stamp=seat.stamp,
        created_at=ticket.now,
        ndc=ticket.ndc,
        short_id=ticket.short_id,
        brand=account.brand,
        money=money,
        sent=kept(sent),
        card=account.summary,
        sealed_card=sealed,
        descriptor=descriptor_of(sent, seat.channel, ticket.short_id),
        test_mode=test_mode_of(sent, seat.host),
        host=seat.host,
        attempt=Attempt(trace=ticket.trace, at=ticket.now),
    )
    return Opening(
        payment=payment, ask=ask_for(payment, sent, account.number, sent.get("card.cvv"))
    )


def ask_for(
    payment: Payment, sent: Mapping[str, str], number: str | None, cvv: str | None = None
) -> Ask:
    """What the acquirer is asked for `payment`: the parameters that travel onward, the secrets in
    the open.
    """
    assert payment.attempt is not None, "whoever is asked for has an open attempt"
    return Ask(
        type=payment.type,
        payment=payment.id,
        entity=payment.stamp.channel,
        trace=payment.attempt.trace,
        money=payment.money,
        brand=payment.brand,
        number=number,
        cvv=cvv,
        parameters=onward(sent),
        original=payment.referenced,
        live=payment.test_mode == NO_TEST_MODE and "testMode" not in sent,
    )
