"""Applying the acquirer's response: the one way in which a payment ends, now or later.

An immediate response, a delayed one, one by the card link, a release by hand or by the clock, the
redirect page, an authentication, a start that finds an attempt open: all of them end here.
"""

from datetime import datetime
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.chargebacks import Return
from simulator.domain.core.errors import ContentionError, Refusal, UnappliedResponseError
from simulator.domain.core.ports import (
    HasAddresses,
    HasChoices,
    HasClock,
    HasIds,
    HasInFlight,
    HasMeter,
    HasSandbox,
    HasScheduler,
    HasStore,
    HasVault,
    unit_of,
)
from simulator.domain.core.records import Attempt, Payment, PaymentSource, Redirect, State
from simulator.domain.core.transact import transact
from simulator.domain.journal.entries import create_late_response_entry
from simulator.domain.journal.exchanges import AcquirerExchange
from simulator.domain.payments.pending import Awaited, awaited_of
from simulator.domain.payments.redirects import TOKEN_DIGITS, redirect_of
from simulator.domain.payments.responses import apply_outcome, needs_completion
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.webhooks import HasDispatcher
from simulator.domain.recurring import Agreement
from simulator.domain.schedules.schedules import Execution
from simulator.service.acquiring.pending import NOT_AWAITED, end_at_acquirer
from simulator.service.payments.completions import Completion, complete_payment
from simulator.service.webhooks.deliveries import dispatch_events
from simulator.service.webhooks.events import EventRecords, prepare_payment_events


class ResponsePorts(
    HasAddresses,
    HasChoices,
    HasClock,
    HasDispatcher,
    HasIds,
    HasInFlight,
    HasJournal,
    HasMeter,
    HasSandbox,
    HasScheduler,
    HasStore,
    HasVault,
    Protocol,
):
    """What applying a response needs."""


class PaymentTree(NamedTuple):
    """A payment whose response is applied, the one it refers to, the one that a dispute is about
    where that is another, and the agreement and series that it reserved an authorization of.
    """

    payment: Payment
    parent: Payment | None = None
    root: Payment | None = None
    agreements: tuple[Agreement, ...] = ()


def apply_response(
    ports: ResponsePorts,
    tree: PaymentTree,
    response: AcquirerResponse,
    *,
    also: tuple[Any, ...] = (),
    awaited: Awaited | None = None,
) -> Payment:
    """Store what a response changes, in one unit: payments with their ledger accounts, a
    registration, webhook events, due work, and the end of what was `awaited`, at the acquirer and
    for the schedule that it is of. A settlement of the time before waits for it. Raises
    ConflictError, Refusal.
    """
    with ports.in_flight.storing():
        return _store_response(ports, tree, response, also=also, awaited=awaited)


def _store_response(
    ports: ResponsePorts,
    tree: PaymentTree,
    response: AcquirerResponse,
    *,
    also: tuple[Any, ...],
    awaited: Awaited | None,
) -> Payment:
    now, outcome, before = ports.clock.now(), response.outcome, tree.payment.state
    payment: Payment
    payment, *others = apply_outcome(tree.payment, tree.parent, outcome, now=now, root=tree.root)
    completion = Completion(payment)
    if tree.agreements or needs_completion(payment):
        completion = complete_payment(ports, payment, tree.agreements)
        payment = completion.payment
    if completion.made is not None:
        others.append(completion.made)
    if response.redirects and payment.state is State.PENDING:
        payment = replace(payment, redirect=_redirect(ports, payment))
    due = _awaited_after(payment, response, now, before=awaited)
    events: EventRecords = ()
    if before is State.PENDING or ports.dispatcher.endpoints:
        events = prepare_payment_events(ports, payment, others, before=before, now=now)
    ended, executions = NOT_AWAITED, tuple[Execution, ...]()
    if awaited is not None and not due:
        ended = end_at_acquirer(ports, awaited, outcome, now)
        executions = _executions_of(ports, payment, min(now, awaited.due))
    made_due = (*due, *executions)
    records = (payment, *others, *completion.others, *also, *made_due, *events, *ended.changed)
    ports.store.commit(unit_of(*records, removes=ended.removed))
    if events:
        dispatch_events(ports, events)
    ports.meter.settled(payment.type, payment.state)
    is_due = made_due or completion.made is not None or outcome.returned is not None
    if is_due or _is_waited_for(ports, tree):
        ports.scheduler.wake()
    return payment


def _awaited_after(
    payment: Payment, response: AcquirerResponse, now: datetime, *, before: Awaited | None
) -> tuple[Awaited, ...]:
    """What a payment waits for that is pending, in place of what it waited for `before`."""
    if payment.state is not State.PENDING:
        return ()
    version = 0 if before is None else before.version
    return (replace(awaited_of(payment, response, now), version=version),)


def _executions_of(
    ports: ResponsePorts, payment: Payment, ended_at: datetime
) -> tuple[Execution, ...]:
    """The execution of a schedule that waits for the end of its payment, due now. Choice: D-161."""
    if payment.schedule is None:
        return ()
    found = ports.store.find(Execution, "payment", payment.id)
    return tuple(replace(each, due=ended_at) for each in found)


def answer_attempt(ports: ResponsePorts, payment: Payment, response: AcquirerResponse) -> Payment:
    """The stored payment after the response to the attempt that `payment` has open. Raises what
    `apply_late_response` raises.
    """
    return apply_late_response(ports, payment.id, response, to=payment.attempt)


def apply_late_response(
    ports: ResponsePorts,
    identity: str,
    response: AcquirerResponse,
    *,
    to: Attempt | Awaited | None,
) -> Payment:
    """Apply a response to a stored payment, which is open or pending.

    `to` is what it answers: the attempt under way, or what the payment waited for, which is over
    now. So an attempt under way is ended by its own response alone. Raises Refusal if the payment
    is final already or waits for something else, UnappliedResponseError where other changes came
    first at every try.
    """

    def change() -> Payment:
        payment = ports.store.get(Payment, identity)
        assert payment is not None, "a payment is stored before its response is late"
        awaited = None if payment.attempt else ports.store.get(Awaited, identity)
        if to is None or to != (payment.attempt or awaited):
            raise Refusal("700.400.000", "the payment waits for something else, or for nothing")
        parent = None
        if payment.referenced is not None:
            parent = ports.store.get(Payment, payment.referenced)
        scored = _with_score_of(payment, response)
        return apply_response(ports, PaymentTree(payment, parent), scored, awaited=awaited)

    try:
        applied = transact(ports.store, change)
    except ContentionError as error:
        raise UnappliedResponseError(identity) from error
    ports.journal.append_entry(create_late_response_entry(applied, ports.clock.now()))
    return applied


def _is_waited_for(ports: ResponsePorts, tree: PaymentTree) -> bool:
    """Whether the bank's return of what it refers to may have waited for its end (D-149)."""
    parent = tree.parent
    return parent is not None and ports.store.get(Return, parent.id) is not None


def _with_score_of(payment: Payment, response: AcquirerResponse) -> AcquirerResponse:
    """The response with the score of the payment's risk check. Source: RISK-05."""
    score = None if payment.outcome is None else payment.outcome.risk_score
    if score is None or response.outcome.risk_score is not None:
        return response
    return replace(response, outcome=replace(response.outcome, risk_score=score))


def _redirect(ports: ResponsePorts, payment: Payment) -> Redirect:
    """Where the shopper is sent, under the address of the host the payment came in by."""
    return redirect_of(
        payment,
        base=ports.addresses.base(payment.host),
        sandbox=ports.sandbox.id,
        token=ports.ids.hex(TOKEN_DIGITS),
    )


def note_acquirer_exchange(ports: HasJournal, payment: Payment, exchange: AcquirerExchange) -> None:
    """Note what was said to the acquirer: with the exchange of the merchant, which ends soon; at
    once where no merchant has sent the payment.
    """
    if payment.source is PaymentSource.OPP:
        ports.journal.hold_acquirer_exchange(exchange)
    else:
        ports.journal.append_entry(exchange.to_entry())
