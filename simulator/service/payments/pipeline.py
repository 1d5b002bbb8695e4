"""The payment pipeline: every step of a payment, in the order in which they are taken.

answer what was sent before, decrypt wallet data, read what a terminal sent, resolve the account,
apply the agreement, check risk, authenticate the shopper, reserve, authorize at the acquirer, apply
the response, post ledger entries, enqueue webhook events. What does not apply is not called. The
last three are in `responses.py`: the one way in which a payment ends.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES, SCREENED_TYPES
from simulator.domain.accounts.bank_accounts import on_its_day
from simulator.domain.acquiring.host_entries import REVERSED
from simulator.domain.acquiring.requests import AcquirerResponse, with_score
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.parameters import normalised
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType
from simulator.domain.core.transact import transact
from simulator.domain.holding import Stop
from simulator.domain.journal.exchanges import create_request_entry, record_acquirer_exchange
from simulator.domain.payments.initial import DIRECT, PaymentAttempt, TransactionIds
from simulator.domain.payments.ledger import is_recorded_only
from simulator.domain.payments.references import decide_reference, refunded_by, refuse_crowd
from simulator.domain.payments.repeats import RepeatedTransactionError
from simulator.domain.payments.trees import referring_to
from simulator.domain.ports.simulators import (
    HasAcquirer,
    HasCardLink,
    HasDirectory,
    HasRisk,
    HasWallets,
)
from simulator.domain.ports.terminals import HasSecurityModule
from simulator.domain.recurring import is_in_series
from simulator.domain.terminals.reading import ENTRY_MODE, chip_data, terminal_data
from simulator.domain.wallets import UsedToken
from simulator.grammar.payment_types import PaymentEffect
from simulator.service.acquiring.card_host import (
    CardHostResponse,
    authorize_at_card_host,
    is_sent_to_card_host,
)
from simulator.service.acquiring.issuing import settle_part
from simulator.service.held import HeldPorts, held_at
from simulator.service.payments.checkout_attempts import end_left, join_checkout
from simulator.service.payments.contexts import find_visible
from simulator.service.payments.open_attempts import (
    declined_if_refused,
    ending_if_unapplied,
    store_open,
)
from simulator.service.payments.opening import open_payment
from simulator.service.payments.repeats import ACCEPT, mark_request, reserve_key
from simulator.service.payments.responses import (
    PaymentTree,
    ResponsePorts,
    answer_attempt,
    apply_response,
    note_acquirer_exchange,
)
from simulator.service.recurring import reserve_authorization
from simulator.service.risk import check_risk, counted_if_stored
from simulator.service.terminals.reading import TerminalReading, count_used_keys
from simulator.service.three_d_secure import authenticate_shopper
from simulator.service.wallets import refuse_used_token


class PipelinePorts(
    ResponsePorts,
    HasAcquirer,
    HasCardLink,
    HasDirectory,
    HasRisk,
    HasSecurityModule,
    HasWallets,
    HeldPorts,
    Protocol,
):
    """What the steps of a payment need, all together."""


def take_payment(
    context: ChannelContext[PipelinePorts],
    sent: Mapping[str, str],
    ticket: TransactionIds,
    origin: Origin = DIRECT,
    *,
    completed: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None,
) -> Payment:
    """Take an initial payment through all steps; the first one where the channel answers a repeated
    merchantTransactionId with it. `completed` adds what is stored of the account that pays. Raises
    Refusal, Violations.
    """
    try:
        with counted_if_stored(context, ticket.id):
            is_marked = context.channel.repeated_merchant_transaction_id != ACCEPT
            mark = mark_request(context, sent, origin) if is_marked else ""
            sent = sent if completed is None else completed(sent)
            return _take_new_payment(context, sent, ticket, origin, mark=mark)
    except RepeatedTransactionError as repeated:
        context.ports.store.wait_durable()
        return repeated.payment


def _take_new_payment(
    context: ChannelContext[PipelinePorts],
    sent: Mapping[str, str],
    ticket: TransactionIds,
    origin: Origin,
    *,
    mark: str,
) -> Payment:
    attempt, sent, token, reading = open_payment(context, sent, ticket, origin)
    if mark:
        attempt = replace(attempt, mark=mark)
    is_screened = _is_screened(context, attempt.payment)
    is_alone = attempt.payment.type is PaymentType.TD
    is_secured = is_alone or bool(context.channel.three_d_secure)
    if is_screened or is_secured:
        # What cannot be reserved is refused before the risk system or the issuer is asked.
        _decide_reservation(context, attempt, origin=origin, token=token, reading=reading)
    if is_screened:
        attempt = check_risk(context, attempt, sent)
    if is_secured:
        attempt = authenticate_shopper(context, attempt, sent)
    return run_attempt(
        context.ports,
        lambda: _decide_reservation(context, attempt, origin=origin, token=token, reading=reading),
    )


def refer_payment(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    origin: Origin = DIRECT,
) -> Payment:
    """Take a payment that refers to the one with the id `identity`. Raises Refusal,
    UnknownReferenceError.
    """
    return run_attempt(
        context.ports, lambda: open_reference(context, identity, sent, ticket, origin=origin)
    )


def open_reference(
    context: ChannelContext[PipelinePorts],
    identity: str,
    sent: Mapping[str, str],
    ticket: TransactionIds,
    *,
    origin: Origin = DIRECT,
) -> PaymentAttempt:
    """The attempt of such a payment, by the records as they are now. Raises as `refer_payment`."""
    sent = normalised(sent)
    parent = _payer_of(context, find_visible(context, Payment, identity), sent)
    root = None
    if parent is not None and parent.dispute is not None:
        root = find_visible(context, Payment, parent.dispute.payment)
    attempt = decide_reference(
        parent, sent, context=context, ticket=ticket, root=root, origin=origin
    )
    if parent is not None and origin.source is not PaymentSource.SYSTEM:
        refuse_crowd(context.ports.store.count_found(Payment, "referenced", parent.id))
    if ENTRY_MODE in sent:
        terminal = terminal_data(sent, chip=chip_data(sent))
        attempt = replace(attempt, request=replace(attempt.request, terminal=terminal))
    if attempt.payment.type is PaymentType.RB and parent is not None:
        return _with_card_of(parent, context.ports, attempt)
    return attempt


def run_attempt(ports: PipelinePorts, decide: Callable[[], PaymentAttempt]) -> Payment:
    """Reserve, authorize, apply the response; `decide` is called again whenever a record that it
    read has changed meanwhile, so it reads every record that it changes itself.
    """
    with ports.in_flight:
        return transact(ports.store, lambda: _authorize(ports, decide()))


def resume_payment(
    ports: PipelinePorts, attempt: PaymentAttempt, *also: Any, removes: tuple[Any, ...] = ()
) -> Payment:
    """Authorize a pending payment whose shopper is authenticated by now, and apply the response.

    `removes` is what it waited for, `also` what changes with it. Raises ConflictError before
    anything is sent to the acquirer.
    """
    payment = attempt.payment
    if Stop.ACQUIRER in ports.holds.stops:
        store_open(ports, payment, *also, removes=removes)
        return _authorize_when_let_go(ports, attempt)
    if is_sent_to_card_host(payment):
        store_open(ports, payment, *also, removes=removes)
        with ending_if_unapplied(ports, payment):
            response, _ = authorize_at_card_host(ports, attempt, journal_first=True)
            response = with_score(response, attempt.risk_score)
            return answer_attempt(ports, payment, response)
    response = _late_response_to(ports, attempt)
    store_open(ports, payment, *also, *response.scripts, *response.books, removes=removes)
    return _answer_late(ports, attempt, response)


def _payer_of(
    context: ChannelContext[PipelinePorts], parent: Payment | None, sent: Mapping[str, str]
) -> Payment | None:
    """What a request refers to: `parent`, or for a refund what the money of `parent` is in."""
    ports = context.ports
    if parent is None or PAYMENT_TYPES[sent["paymentType"]].effect is not PaymentEffect.REFUND:
        return parent
    if PAYMENT_TYPES[parent.type].effect is PaymentEffect.RECEIPT:
        about = ports.store.get(Payment, parent.referenced or "")
        assert about is not None, "a receipt is of a payment"
        return about if is_recorded_only(parent.type, about.type) else parent
    if parent.type is not PaymentType.PA or ports.choices["refund_authorization"] == "refuse":
        return parent
    return refunded_by(parent, referring_to(ports, parent), sent)


def _is_screened(context: ChannelContext[PipelinePorts], payment: Payment) -> bool:
    """Whether the risk system is asked: it is set up, scripted, held, or what the payment is
    about.
    """
    if payment.type not in SCREENED_TYPES:
        return False
    channel = context.channel
    return bool(
        channel.risk
        or channel.screening
        or payment.type is PaymentType.RI
        or context.ports.risk.is_scripted
        or Stop.RISK in context.ports.holds.stops
    )


def _decide_reservation(
    context: ChannelContext[PipelinePorts],
    attempt: PaymentAttempt,
    *,
    origin: Origin,
    token: UsedToken | None,
    reading: TerminalReading | None,
) -> PaymentAttempt:
    """The attempt with what it reserves: its key, wallet token, the keys of a terminal, an
    authorization, its checkout.
    """
    if context.channel.repeated_merchant_transaction_id != "accept":
        attempt = reserve_key(context, attempt)
    if token is not None:
        attempt = refuse_used_token(context.ports, attempt, token)
    if reading is not None:
        attempt = count_used_keys(context.ports, attempt, reading.used)
    if is_in_series(attempt.payment.sent):
        attempt = reserve_authorization(context, attempt, origin)
    if origin.checkout is not None:
        attempt = join_checkout(context.ports, attempt, origin)
    return attempt


def _authorize(ports: PipelinePorts, attempt: PaymentAttempt) -> Payment:
    """Where the acquirer responds at once, reserving and applying the response are one commit."""
    if attempt.decided is None and Stop.ACQUIRER in ports.holds.stops:
        if not is_sent_to_card_host(attempt.payment):
            # What cannot be sent is refused before it is stored. Choice: D-682.
            _response_to(ports, attempt)
        _reserve(ports, attempt)
        return _authorize_when_let_go(ports, attempt)
    if attempt.decided is None and is_sent_to_card_host(attempt.payment):
        return _authorize_external(ports, attempt)
    response = _response_to(ports, attempt)
    also = (*response.scripts, *response.books, *attempt.records)
    if response.delay:
        _reserve(ports, attempt, *response.scripts, *response.books)
        return _answer_late(ports, attempt, response)
    end_left(ports, attempt)
    applied = apply_response(ports, _tree_of(attempt), response, also=also)
    if attempt.decided is None:
        exchange = record_acquirer_exchange(attempt.payment, attempt.request, response)
        note_acquirer_exchange(ports, attempt.payment, exchange)
    return applied


def _authorize_external(ports: PipelinePorts, attempt: PaymentAttempt) -> Payment:
    """The attempt is durable before its request leaves. Choice: D-671."""
    _reserve(ports, attempt)
    with ending_if_unapplied(ports, attempt.payment):
        answer = authorize_at_card_host(ports, attempt)
        answer = answer._replace(plan=with_score(answer.plan, attempt.risk_score))
        return _apply_answer(ports, attempt, answer)


def _apply_answer(
    ports: PipelinePorts, attempt: PaymentAttempt, answer: CardHostResponse
) -> Payment:
    response, exchange = answer
    if exchange is not None:
        parent = None if attempt.parent is None else _stored(attempt.parent)
        try:
            applied = apply_response(ports, PaymentTree(_stored(attempt.payment), parent), response)
        except ConflictError:
            return answer_attempt(ports, attempt.payment, response)
        with_outcome = replace(exchange, outcome=response.outcome)
        note_acquirer_exchange(ports, attempt.payment, with_outcome)
        return applied
    return answer_attempt(ports, attempt.payment, response)


def _authorize_when_let_go(ports: PipelinePorts, attempt: PaymentAttempt) -> Payment:
    """The payment of a stored attempt whose request is held on its way to the acquirer."""
    payment, money = attempt.payment, attempt.payment.money
    label = payment.type if money is None else f"{payment.type} {money}"
    held = held_at(ports, Stop.ACQUIRER, payment, label)
    with ending_if_unapplied(ports, payment), held as let:
        if let.is_dropped:
            response = with_score(AcquirerResponse(outcome=REVERSED), attempt.risk_score)
            _wait_for(ports, attempt, response)
        elif is_sent_to_card_host(payment):
            response, _ = authorize_at_card_host(ports, attempt, journal_first=True)
            response = with_score(response, attempt.risk_score)
        else:
            response = transact(ports.store, lambda: _counted_response_to(ports, attempt))
            _wait_for(ports, attempt, response)
        return answer_attempt(ports, payment, response)


def _counted_response_to(ports: PipelinePorts, attempt: PaymentAttempt) -> AcquirerResponse:
    """How the acquirer responds, its scripts and books stored. Raises ConflictError."""
    response = _late_response_to(ports, attempt)
    ports.store.commit(unit_of(*response.scripts, *response.books))
    return response


def _reserve(ports: PipelinePorts, attempt: PaymentAttempt, *also: Any) -> None:
    """Store the open attempt, with the amount or authorization that it reserves: durably, also
    while the clock is advanced and commits share their writes.
    """
    end_left(ports, attempt)
    parent = () if attempt.parent is None else (attempt.parent,)
    store_open(ports, attempt.payment, *parent, *attempt.agreements, *also, *attempt.records)
    if attempt.records:
        ports.scheduler.wake()


def _answer_late(
    ports: PipelinePorts, attempt: PaymentAttempt, response: AcquirerResponse
) -> Payment:
    """The payment of a stored attempt once its response was waited for."""
    with ending_if_unapplied(ports, attempt.payment):
        _wait_for(ports, attempt, response)
        return answer_attempt(ports, attempt.payment, response)


def _wait_for(ports: PipelinePorts, attempt: PaymentAttempt, response: AcquirerResponse) -> None:
    ports.journal.append_entry(create_request_entry(attempt.payment, attempt.request, response))
    ports.clock.wait(response.delay)


def _response_to(ports: PipelinePorts, attempt: PaymentAttempt) -> AcquirerResponse:
    """How the acquirer responds; it is not asked where the gateway itself has decided."""
    if attempt.decided is not None:
        return AcquirerResponse(outcome=attempt.decided)
    response = ports.acquirer.plan(attempt.request)
    if response.outcome.approved is not None:
        response = settle_part(ports.sandbox, attempt, response)
    if attempt.due is not None:
        response = on_its_day(response, attempt.due, attempt.payment.created_at)
    return response if attempt.risk_score is None else with_score(response, attempt.risk_score)


def _late_response_to(ports: PipelinePorts, attempt: PaymentAttempt) -> AcquirerResponse:
    return declined_if_refused(lambda: _response_to(ports, attempt), attempt.risk_score)


def _tree_of(attempt: PaymentAttempt) -> PaymentTree:
    return PaymentTree(attempt.payment, attempt.parent, attempt.root, attempt.agreements)


def _stored(payment: Payment) -> Payment:
    """A payment as it is after it was stored once more."""
    return replace(payment, version=payment.version + 1)


def _with_card_of(parent: Payment, ports: PipelinePorts, attempt: PaymentAttempt) -> PaymentAttempt:
    """The attempt of a rebill, which charges the card of the payment it refers to."""
    if parent.sealed_card is None:
        return attempt
    number = ports.vault.open(parent.id, parent.sealed_card.number)
    return replace(attempt, request=replace(attempt.request, number=number))
