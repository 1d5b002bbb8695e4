"""3-D Secure 2 with the shopper: the method, the challenge, its result, and the way on.

The acquirer is asked once RReq and CRes have both arrived and agree. Results,
browsers and the clock may come at once: the first to commit wins, the others find the payment
settled. Source: 3D Secure. Choices: D-194, D-195, D-197.
"""

from collections.abc import Mapping
from contextlib import suppress
from enum import Enum
from typing import Any

from msgspec.structs import replace

from simulator.catalogue.messages.three_d_secure_outcomes import STAYED_AWAY, WRONG_DATA, Ended
from simulator.derive.schemas.three_d_secure import Wrong
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.errors import ConflictError, Refusal, UnknownReferenceError
from simulator.domain.core.ports import ChannelContext, Ports, unit_of
from simulator.domain.core.records import Attempt, Outcome, Payment, PaymentType, State
from simulator.domain.core.transact import transact
from simulator.domain.journal.entries import Party
from simulator.domain.payments.initial import PaymentAttempt, request_for
from simulator.domain.payments.pending import Awaited, waiting_for
from simulator.domain.payments.transitions import PendingStep, Waiting, allows_step
from simulator.domain.three_d_secure.authentications import (
    FLOW,
    Authentication,
    AuthenticationStage,
    agree,
    end_in,
    is_method_of,
    is_out_of_time,
    judged_results,
    judged_return,
    onward_of,
    outcome_of,
    shown_of,
)
from simulator.domain.three_d_secure.messages import rres_of
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import resume_payment
from simulator.service.payments.responses import apply_late_response
from simulator.service.three_d_secure.authentication import (
    begin_challenge,
    message_entry,
    send_areq,
)

Document = Mapping[str, Any]


class UnknownChallengePageError(Exception):
    """No page of an authentication has this address, or it is not for this one."""


class NextPage(Enum):
    """What a shopper who comes to the page does next: the challenge, or back to the shop."""

    CHALLENGE = "challenge"
    BACK = "back"


def handle_method_completion(ports: Ports, payment: Payment, data: str) -> None:
    """The issuer's method was called. Raises UnknownChallengePageError where it was that of
    another payment.
    """
    authentication = _authentication(ports, payment)
    if not is_method_of(data, authentication):
        raise UnknownChallengePageError("the method of another authentication")
    if authentication.stage is AuthenticationStage.METHOD and not authentication.is_method_done:
        with suppress(ConflictError):
            ports.store.commit(unit_of(replace(authentication, is_method_done=True)))


def open_challenge(
    context: ChannelContext, payment: Payment
) -> tuple[Payment, Authentication, NextPage]:
    """The payment whose shopper opened its page, as it stands now, and what comes next."""
    ports = context.ports
    with ports.in_flight:
        return transact(ports.store, lambda: _take_next_step(context, payment))


def _take_next_step(
    context: ChannelContext, payment: Payment
) -> tuple[Payment, Authentication, NextPage]:
    """Send the AReq if it waits for the method. Raises ConflictError."""
    ports = context.ports
    payment = _now(ports, payment)
    authentication = _authentication(ports, payment)
    waiting = waiting_for(payment, authentication)
    if waiting in (Waiting.CHALLENGE, Waiting.RESULT):
        return payment, authentication, NextPage.CHALLENGE
    if not allows_step(waiting, PendingStep.CHALLENGE_REQUIRED):
        return _durable(ports, payment), authentication, NextPage.BACK
    _send_areq(context, payment, authentication)
    return _take_next_step(context, payment)


def handle_rreq(ports: Ports, payment: Payment, body: bytes, secret: str) -> Document | Wrong:
    """The RRes to an RReq, or what is wrong with it: then nothing has changed."""
    with ports.in_flight:
        return transact(ports.store, lambda: _apply_rreq(ports, _now(ports, payment), body, secret))


def _apply_rreq(ports: Ports, payment: Payment, body: bytes, secret: str) -> Document | Wrong:
    """Raises ConflictError."""
    known = None
    if payment.state is State.PENDING:
        known = ports.store.get(Authentication, payment.id)
    document = judged_results(body, secret, known)
    if isinstance(document, Wrong):
        return document
    assert known is not None, "a judged result is about an authentication"
    ended = end_in(document)
    code = "" if ended is None else outcome_of(payment, ended).code
    after = replace(
        known,
        stage=AuthenticationStage.ANSWERED,
        answered=document["transStatus"],
        code=code,
        due=None,
    )
    shown = {**payment.shown, **shown_of(document, is_challenge=True)}
    ports.store.commit(unit_of(replace(payment, shown=shown), after))
    ports.journal.append_entry(message_entry(payment, Party.DIRECTORY_SERVER, document, ports))
    if is_out_of_time(document):
        _finish_authentication(ports, payment.id, ended)
    elif after.returned:
        _compare_results(ports, payment.id, after)
    return rres_of(document)


def expire_challenge(ports: Ports, authentication: Authentication) -> None:
    """End a challenge whose time is over: neither a result came nor the browser back."""

    def change() -> bool:
        known = ports.store.get(Authentication, authentication.id)
        payment = ports.store.get(Payment, authentication.id)
        if known is None or payment is None or known.due is None:
            return False
        is_open = allows_step(waiting_for(payment, known), PendingStep.TIME_OUT)
        after = replace(known, due=None)
        if is_open:
            code = outcome_of(payment, STAYED_AWAY).code
            after = replace(after, stage=AuthenticationStage.ANSWERED, answered="N", code=code)
        ports.store.commit(unit_of(after))
        return is_open

    if transact(ports.store, change):
        _finish_authentication(ports, authentication.id, STAYED_AWAY)


def handle_cres(ports: Ports, payment: Payment, text: str) -> Payment:
    """The browser came back from the challenge. Raises UnknownChallengePageError for another
    authentication.
    """
    with ports.in_flight:
        transact(ports.store, lambda: _apply_cres(ports, _now(ports, payment), text))
        return _durable(ports, payment)


def _apply_cres(ports: Ports, payment: Payment, text: str) -> None:
    """Raises ConflictError."""
    authentication = _authentication(ports, payment)
    brought = judged_return(text, authentication)
    if brought is None:
        raise UnknownChallengePageError("a challenge of another authentication")
    if not allows_step(waiting_for(payment, authentication), PendingStep.BROWSER_RETURNED):
        return
    if isinstance(brought, Ended):
        _finish_authentication(ports, payment.id, brought)
        return
    after = replace(authentication, returned=authentication.returned or brought, due=None)
    ports.store.commit(unit_of(after))
    if after.stage is AuthenticationStage.ANSWERED:
        _compare_results(ports, payment.id, after)


def _send_areq(context: ChannelContext, payment: Payment, authentication: Authentication) -> None:
    """Send the AReq that waited for the method. Raises ConflictError."""
    ports = context.ports
    assert payment.sealed_card is not None, "only a payment by card is authenticated"
    number = ports.vault.open(payment.id, payment.sealed_card.number)
    came = send_areq(context, payment, authentication, number)
    payment = replace(payment, shown={**payment.shown, **came.shown})
    after = begin_challenge(authentication, came, ports.clock.now())
    if came.acs_url:
        ports.store.commit(unit_of(payment, after))
        ports.scheduler.wake()
        return
    code = "" if came.ended is None else outcome_of(payment, came.ended).code
    after = replace(after, stage=AuthenticationStage.ANSWERED, code=code, due=None)
    ports.store.commit(unit_of(payment, after))
    _finish_authentication(ports, payment.id, came.ended)


def _compare_results(ports: Ports, identity: str, authentication: Authentication) -> None:
    """Both the result and the browser are there: they must say the same. Choice: D-197."""
    if not agree(authentication):
        _finish_authentication(ports, identity, WRONG_DATA)
    elif authentication.code:
        _finish_authentication(ports, identity, Ended(authentication.code, authentication.code))
    else:
        _finish_authentication(ports, identity, None)


def _finish_authentication(ports: Ports, identity: str, ended: Ended | None) -> None:
    """End the payment, or send it to the acquirer; the second call changes nothing."""

    def change() -> None:
        payment = ports.store.get(Payment, identity)
        assert payment is not None, "payments are never removed"
        awaited = ports.store.get(Awaited, identity)
        waiting = waiting_for(payment, _authentication(ports, payment))
        if waiting in (None, Waiting.ACQUIRER) or awaited is None:
            return
        if ended is not None or payment.type is PaymentType.TD:
            is_challenge = payment.shown.get(FLOW) == "challenge"
            outcome = outcome_of(payment, ended, is_challenge=is_challenge)
            response = AcquirerResponse(outcome=_scored(outcome, payment))
            with suppress(Refusal):
                apply_late_response(ports, identity, response, removes=(awaited,))
            return
        resume_payment(ports, _resumed_attempt(ports, payment), removes=(awaited,))

    transact(ports.store, change)


def _resumed_attempt(ports: Ports, payment: Payment) -> PaymentAttempt:
    """The attempt that the acquirer is asked for after the challenge: without the code of the card,
    which is stored nowhere (Choice: D-42).
    """
    assert payment.sealed_card is not None, "only a payment by card is authenticated"
    attempt = Attempt(trace=ports.ids.trace(), at=ports.clock.now())
    number = ports.vault.open(payment.id, payment.sealed_card.number)
    payment = replace(payment, attempt=attempt)
    request = request_for(payment, {**payment.sent, **onward_of(payment)}, number)
    score = None if payment.outcome is None else payment.outcome.risk_score
    return PaymentAttempt(payment=payment, request=request, risk_score=score)


def _scored(outcome: Outcome, payment: Payment) -> Outcome:
    score = None if payment.outcome is None else payment.outcome.risk_score
    return replace(outcome, risk_score=score)


def _authentication(ports: Ports, payment: Payment) -> Authentication:
    found = ports.store.get(Authentication, payment.id)
    if found is None:
        raise UnknownChallengePageError("the payment was not authenticated with the shopper")
    return found


def _now(ports: Ports, payment: Payment) -> Payment:
    return ports.store.get(Payment, payment.id) or payment


def _durable(ports: Ports, payment: Payment) -> Payment:
    """The payment as it stands, once a power cut can no longer undo it (D-36)."""
    now = _now(ports, payment)
    ports.store.wait_durable()
    return now


def read_authentication(context: ChannelContext, identity: str) -> Payment:
    """The authentication alone with the id `identity`. Raises UnknownReferenceError."""
    found = read_payment(context, identity)
    if found.type is not PaymentType.TD:
        raise UnknownReferenceError("700.400.580", "no authentication has the id in the path")
    return found
