"""Taking, referring to and reading payments."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from simulator.domain.accounts.accounts import account_of
from simulator.domain.accounts.bank_accounts import on_its_day
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import ConflictError, UnknownReferenceError
from simulator.domain.core.parameters import normalised
from simulator.domain.core.ports import ChannelContext, Ports, unit_of
from simulator.domain.core.records import (
    Origin,
    Outcome,
    Payment,
    PaymentType,
    Redirect,
    State,
)
from simulator.domain.core.transact import transact
from simulator.domain.journal.entries import create_late_response_entry
from simulator.domain.journal.exchanges import create_request_entry, record_acquirer_exchange
from simulator.domain.payments.initial import DIRECT, PaymentAttempt, TransactionIds, decide_payment
from simulator.domain.payments.pending import awaited_of
from simulator.domain.payments.redirects import TOKEN_DIGITS, redirect_of
from simulator.domain.payments.references import decide_reference
from simulator.domain.payments.responses import settle
from simulator.domain.recurring import Agreement
from simulator.service.acquiring.card_host import ask_by_link, travels
from simulator.service.checkouts.sessions import joined
from simulator.service.payments.completion import left_by
from simulator.service.payments.contexts import visible
from simulator.service.recurring import placed, with_agreement
from simulator.service.risk import screened
from simulator.service.three_d_secure.authentication import authenticated
from simulator.service.wallets import opened_once, unwrapped
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import prepare_payment_events


def take_payment(
    context: ChannelContext,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    origin: Origin = DIRECT,
) -> Payment:
    """Take an initial payment: decide, ask the acquirer, store what it answered. Raises Refusal."""
    sent, used = unwrapped(context, normalised(sent), ticket)
    account = account_of(sent, context.channel, today=ticket.now.date())
    sent = placed(context, sent, account, origin)
    number, vault = account.number, context.ports.vault
    sealed = None if number is None else vault.seal_card(ticket.id, number)
    opening = decide_payment(
        sent, account, context=context, sealed=sealed, ticket=ticket, origin=origin
    )
    opening = screened(context, opening, sent)
    if context.channel.three_d_secure:
        opening = authenticated(context, opening)

    def decide() -> PaymentAttempt:
        decided = with_agreement(context, opened_once(context.ports, opening, used))
        return joined(context.ports, decided, origin, settle_stored)

    return run_attempt(context.ports, decide)


def refer_payment(
    context: ChannelContext,
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    origin: Origin = DIRECT,
) -> Payment:
    """Take a payment that refers to the one with the id `identity`. Raises Refusal,
    UnknownReference.
    """
    sent = normalised(sent)

    def decide() -> PaymentAttempt:
        parent = visible(context, Payment, identity)
        root = None
        if parent is not None and parent.dispute is not None:
            root = visible(context, Payment, parent.dispute.payment)
        opening = decide_reference(
            parent, sent, context=context, ticket=ticket, root=root, origin=origin
        )
        return _with_card(context.ports, opening, parent)

    return run_attempt(context.ports, decide)


def read_payment(context: ChannelContext, identity: str) -> Payment:
    """The payment with the id `identity`. Raises UnknownReference.

    It tells nothing a power cut could take back (Choice: D-36).
    """
    payment = visible(context, Payment, identity)
    if payment is None:
        raise UnknownReferenceError("700.400.580", "no payment has the id in the path")
    context.ports.store.wait_durable()
    return payment


def run_attempt(ports: Ports, decide: Callable[[], PaymentAttempt]) -> Payment:
    """Reserve, call, settle; decided anew whenever something it rests on has changed meanwhile."""
    with ports.in_flight:
        return transact(ports.store, lambda: _reserve_and_settle(ports, decide()))


def settle_stored(
    ports: Ports,
    identity: str,
    outcome: Outcome,
    *,
    removes: tuple[Any, ...] = (),
    plan: AcquirerResponse | None = None,
) -> Payment:
    """Settle a stored payment that is open or pending, by compare-and-set on what is stored now.

    `removes` are records that go with it. Raises Refusal if the payment is settled already.
    """

    def change() -> Payment:
        payment = ports.store.get(Payment, identity)
        assert payment is not None, "whatever is settled was stored"
        parent = None
        if payment.referenced is not None:
            parent = ports.store.get(Payment, payment.referenced)
        return _settle(ports, (payment, parent, None), outcome, plan=plan, removes=removes)

    settled = transact(ports.store, change)
    ports.journal.append_entry(create_late_response_entry(settled, ports.clock.now()))
    return settled


def resume_attempt(ports: Ports, opening: PaymentAttempt, *, removes: tuple[Any, ...]) -> Payment:
    """Reserve a payment that was pending until its shopper was authenticated, call, settle.

    The caller is in flight; `removes` is what it waited for. Raises Conflict, and then nobody was
    called.
    """
    payment = opening.payment
    plan = None if travels(payment) else _plan(ports, opening)
    also = () if plan is None else (*plan.scripts, *plan.books)
    ports.store.commit(unit_of(payment, *also, removes=removes))
    if plan is None:
        plan, _ = ask_by_link(ports, opening, tells_first=True)
        if opening.risk_score is not None:
            plan = _with_score(plan, opening.risk_score)
    else:
        ports.journal.append_entry(create_request_entry(payment, opening.ask, plan))
        ports.clock.wait(plan.delay)
    return settle_stored(ports, payment.id, plan.outcome, plan=plan)


def _reserve_and_settle(ports: Ports, opening: PaymentAttempt) -> Payment:
    """Where the far side answers at once, the two units of work are one save."""
    if opening.decided is None and travels(opening.payment):
        return _settle_by_link(ports, opening)
    plan = _plan(ports, opening)
    payment, parent = opening.payment, opening.parent
    also = (*plan.scripts, *plan.books, *opening.marks)
    if not plan.delay:
        tree = (payment, parent, opening.root)
        settled = _settle(
            ports, tree, plan.outcome, plan=plan, also=also, agreement=opening.agreement
        )
        if opening.decided is None:
            ports.journal.hold_acquirer_exchange(
                record_acquirer_exchange(payment, opening.ask, plan)
            )
        return settled
    held = (each for each in (parent, opening.agreement) if each is not None)
    ports.store.commit(unit_of(payment, *held, *also))
    ports.journal.append_entry(create_request_entry(payment, opening.ask, plan))
    if opening.marks:
        ports.scheduler.wake()
    ports.clock.wait(plan.delay)
    return settle_stored(ports, payment.id, plan.outcome, plan=plan)


def _settle_by_link(ports: Ports, opening: PaymentAttempt) -> Payment:
    """A real line lies between: the attempt is stored before anything leaves on it.

    Nobody waits for the disk: the host's entry comes after it in the same log, so that no crash
    leaves the one without the other. Choice: D-188.
    """
    payment = opening.payment
    held = (each for each in (opening.parent, opening.agreement) if each is not None)
    ports.store.commit_unflushed(unit_of(payment, *held, *opening.marks))
    if opening.marks:
        ports.scheduler.wake()
    plan, talk = ask_by_link(ports, opening)
    if opening.risk_score is not None:
        plan = _with_score(plan, opening.risk_score)
    if talk is None:
        return settle_stored(ports, payment.id, plan.outcome, plan=plan)
    parent = None if opening.parent is None else _noted(opening.parent)
    try:
        settled = _settle(ports, (_noted(payment), parent, None), plan.outcome, plan=plan)
    except ConflictError:
        return settle_stored(ports, payment.id, plan.outcome, plan=plan)
    ports.journal.hold_acquirer_exchange(replace(talk, outcome=plan.outcome))
    return settled


def _noted(payment: Payment) -> Payment:
    """A payment as it is after it was stored once more."""
    return replace(payment, version=payment.version + 1)


def _plan(ports: Ports, opening: PaymentAttempt) -> AcquirerResponse:
    """How the far side will answer; nobody is asked where the gateway itself decided."""
    if opening.decided is not None:
        return AcquirerResponse(outcome=opening.decided)
    plan = ports.acquirer.plan(opening.ask)
    if opening.due is not None:
        plan = on_its_day(plan, opening.due, opening.payment.created_at)
    if opening.risk_score is None:
        return plan
    return _with_score(plan, opening.risk_score)


def _with_score(plan: AcquirerResponse, score: int) -> AcquirerResponse:
    """The plan with the score of the gateway's own risk check, however the payment ends."""
    outcome, then, paid = (
        None if each is None else replace(each, risk_score=score)
        for each in (plan.outcome, plan.then, plan.paid)
    )
    assert outcome is not None, "a plan has an outcome"
    return replace(plan, outcome=outcome, then=then, paid=paid)


def _settle(
    ports: Ports,
    tree: tuple[Payment, Payment | None, Payment | None],
    outcome: Outcome,
    *,
    plan: AcquirerResponse | None = None,
    also: tuple[Any, ...] = (),
    removes: tuple[Any, ...] = (),
    agreement: Agreement | None = None,
) -> Payment:
    """Store what an answer leaves, in one unit: payments, books, registration, notices, due
    work.
    """
    now = ports.clock.now()
    before, parent, root = tree
    payment, *others = settle(before, parent, outcome, now=now, root=root)
    payment, made, changed = left_by(ports, payment, agreement)
    if made is not None:
        others.append(made)
    if plan is not None and plan.redirects and payment.state is State.PENDING:
        payment = replace(payment, redirect=_redirect(ports, payment))
    due = (awaited_of(payment, plan, now),) if payment.state is State.PENDING else ()
    events = prepare_payment_events(ports, payment, others, before=before.state, now=now)
    records = (payment, *others, *changed, *also, *due, *events)
    ports.store.commit(unit_of(*records, removes=removes))
    dispatch_events(ports, events)
    ports.meter.settled(payment.type, payment.state)
    if due or made is not None or outcome.returned is not None:
        ports.scheduler.wake()
    return payment


def _redirect(ports: Ports, payment: Payment) -> Redirect:
    """Where the shopper is sent, under the address of the host the payment came in by."""
    return redirect_of(
        payment,
        base=ports.addresses.base(payment.host),
        sandbox=ports.sandbox.id,
        token=ports.ids.hex(TOKEN_DIGITS),
    )


def _with_card(ports: Ports, opening: PaymentAttempt, parent: Payment | None) -> PaymentAttempt:
    """A rebill charges the card of the payment it refers to; the others name it by the original."""
    if opening.payment.type is not PaymentType.RB or parent is None or parent.sealed_card is None:
        return opening
    number = ports.vault.open(parent.id, parent.sealed_card.number)
    return replace(opening, ask=replace(opening.ask, number=number))
