"""Card payments of the test mode EXTERNAL: over the card link, reversed if no response arrives.

The attempt is durable before the request leaves. Without an answer a reversal is durable before it
leaves as well, and is sent until a response arrives, also after a restart. Source: Test modes.
Choices: D-184, D-188, D-671.
"""

from typing import NamedTuple, Protocol

from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.messages.card_responses import approves
from simulator.domain.acquiring.answers import plan_in
from simulator.domain.acquiring.fields import shown
from simulator.domain.acquiring.host_entries import (
    NO_LINE,
    NOT_SENDABLE,
    REPEATED_AFTER,
    REVERSED,
    UNANSWERED,
    LostRequest,
    bare_ask,
)
from simulator.domain.acquiring.messages import FORMS, message_of, reversal_of
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.acquiring.unmatched import UnmatchedAnswerError
from simulator.domain.core.currencies import number_of
from simulator.domain.core.errors import MessageNotSentError, NoResponseError
from simulator.domain.core.ports import (
    HasClock,
    HasSandbox,
    HasScheduler,
    HasStore,
    Unit,
    unit_of,
)
from simulator.domain.core.records import Payment
from simulator.domain.core.transact import transact
from simulator.domain.journal.card_messages import (
    create_card_request_entry,
    create_card_response_entry,
    create_unmatched_entry,
)
from simulator.domain.journal.exchanges import AcquirerExchange, record_acquirer_exchange
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.ports.journal import HasJournal
from simulator.domain.ports.simulators import HasCardLink
from simulator.domain.terminals.reading import ENTRY_MODE, terminal_data
from simulator.grammar.brands import CARD
from simulator.service.acquiring.issuing import settle_part

EXTERNAL = "EXTERNAL"


class CardHostPorts(
    HasCardLink, HasClock, HasJournal, HasSandbox, HasScheduler, HasStore, Protocol
):
    """What a payment by the card host needs."""


def is_sent_to_card_host(payment: Payment) -> bool:
    """Whether a payment is asked for over the card link: a card payment of the mode EXTERNAL."""
    if payment.test_mode != EXTERNAL or payment.brand is None:
        return False
    return BRANDS[payment.brand].account == CARD and payment.type in FORMS


class CardHostResponse(NamedTuple):
    """The response of the card host, or the gateway's own where none came. `exchange` is what the
    journal notes; None where it has noted the request already.
    """

    plan: AcquirerResponse
    exchange: AcquirerExchange | None


def authorize_at_card_host(
    ports: CardHostPorts, attempt: PaymentAttempt, *, journal_first: bool = False
) -> CardHostResponse:
    """Send the request of a stored attempt to the card host. The journal gets the request before
    there is a response where that takes time, and with `journal_first` always.
    """
    payment, request = attempt.payment, attempt.request
    currency = "" if request.money is None else number_of(request.money.currency)
    message = message_of(request, ports.sandbox.id, at=payment.created_at, currency=currency)

    def record_request() -> None:
        if recorded:
            return
        about = (payment.ndc, payment.id)
        ports.journal.append_entry(
            create_card_request_entry(about, message, ports.clock.now(), request.parameters)
        )
        recorded.append(True)

    recorded: list[bool] = []
    if journal_first:
        record_request()
    try:
        answer = ports.card_link.exchange(message, record_request)
        is_contactless = request.terminal is not None and request.terminal.is_contactless
        plan = plan_in(answer, is_contactless=is_contactless)
        if plan.outcome.approved is not None:
            plan = settle_part(ports.sandbox, attempt, plan)
            if plan.outcome.approved is None:
                _give_back_part(ports, payment)
    except MessageNotSentError as refused:
        plan = AcquirerResponse(outcome=NOT_SENDABLE if refused.is_too_long else NO_LINE)
    except NoResponseError as error:
        record_request()
        _record_unmatched(ports, (payment.ndc, payment.id), error)
        lost = lost_request(ports, payment)
        ports.store.commit_unflushed(unit_of(lost)).wait()
        ports.scheduler.wake()
        plan = AcquirerResponse(outcome=REVERSED if send_reversal(ports, lost) else UNANSWERED)
    if recorded:
        return CardHostResponse(plan, None)
    exchange = record_acquirer_exchange(payment, request, plan)
    exchange = replace(exchange, card=shown(message), sent=request.parameters)
    return CardHostResponse(plan, exchange)


def _give_back_part(ports: CardHostPorts, payment: Payment) -> None:
    """Reverse a part that the host approved and the gateway does not take. Choice: D-185."""
    part = lost_request(ports, payment)
    ports.store.commit_unflushed(unit_of(part)).wait()
    ports.scheduler.wake()
    send_reversal(ports, part)


def lost_request(
    ports: CardHostPorts, payment: Payment, *, found_at_start: bool = False
) -> LostRequest:
    """The request of an open payment without a response; its reversal is due after a while."""
    ask = bare_ask(payment)
    if ENTRY_MODE in payment.sent:
        ask = replace(ask, terminal=terminal_data(payment.sent))
    currency = "" if ask.money is None else number_of(ask.money.currency)
    message = message_of(ask, ports.sandbox.id, at=payment.created_at, currency=currency)
    now = ports.clock.now()
    return LostRequest(
        id=payment.id,
        ndc=payment.ndc,
        due=now if found_at_start else now + REPEATED_AFTER,
        message=reversal_of(message, ""),
        found_at_start=found_at_start,
    )


def send_reversal(ports: CardHostPorts, lost: LostRequest) -> bool:
    """Send the reversal of a request once; whether it was answered. Then it is no longer due."""
    message, about = {**lost.message, "t": lost.kind}, (lost.ndc, lost.id)
    ports.journal.append_entry(create_card_request_entry(about, message, ports.clock.now()))
    try:
        answer = ports.card_link.exchange(message)
    except (MessageNotSentError, NoResponseError) as error:
        _record_unmatched(ports, about, error)
        answer = {}
    is_answered = approves(answer.get("39", ""))
    if answer:
        ports.journal.append_entry(create_card_response_entry(about, answer, ports.clock.now()))
    _record_try(ports, lost.id, is_answered=is_answered)
    return is_answered


def send_due_reversal(ports: CardHostPorts, lost: LostRequest) -> None:
    """Send the reversal of a request again, beside other due work: it may wait for an answer."""

    def work() -> None:
        # The one before may have been answered while this one was looked for.
        if ports.store.get(LostRequest, lost.id) is not None:
            send_reversal(ports, lost)

    ports.scheduler.run_job(name_of_reversal(lost), work)


def _record_unmatched(ports: CardHostPorts, about: tuple[str, str], error: Exception) -> None:
    """Note the answers that came and could not be matched, of a payment with this ndc and id."""
    if isinstance(error, UnmatchedAnswerError):
        for each in error.unmatched:
            entry = create_unmatched_entry(about, each, ports.clock.now())
            ports.journal.append_entry(entry)


def _record_try(ports: CardHostPorts, identity: str, *, is_answered: bool) -> None:
    """Remove the request, or let its reversal be due again."""

    def change() -> None:
        lost = ports.store.get(LostRequest, identity)
        if lost is None:
            return
        later = replace(lost, tries=lost.tries + 1, due=ports.clock.now() + REPEATED_AFTER)
        ports.store.commit(Unit(removes=(lost,)) if is_answered else unit_of(later))

    transact(ports.store, change)


def name_of_reversal(lost: LostRequest) -> str:
    """The job that sends it."""
    return f"reversal {lost.id}"
