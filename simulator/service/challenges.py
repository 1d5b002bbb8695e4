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
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import ConflictError, Refusal, UnknownReferenceError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Attempt, Payment, PaymentType, State
from simulator.domain.core.transact import transact
from simulator.domain.journal.entries import Party
from simulator.domain.payments.initial import PaymentAttempt, request_for
from simulator.domain.payments.pending import Awaited, waiting_for
from simulator.domain.payments.transitions import PendingStep, Waiting, allows_step
from simulator.domain.three_d_secure.authentications import (
    AREQ_MAX,
    FLOW,
    Authentication,
    AuthenticationResult,
    AuthenticationStage,
    agree,
    end_in,
    is_method_of,
    is_out_of_time,
    judged_results,
    judged_return,
    onward_of,
    outcome_of,
    shown_after,
)
from simulator.domain.three_d_secure.browsers import lacks_browser
from simulator.domain.three_d_secure.messages import rres_of
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import PipelinePorts, resume_payment
from simulator.service.payments.responses import apply_late_response
from simulator.service.three_d_secure import (
    begin_challenge,
    message_entry,
    send_areq,
)

Document = Mapping[str, Any]
# So long a browser waits for the AReq of another one.
AREQ_WAIT_S = 10.0


class UnknownChallengePageError(Exception):
    """No page of an authentication has this address, or it is not for this one."""


class NextPage(Enum):
    """What a shopper who comes to the page does next: the challenge, or back to the shop."""

    CHALLENGE = "challenge"
    BACK = "back"


def handle_method_completion(ports: PipelinePorts, payment: Payment, data: str) -> None:
    """The issuer's method was called. Raises UnknownChallengePageError where it was that of
    another payment.
    """

    def change() -> None:
        authentication = _authentication(ports, payment.id)
        if not is_method_of(data, authentication):
            raise UnknownChallengePageError("the method of another authentication")
        if authentication.stage is AuthenticationStage.METHOD and not authentication.is_method_done:
            ports.store.commit(unit_of(replace(authentication, is_method_done=True)))

    transact(ports.store, change)


def needs_browser(ports: PipelinePorts, identity: str) -> bool:
    """Whether the page has to collect browser data before the AReq can be written."""
    payment, known = _stored(ports, identity), _authentication(ports, identity)
    is_early = waiting_for(payment, known) is Waiting.METHOD
    return is_early and not known.browser and lacks_browser(payment.sent)


def record_browser(ports: PipelinePorts, payment: Payment, browser: Mapping[str, str]) -> None:
    """Store the browser data that the page collected, the first time. Choice: D-283."""

    def change() -> None:
        if needs_browser(ports, payment.id):
            known = _authentication(ports, payment.id)
            ports.store.commit(unit_of(replace(known, browser=browser)))

    transact(ports.store, change)


def open_challenge(
    context: ChannelContext[PipelinePorts], payment: Payment
) -> tuple[Payment, Authentication, NextPage]:
    """The payment whose shopper opened its page, as it stands now, and what comes next. Raises
    CrowdedSandboxError.
    """
    ports = context.ports
    ports.in_flight.admit()
    with ports.in_flight:
        # Another browser may be about it: this one goes on as soon as that one has the ARes.
        with ports.in_flight.alone(f"AReq of {payment.id}", AREQ_WAIT_S):
            claimed = transact(ports.store, lambda: _claim_areq(ports, payment.id))
            if claimed is not None:
                _send_areq(context, *claimed)
        payment, authentication = _stored(ports, payment.id), _authentication(ports, payment.id)
        if waiting_for(payment, authentication) in (Waiting.CHALLENGE, Waiting.RESULT):
            return payment, authentication, NextPage.CHALLENGE
        return _durable(ports, payment), authentication, NextPage.BACK


def _claim_areq(ports: PipelinePorts, identity: str) -> tuple[Payment, Authentication] | None:
    """The payment whose AReq waited for the method, now claimed by this browser; None where it was
    sent before. Raises ConflictError while another browser holds the claim. Choice: D-307.
    """
    payment = _stored(ports, identity)
    authentication = _authentication(ports, payment.id)
    if not allows_step(waiting_for(payment, authentication), PendingStep.CHALLENGE_REQUIRED):
        return None
    if authentication.due is not None:
        raise ConflictError(f"{identity}: its AReq is under way")
    claimed = replace(authentication, due=ports.clock.now() + AREQ_MAX)
    ports.store.commit(unit_of(claimed))
    ports.scheduler.wake()
    return payment, claimed


def handle_rreq(
    ports: PipelinePorts, payment: Payment, body: bytes, secret: str
) -> Document | Wrong:
    """The RRes to an RReq, or what is wrong with it: then nothing has changed."""
    with ports.in_flight:
        return transact(
            ports.store, lambda: _apply_rreq(ports, _stored(ports, payment.id), body, secret)
        )


def _apply_rreq(
    ports: PipelinePorts, payment: Payment, body: bytes, secret: str
) -> Document | Wrong:
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
    shown = shown_after(payment, document)
    ports.store.commit(unit_of(replace(payment, shown=shown), after))
    ports.journal.append_entry(message_entry(payment, Party.DIRECTORY_SERVER, document, ports))
    if is_out_of_time(document):
        _finish_authentication(ports, payment.id, ended)
    elif after.returned:
        _compare_results(ports, payment.id, after)
    return rres_of(document)


def expire_challenge(ports: PipelinePorts, authentication: Authentication) -> None:
    """End a challenge whose time is over: neither a result came nor the browser back. An AReq that
    never came to anything may be sent again.
    """

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


def handle_cres(ports: PipelinePorts, payment: Payment, text: str) -> Payment:
    """The browser came back from the challenge. Raises UnknownChallengePageError for another
    authentication, CrowdedSandboxError.
    """
    ports.in_flight.admit()
    with ports.in_flight:
        transact(ports.store, lambda: _apply_cres(ports, _stored(ports, payment.id), text))
        return _durable(ports, payment)


def _apply_cres(ports: PipelinePorts, payment: Payment, text: str) -> None:
    """Raises ConflictError."""
    authentication = _authentication(ports, payment.id)
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


def _send_areq(
    context: ChannelContext[PipelinePorts], payment: Payment, authentication: Authentication
) -> None:
    """Send the AReq that waited for the method, once, and apply what it came to."""
    ports = context.ports
    assert payment.sealed_card is not None, "only a payment by card is authenticated"
    number = ports.vault.open(payment.id, payment.sealed_card.number)
    came = send_areq(context, payment, authentication, number)
    if transact(ports.store, lambda: _apply_ares(ports, payment.id, came)):
        _finish_authentication(ports, payment.id, came.ended)


def _apply_ares(ports: PipelinePorts, identity: str, came: AuthenticationResult) -> bool:
    """Whether the payment goes on without a challenge. Raises ConflictError."""
    payment = _stored(ports, identity)
    authentication = _authentication(ports, payment.id)
    if not allows_step(waiting_for(payment, authentication), PendingStep.CHALLENGE_REQUIRED):
        return False
    payment = replace(payment, shown={**payment.shown, **came.shown})
    after = begin_challenge(authentication, came, ports.clock.now())
    if not came.acs_url:
        code = "" if came.ended is None else outcome_of(payment, came.ended).code
        after = replace(after, stage=AuthenticationStage.ANSWERED, code=code, due=None)
    ports.store.commit(unit_of(payment, after))
    ports.scheduler.wake()
    return not came.acs_url


def _compare_results(ports: PipelinePorts, identity: str, authentication: Authentication) -> None:
    """Both the result and the browser are there: they must say the same. Choice: D-197."""
    if not agree(authentication):
        _finish_authentication(ports, identity, WRONG_DATA)
    elif authentication.code:
        _finish_authentication(ports, identity, Ended(authentication.code, authentication.code))
    else:
        _finish_authentication(ports, identity, None)


def _finish_authentication(ports: PipelinePorts, identity: str, ended: Ended | None) -> None:
    """End the payment, or send it to the acquirer; the second call changes nothing."""

    def change() -> None:
        payment = _stored(ports, identity)
        awaited = ports.store.get(Awaited, identity)
        known = _authentication(ports, payment.id)
        waiting = waiting_for(payment, known)
        if waiting in (None, Waiting.ACQUIRER) or awaited is None:
            return
        if ended is not None or payment.type is PaymentType.TD:
            is_challenge = payment.shown.get(FLOW) == "challenge"
            outcome = outcome_of(payment, ended, is_challenge=is_challenge)
            response = AcquirerResponse(outcome=outcome)
            with suppress(Refusal):
                apply_late_response(ports, identity, response, to=awaited)
            return
        passed = replace(known, stage=AuthenticationStage.PASSED, due=None)
        resume_payment(ports, _resumed_attempt(ports, payment), passed, removes=(awaited,))

    transact(ports.store, change)


def _resumed_attempt(ports: PipelinePorts, payment: Payment) -> PaymentAttempt:
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


def _authentication(ports: PipelinePorts, identity: str) -> Authentication:
    found = ports.store.get(Authentication, identity)
    if found is None:
        raise UnknownChallengePageError("the payment was not authenticated with the shopper")
    return found


def _stored(ports: PipelinePorts, identity: str) -> Payment:
    payment = ports.store.get(Payment, identity)
    assert payment is not None, "payments are never removed"
    return payment


def _durable(ports: PipelinePorts, payment: Payment) -> Payment:
    """The payment as it stands, once a power cut can no longer undo it (D-36)."""
    now = _stored(ports, payment.id)
    ports.store.wait_durable()
    return now


def read_authentication(context: ChannelContext[PipelinePorts], identity: str) -> Payment:
    """The authentication alone with the id `identity`. Raises UnknownReferenceError."""
    found = read_payment(context, identity)
    if found.type is not PaymentType.TD:
        raise UnknownReferenceError("700.400.580", "no authentication has the id in the path")
    return found
