"""Decisions about an initial payment: PA, DB, CD, RG (and PA.CP in profile field)."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.catalogue.clearing_institutes import BANK_ACCOUNTS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.accounts.accounts import Account
from simulator.domain.accounts.bank_accounts import COLLECTED_AT_ONCE, with_mandate
from simulator.domain.acquiring.institutes import is_bank_account, settling_institute
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.hosts import LIVE, NO_TEST_MODE, SUCCESS_CODES, Host
from simulator.domain.core.money import ZERO, Money, read_amount
from simulator.domain.core.parameters import kept, onward
from simulator.domain.core.ports import HasChoices
from simulator.domain.core.records import (
    AccountHierarchy,
    Attempt,
    Origin,
    Outcome,
    Payment,
    PaymentType,
    SealedCard,
    State,
)
from simulator.domain.payments.redirects import is_redirected
from simulator.domain.recurring import Agreement


class TransactionIds(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn or authenticated for a decision: nothing in it comes from the merchant."""

    id: str
    short_id: str
    trace: int
    now: datetime
    ndc: str


class PaymentAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """A decided attempt: the open payment, the request to the acquirer, and the payment it refers
    to, amount reserved. `agreements` are those it is the next authorization of, reserved likewise:
    the one that it rests on, and series that are counted like one.

    With `decided` the acquirer is not asked: the gateway itself knows the outcome, as by a risk
    check. `risk_score` is the result of such a check. `records` are stored with the attempt: new
    ones, where they are made before the payment waits for its shopper (Choice: D-306).
    `root` is the payment that a dispute is about, where that is not `parent`; a direct debit is
    collected on the day `due`. `asked` are the parameters that an initial payment was sent, before
    those that its account adds; `mark` is that of the whole request, on a channel that needs it.
    The payment `leaves`, of the same checkout, still asks its shopper: it ends as this is stored.
    """

    payment: Payment
    request: AcquirerRequest
    parent: Payment | None = None
    agreements: tuple[Agreement, ...] = ()
    decided: Outcome | None = None
    risk_score: int | None = None
    records: tuple[Any, ...] = ()
    root: Payment | None = None
    due: date | None = None
    asked: Mapping[str, str] = {}
    mark: str = ""
    leaves: str | None = None


DIRECT = Origin()
DESCRIPTOR_LENGTH = 127


def money_in(sent: Mapping[str, str]) -> Money | None:
    """The amount and currency that were sent, or None where no amount was. Only `amount` affects
    processing.
    """
    if "amount" not in sent:
        return None
    return Money(read_amount(sent["amount"]), sent["currency"])


def refuse_money(money: Money | None, kind: PaymentType, channel: Channel) -> None:
    """Raise Refusal for an amount of nothing, unless the type may be for that, or a currency the
    channel does not take.
    """
    if money is None:
        return
    refuse_nothing(money, kind)
    if channel.currencies and money.currency not in channel.currencies:
        raise Refusal(
            "600.200.500",
            f"currency: expected one of {', '.join(channel.currencies)}, got {money.currency}",
        )


def refuse_nothing(money: Money, kind: PaymentType) -> None:
    """Raise Refusal for an amount of nothing, unless the type may be for that."""
    if money.amount == ZERO and not PAYMENT_TYPES[kind].zero_amount:
        raise Refusal(
            "100.550.300", f"amount: expected more than 0.00 for {kind}, got {money.amount}"
        )


def decide_payment(
    sent: Mapping[str, str],
    account: Account,
    *,
    context: ChannelContext[HasChoices],
    sealed: SealedCard | None,
    ticket: TransactionIds,
    origin: Origin = DIRECT,
) -> PaymentAttempt:
    """Decide to open an initial payment: what is stored of it, and what the acquirer is asked.

    `account` has passed its rules; `sealed` is its number where it is a card. Raises Refusal.
    Source: Basic payment.
    """
    kind = PaymentType(sent["paymentType"])
    money = money_in(sent)
    refuse_money(money, kind, context.channel)
    asked = sent
    if account.parameters:
        sent = {**sent, **parameters_of(account, kind, ticket)}
    redirects = account.redirects and is_redirected(account, sent, origin.source)
    payment = Payment(
        id=ticket.id,
        type=kind,
        state=State.OPEN,
        stamp=hierarchy_of(context.stamp, account),
        created_at=ticket.now,
        ndc=ticket.ndc,
        short_id=ticket.short_id,
        brand=account.brand,
        scheme=account.scheme,
        money=money,
        sent=kept(sent),
        registration=origin.registration,
        card=account.card,
        sealed_card=sealed,
        descriptor=descriptor_of(sent, context.channel, ticket.short_id),
        test_mode=test_mode_of(sent, context.host),
        host=context.host,
        attempt=Attempt(trace=ticket.trace, at=ticket.now),
        source=origin.source,
        checkout=origin.checkout,
        until=origin.until,
        schedule=origin.schedule,
        shown=account.receiving,
    )
    request = request_for(payment, sent, account.number, sent.get("card.cvv"), redirects=redirects)
    due = account.due if kind in COLLECTED_AT_ONCE else None
    return PaymentAttempt(payment=payment, request=request, due=due, asked=asked)


def hierarchy_of(stamp: AccountHierarchy, account: Account) -> AccountHierarchy:
    """The hierarchy of a payment by an account: `stamp`, with the institute that settles it."""
    if account.card is not None or not is_bank_account(account.brand, account.parameters):
        return stamp
    return replace(stamp, clearing_institute=BANK_ACCOUNTS)


def parameters_of(account: Account, kind: PaymentType, ticket: TransactionIds) -> Mapping[str, str]:
    """The parameters of an account that is no card, with a mandate where one is needed."""
    if not account.collects:
        return account.parameters
    return with_mandate(account.parameters, kind, ticket.id, ticket.now.date())


def descriptor_of(sent: Mapping[str, str], channel: Channel, short_id: str) -> str:
    """merchant.name, else the descriptor sent, else one made of short id and channel name
    (Choice: D-23).

    A merchant account whose descriptor is fixed ignores what was sent. Source: PAY-07, PAY-13.
    """
    generated = f"{short_id} {channel.name}"[:DESCRIPTOR_LENGTH]
    if channel.descriptor_use == "fixed":
        return generated
    return (sent.get("merchant.name") or sent.get("descriptor") or generated)[:DESCRIPTOR_LENGTH]


def test_mode_of(sent: Mapping[str, str], host: Host) -> str:
    """The test mode of an initial payment. Source: Test modes."""
    return sent.get("testMode") or (NO_TEST_MODE if host == LIVE else "INTERNAL")


def success_of(sent: Mapping[str, str], host: Host) -> Outcome:
    """What a request succeeds with that no acquirer is asked for. Choices: D-16, D-88."""
    return Outcome(code=SUCCESS_CODES[test_mode_of(sent, host)])


def request_for(
    payment: Payment,
    sent: Mapping[str, str],
    number: str | None,
    cvv: str | None = None,
    *,
    redirects: bool = False,
) -> AcquirerRequest:
    """What the acquirer is asked for `payment`: the parameters that travel onward, the secrets in
    the open. Where it `redirects` the shopper is asked as well.
    """
    assert payment.attempt is not None, "a payment that is sent to the acquirer has an open attempt"
    return AcquirerRequest(
        type=payment.type,
        payment=payment.id,
        entity=payment.stamp.channel,
        institute="" if number is not None else settling_institute(payment),
        trace=payment.attempt.trace,
        money=payment.money,
        brand=payment.brand,
        number=number,
        cvv=cvv,
        # Its card_brand, without a call on the way of every sale.
        parameters=onward(sent, payment.scheme or payment.brand),
        original=payment.referenced,
        live=payment.test_mode == NO_TEST_MODE and "testMode" not in sent,
        host=payment.host,
        redirects=redirects,
    )
