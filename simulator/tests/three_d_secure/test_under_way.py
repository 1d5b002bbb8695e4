"""A payment whose shopper is authenticated and whose request is at the acquirer: nothing else that
happens then decides it, its response alone does, and a checkout is paid once. Choice: D-130.
"""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from typing import NamedTuple

import gevent
import pytest
from gevent.event import Event
from msgspec.structs import replace

from simulator.domain.acquiring.answers import answer_of
from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.checkouts.checkouts import (
    Checkout,
    CheckoutStage,
    allowing,
    expires_at,
    stage_of,
    whole_registration,
)
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownCheckoutError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Origin, Outcome, Payment, State
from simulator.domain.holding import GO_ON, Let, Stop
from simulator.domain.payments.pending import Awaited, ShopperChoice
from simulator.domain.three_d_secure.authentications import (
    Authentication,
    AuthenticationStage,
)
from simulator.service.challenges import (
    UnknownChallengePageError,
    expire_challenge,
    handle_cres,
    handle_method_completion,
    open_challenge,
)
from simulator.service.checkouts.checkouts import (
    Submission,
    change_checkout,
    complete,
    enter_payment,
    enter_registration,
    prepare_checkout,
    remove_checkout,
)
from simulator.service.checkouts.standing import Standing, checkout_page
from simulator.service.payments.checkout_attempts import UNDER_WAY, attempt_in
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pending import UnknownPendingError, end_pending, release_pending
from simulator.service.payments.pipeline import refer_payment
from simulator.service.payments.redirects import apply_choice, visit_page
from simulator.service.payments.responses import apply_late_response
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.kit.authenticating import (
    ORDER,
    asking,
    authentication_of,
    pay,
    returning,
    rreq_for,
    saying,
    secured,
    send_rreq,
)
from simulator.tests.kit.making import (
    APPROVED,
    DECLINED,
    FITTING,
    Answering,
    ledger_entries_in,
    new_ids,
)
from simulator.tests.kit.twins import HandClock

SESSION = {
    name: ORDER[name] for name in ("paymentType", "amount", "currency", "shopperResultUrl")
} | {"createRegistration": "true"}
ENTERED = {name: value for name, value in ORDER.items() if name not in SESSION}
CAPABILITY = "a" * 64
MASTER = {"paymentBrand": "MASTER", "card.number": "5200000000000007"}
# Longer than a challenge, a pending payment and a checkout may last.
SLOW = timedelta(hours=2)
EXPIRED = timedelta(minutes=31)


class SlowLine:
    """A line to a card host that approves after a long while."""

    def __init__(self, clock: HandClock, wait: timedelta):
        self.clock, self.wait, self.asks = clock, wait, []

    def exchange(self, message: dict, when_slow: object = None) -> dict[str, str]:
        self.asks.append(message)
        self.clock.wait(self.wait)
        return answer_of(message, AcquirerResponse(outcome=APPROVED), "00")


class Breakpoint:
    """A breakpoint at the acquirer: what is held there waits until it is released."""

    stops = frozenset({Stop.ACQUIRER})
    turn = nullcontext()

    def __init__(self) -> None:
        self.released = Event()

    def hold(self, message: object) -> Let:
        self.released.wait()
        return GO_ON


class Window(NamedTuple):
    """The window of a shopper whose payment is at the acquirer: what it waited for before, and what
    brought it there.
    """

    context: ChannelContext
    checkout: Checkout
    payment: Payment
    awaited: Awaited
    authentication: Authentication
    rreq: dict
    cres: str

    @property
    def now(self) -> Payment:
        return read_payment(self.context, self.payment.id)


def prepared(mode: str, *, is_held: bool, is_frictionless: bool) -> tuple[ChannelContext, Window]:
    """A window before its shopper has passed: asked at the ACS, or by the method alone."""
    directory = asking(method=is_frictionless)
    if is_frictionless:
        directory.answers["areq"] = saying("Y").answers["areq"]
    wait = timedelta() if is_held else SLOW
    context = secured(directory, Answering(delay_s=wait.total_seconds()))
    ports = context.ports
    line = SlowLine(ports.clock, wait)
    holds = Breakpoint() if is_held else ports.holds
    context = replace(context, ports=replace(ports, card_link=line, holds=holds))
    checkout = prepare_checkout(context, SESSION)
    stored = context.ports.store.get(Checkout, checkout.id)
    context.ports.store.commit(unit_of(allowing(stored, CAPABILITY)))
    origin = Origin(checkout=checkout.id, until=expires_at(checkout))
    payment = pay(context, origin, testMode=mode)
    window = Window(
        context=context,
        checkout=checkout,
        payment=payment,
        awaited=context.ports.store.get(Awaited, payment.id),
        authentication=authentication_of(context, payment),
        rreq=rreq_for(context, payment),
        cres=returning(context, payment),
    )
    return context, window


def send_on(window: Window, *, is_frictionless: bool) -> gevent.Greenlet:
    """The shopper's request that brings the payment to the acquirer and waits there."""
    context, payment = window.context, window.payment
    if is_frictionless:
        passing = gevent.spawn(open_challenge, context, payment)
    else:
        send_rreq(context, payment, window.rreq)
        passing = gevent.spawn(handle_cres, context.ports, payment, window.cres)
    gevent.idle()
    assert (window.now.state, window.now.attempt is None) == (State.PENDING, False)
    return passing


def submission(window: Window, sent: dict, capability: str | None = None) -> Submission:
    return Submission(sent, capability, FITTING, FITTING)


def submits(window: Window, **more: str) -> object:
    entry = enter_payment(
        window.context, window.checkout.id, submission(window, {**ENTERED, **more})
    )
    return complete(entry, new_ids(window.context))


def submits_a_form(window: Window) -> object:
    entry = enter_payment(
        window.context, window.checkout.id, submission(window, ENTERED, CAPABILITY)
    )
    return complete(entry, new_ids(window.context))


def registers(window: Window) -> object:
    entry = enter_registration(window.context, window.checkout.id, submission(window, ENTERED))
    return complete(entry, new_ids(window.context))


def was_let_in_before(window: Window) -> object:
    return pay(window.context, Origin(checkout=window.checkout.id))


def registration_was_let_in_before(window: Window) -> object:
    whole = whole_registration(window.checkout, ENTERED)
    return pay(
        window.context,
        Origin(checkout=window.checkout.id),
        **{**whole, "amount": None, "currency": None},
    )


def waits_for_everything_due(window: Window) -> None:
    window.context.ports.clock.advance(EXPIRED)
    run_due(window.context.ports)


def brings_another_result(window: Window) -> None:
    send_rreq(window.context, window.payment, {**window.rreq, "transStatus": "N"})


def brings_another_return(window: Window) -> None:
    text = returning(window.context, window.payment, "N")
    handle_cres(window.context.ports, window.payment, text)


def is_refused(window: Window, kind: str) -> object:
    sent = {"paymentType": kind, "amount": "92.00", "currency": "EUR"}
    if kind == "RV":
        sent = {"paymentType": kind}
    return refer_payment(window.context, window.payment.id, sent, new_ids(window.context))


def answers_what_is_over(window: Window, to: Awaited | None) -> object:
    ports = window.context.ports
    return apply_late_response(ports, window.payment.id, AcquirerResponse(outcome=DECLINED), to=to)


# fmt: off
# What comes meanwhile, and how it is refused; "" where it changes nothing.
PLACES: dict[str, tuple[Callable[[Window], object], str]] = {
    "another window submits": (submits, UNDER_WAY),
    "another brand": (lambda window: submits(window, **MASTER), UNDER_WAY),
    "a form submits": (submits_a_form, UNDER_WAY),
    "a form registers": (registers, UNDER_WAY),
    "a submit let in before": (was_let_in_before, UNDER_WAY),
    "a registration let in before": (registration_was_let_in_before, UNDER_WAY),
    "the checkout is removed": (
        lambda window: remove_checkout(window.context, window.checkout.id), "700.400.570"),
    "the checkout is changed": (
        lambda window: change_checkout(
            window.context, window.checkout.id, {"amount": "1.00"}, FITTING), "700.400.570"),
    "released by hand": (
        lambda window: release_pending(window.context.ports, window.payment.id, DECLINED),
        "UnknownPendingError"),
    "everything is due": (waits_for_everything_due, ""),
    "its expiry was read before": (
        lambda window: end_pending(window.context.ports, window.awaited), ""),
    "the end of its challenge was read before": (
        lambda window: expire_challenge(window.context.ports, window.authentication), ""),
    "the result comes twice": (
        lambda window: send_rreq(window.context, window.payment, window.rreq), ""),
    "another result comes": (brings_another_result, ""),
    "the browser returns twice": (
        lambda window: handle_cres(window.context.ports, window.payment, window.cres), ""),
    "the browser brings another result": (brings_another_return, ""),
    "the browser opens the page": (
        lambda window: open_challenge(window.context, window.payment), ""),
    "the method is called": (
        lambda window: handle_method_completion(window.context.ports, window.payment, ""),
        "UnknownChallengePageError"),
    "the shopper opens a redirect page": (
        lambda window: visit_page(window.context.ports, window.payment), ""),
    "the shopper cancels": (
        lambda window: apply_choice(
            window.context.ports, window.payment, ShopperChoice.CANCEL), ""),
    "a capture": (lambda window: is_refused(window, "CP"), "700.400.570"),
    "a refund": (lambda window: is_refused(window, "RF"), "700.400.570"),
    "a reversal": (lambda window: is_refused(window, "RV"), "700.400.570"),
    "a response to what it waited for": (
        lambda window: answers_what_is_over(window, window.awaited), "700.400.000"),
    "a response to nothing": (
        lambda window: answers_what_is_over(window, None), "700.400.000"),
}
# fmt: on

# Those of the authentication, which is over once the acquirer has the payment.
AFTERWARDS = (
    "the end of its challenge was read before", "the result comes twice", "another result comes",
    "the browser returns twice",
    "the browser brings another result", "the browser opens the page", "the method is called",
    "a capture", "a refund", "a response to nothing",
)  # fmt: skip
DEFERRED = Outcome(code="000.200.000", decided_by="amount")


def refusal_of(act: Callable[[Window], object], window: Window) -> str:
    """The code or name of what an act is refused by; "" where it is not."""
    try:
        act(window)
    except Refusal as refusal:
        return refusal.code
    except (UnknownPendingError, UnknownChallengePageError, UnknownCheckoutError) as error:
        return type(error).__name__
    return ""


@pytest.mark.parametrize("is_frictionless", [False, True], ids=["challenge", "method"])
@pytest.mark.parametrize("is_held", [False, True], ids=["slow", "held"])
@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("place", PLACES)
def test_an_attempt_under_way_is_decided_by_its_response_alone(
    place: str, mode: str, is_held: bool, is_frictionless: bool
) -> None:
    context, window = prepared(mode, is_held=is_held, is_frictionless=is_frictionless)
    passing = send_on(window, is_frictionless=is_frictionless)
    ports = context.ports
    act, expected = PLACES[place]

    acting = gevent.spawn(refusal_of, act, window)
    gevent.idle()
    open_then = (window.now.state, window.now.attempt is None)
    if is_held:
        ports.holds.released.set()
    ports.clock.advance(SLOW)
    passing.join(timeout=10)

    assert (acting.get(timeout=10), open_then) == (expected, (State.PENDING, False))
    assert window.now.state is State.COMPLETED
    assert stage_of(attempt_in(ports, ports.store.get(Checkout, window.checkout.id))) is (
        CheckoutStage.PAID
    )
    assert len(ports.acquirer.asks) + len(ports.card_link.asks) == 1
    assert len(ledger_entries_in(context, [window.payment])) == 1
    assert len(list(ports.store.between(Payment, "host_history", "", "~"))) == 1


def left_answered(window: Window) -> None:
    """Have the authentication stored as builds left it that knew no stage PASSED."""
    known = authentication_of(window.context, window.payment)
    assert known.stage is AuthenticationStage.PASSED
    known = replace(known, stage=AuthenticationStage.ANSWERED)
    window.context.ports.store.commit(unit_of(known))


@pytest.mark.parametrize("is_frictionless", [False, True], ids=["challenge", "method"])
@pytest.mark.parametrize("is_of_earlier_build", [False, True], ids=["now", "earlier build"])
@pytest.mark.parametrize("place", AFTERWARDS)
def test_what_the_acquirer_has_deferred_is_not_asked_for_again(
    place: str, is_of_earlier_build: bool, is_frictionless: bool
) -> None:
    context, window = prepared("INTERNAL", is_held=True, is_frictionless=is_frictionless)
    context.ports.acquirer.outcomes = [DEFERRED]
    passing = send_on(window, is_frictionless=is_frictionless)
    context.ports.holds.released.set()
    passing.join(timeout=10)
    deferred = window.now
    assert (deferred.state, deferred.attempt) == (State.PENDING, None)
    if is_of_earlier_build:
        left_answered(window)
    context.ports.acquirer.outcomes = [APPROVED]
    act, expected = PLACES[place]

    acting = gevent.spawn(refusal_of, act, window)

    assert acting.get(timeout=10) == expected
    assert (window.now.state, window.now.outcome) == (State.PENDING, deferred.outcome)
    assert len(context.ports.acquirer.asks) == 1
    assert ledger_entries_in(context, [window.payment]) == []


def test_the_page_of_a_checkout_says_that_it_is_being_paid_and_then_paid() -> None:
    context, window = prepared("INTERNAL", is_held=True, is_frictionless=False)
    assert checkout_page(context.ports, current(window)).standing is Standing.OPEN
    passing = send_on(window, is_frictionless=False)
    assert checkout_page(context.ports, current(window)).standing is Standing.UNDER_WAY
    context.ports.holds.released.set()
    passing.get(timeout=10)
    assert checkout_page(context.ports, current(window)).standing is Standing.PAID


def current(window: Window) -> Checkout:
    return window.context.ports.store.get(Checkout, window.checkout.id)
