"""3-D Secure with the shopper: challenge, method, their results, and what is wrong with them."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from simulator.adapters.sandboxes import in_flight
from simulator.derive.schemas.three_d_secure import Wrong
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.errors import CrowdedSandboxError, SignatureError, Violations
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import (
    Attempt,
    Outcome,
    Payment,
    Registration,
    State,
)
from simulator.domain.payments.pending import Awaited
from simulator.service.challenges import (
    NextPage,
    UnknownChallengePageError,
    handle_cres,
    handle_method_completion,
    open_challenge,
)
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.recovery import recover
from simulator.service.sandboxes.due_work import run_due
from simulator.tests.kit.authenticating import (
    VALUE,
    asking,
    authentication_of,
    challenged,
    opened,
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
    Answering,
    Breakpoint,
    Refusing,
    ledger_entries_in,
)


def code(payment: Payment) -> str:
    return payment.outcome.code


def test_a_challenge_leaves_the_payment_pending_and_does_not_ask_the_acquirer() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)

    assert (payment.state, code(payment)) == (State.PENDING, "000.200.000")
    start = f"http://gateway.test/threeDSecure/{context.ports.sandbox.id}/{payment.id}/"
    assert payment.redirect.url.startswith(start) and not payment.redirect.preconditions
    assert acquirer.asks == []
    assert context.ports.store.get(
        Awaited, payment.id
    ).due == context.ports.clock.now() + timedelta(minutes=30)


@pytest.mark.parametrize("is_held", [False, True], ids=["at once", "held"])
def test_a_payment_that_the_acquirer_cannot_be_asked_about_fails_after_its_challenge(
    *, is_held: bool
) -> None:
    context = secured(asking(), Refusing())
    if is_held:
        context = replace(context, ports=replace(context.ports, holds=Breakpoint()))
    payment = challenged(context, pay(context))

    assert (payment.state, code(payment)) == (State.FAILED, "600.200.810")
    assert payment.attempt is None


def test_a_browser_is_refused_while_its_sandbox_is_crowded_and_may_come_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context = secured(asking())
    payment = pay(context)
    with monkeypatch.context() as crowded:
        crowded.setattr(in_flight, "IN_FLIGHT_MAX", 0)
        with pytest.raises(CrowdedSandboxError):
            open_challenge(context, payment)
        with pytest.raises(CrowdedSandboxError):
            handle_cres(context.ports, payment, "")
    _, _, step = open_challenge(context, payment)
    assert step is NextPage.CHALLENGE


@pytest.mark.parametrize("method", [True, False])
def test_who_is_asked_must_be_able_to_return(method: bool) -> None:
    context = secured(asking(method=method))

    with pytest.raises(Violations) as raised:
        pay(context, shopperResultUrl=None)
    (violation,) = raised.value.violations
    assert (violation.name, violation.rule) == ("shopperResultUrl", "ASYNC-01")
    assert pay(secured(saying("Y")), shopperResultUrl=None).state is State.COMPLETED


def test_after_the_challenge_the_acquirer_is_asked_once_by_the_stored_card() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = challenged(context, pay(context))

    assert (payment.state, code(payment)) == (State.COMPLETED, APPROVED.code)
    (ask,) = acquirer.asks
    assert (ask.number, ask.cvv) == ("4200000000000000", None)
    assert ask.parameters["threeDSecure.verificationId"] == VALUE
    assert payment.shown["threeDSecure.flow"] == "challenge"
    assert len(ledger_entries_in(context, [payment])) == 1
    assert context.ports.store.get(Awaited, payment.id) is None


def test_the_browser_may_come_back_before_the_result() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)

    assert handle_cres(context.ports, payment, returning(context, payment)).state is State.PENDING
    assert acquirer.asks == []
    assert send_rreq(context, payment, rreq_for(context, payment))["messageType"] == "RRes"
    assert read_payment(context, payment.id).state is State.COMPLETED
    handle_cres(context.ports, payment, returning(context, payment))
    assert len(acquirer.asks) == 1


@pytest.mark.parametrize(
    ("status", "more", "expected"),
    [
        ("N", {}, "100.380.401"),
        ("N", {"challengeCancel": "01"}, "100.390.124"),
        ("N", {"transStatusReason": "14", "challengeCancel": "04"}, "100.390.124"),
        ("R", {}, "100.390.114"),
        ("U", {}, "100.390.112"),
        ("A", {}, "000.100.110"),
    ],
)
def test_the_result_of_a_challenge_decides(status: str, more: dict, expected: str) -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)

    assert code(challenged(context, pay(context), status, **more)) == expected
    assert len(acquirer.asks) == (expected == "000.100.110")


def test_the_acquirer_may_decline_after_a_challenge() -> None:
    context = secured(asking(), Answering(DECLINED))

    assert code(challenged(context, pay(context))) == DECLINED.code


def test_the_acquirer_may_leave_it_pending_after_a_challenge() -> None:
    class Slow:
        def plan(self, ask: AcquirerRequest) -> AcquirerResponse:
            later = timedelta(minutes=5)
            return AcquirerResponse(
                outcome=Outcome(code="000.200.000"), then=APPROVED, then_after=later
            )

    context = secured(asking(), Slow())
    payment = challenged(context, pay(context))

    assert (payment.state, payment.attempt) == (State.PENDING, None)
    context.ports.clock.advance(timedelta(minutes=5))
    run_due(context.ports)
    assert read_payment(context, payment.id).state is State.COMPLETED


def test_a_card_that_is_kept_is_kept_after_the_challenge() -> None:
    context = secured(asking())
    begun = pay(context, createRegistration="true")
    assert begun.registration is None

    payment = challenged(context, begun)
    assert context.ports.store.get(Registration, payment.registration).brand == "VISA"


@pytest.mark.parametrize(
    "more",
    [
        {"acsTransID": "0" * 8 + "-0000-4000-8000-" + "0" * 12},
        {"dsTransID": "0" * 8 + "-0000-4000-8000-" + "0" * 12},
        {"threeDSServerTransID": "0" * 8 + "-0000-4000-8000-" + "0" * 12},
        {"messageVersion": "2.1.0"},
        {"messageType": "RRes"},
        {"transStatus": "C"},
        {"authenticationValue": None},
        {"eci": "5"},
    ],
)
def test_a_result_that_is_wrong_changes_nothing(more: dict) -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)
    rreq = rreq_for(context, payment)
    rreq = {name: value for name, value in {**rreq, **more}.items() if value is not None}

    assert isinstance(send_rreq(context, payment, rreq), Wrong)
    handle_cres(context.ports, payment, returning(context, payment))
    assert read_payment(context, payment.id).state is State.PENDING
    assert acquirer.asks == []


def test_a_result_under_another_secret_changes_nothing() -> None:
    context = secured(asking())
    payment = pay(context)

    assert send_rreq(context, payment, rreq_for(context, payment), secret="0" * 48).code == "301"
    assert authentication_of(context, payment).answered == ""


def test_a_result_that_comes_again_changes_nothing() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)
    no, yes = rreq_for(context, payment, "N"), rreq_for(context, payment)

    send_rreq(context, payment, no)
    assert send_rreq(context, payment, yes).code == "301"
    handle_cres(context.ports, payment, returning(context, payment, "N"))
    assert send_rreq(context, payment, yes).code == "301"
    assert code(read_payment(context, payment.id)) == "100.380.401"
    assert acquirer.asks == []


@pytest.mark.parametrize(
    ("result", "brought", "more", "expected"),
    [
        ("Y", "N", {}, "100.390.117"),
        ("N", "Y", {}, "100.390.117"),
        ("Y", "Y", {"acsTransID": "0" * 8 + "-0000-4000-8000-" + "0" * 12}, "100.390.117"),
        ("Y", "Y", {"messageVersion": "3"}, "100.390.115"),
        ("Y", "Y", {"messageType": "Erro"}, "100.390.112"),
    ],
)
def test_a_browser_that_brings_something_else_declines(
    result: str, brought: str, more: dict, expected: str
) -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)
    send_rreq(context, payment, rreq_for(context, payment, result))
    handle_cres(context.ports, payment, returning(context, payment, brought, **more))

    assert code(read_payment(context, payment.id)) == expected
    assert acquirer.asks == []


@pytest.mark.parametrize("text", ["", "%", "bm8ganNvbg", "e30", "W10", "\N{SNOWMAN}"])
def test_a_browser_that_brings_an_unknown_message_changes_nothing(text: str) -> None:
    context = secured(asking())
    payment = pay(context)

    with pytest.raises(UnknownChallengePageError):
        handle_cres(context.ports, payment, text)
    with pytest.raises(UnknownChallengePageError):
        handle_method_completion(context.ports, payment, text)
    assert read_payment(context, payment.id).state is State.PENDING


def unsigned(content: str) -> dict:
    raise SignatureError("forged")


@pytest.mark.parametrize(
    "signed", [{"acsURL": "http://elsewhere"}, {"acsTransID": "x"}, {"dsTransID": "x"}, None]
)
def test_an_unsigned_challenge_or_one_for_another_is_declined(signed: dict | None) -> None:
    directory = asking(signed=signed)
    if signed is None:
        directory.signed = unsigned
    acquirer = Answering()

    assert code(pay(secured(directory, acquirer))) == "100.390.112"
    assert acquirer.asks == []


@pytest.mark.parametrize(("is_called", "indicator"), [(True, "Y"), (False, "N")])
def test_the_request_waits_for_the_method_and_says_whether_it_was_called(
    is_called: bool, indicator: str
) -> None:
    directory, acquirer = asking(method=True), Answering()
    context = secured(directory, acquirer)
    payment = pay(context)
    assert [what for what, _ in directory.asked] == ["lookup"]
    (precondition,) = payment.redirect.preconditions
    assert precondition.url == "http://acs.test/acs/method"
    data = opened(precondition.parameters["threeDSMethodData"])
    assert data["threeDSMethodNotificationURL"].endswith(f"/{payment.id}/method")

    if is_called:
        handle_method_completion(
            context.ports, payment, precondition.parameters["threeDSMethodData"]
        )
    _, known, step = open_challenge(context, payment)

    assert (step, known.acs_url) == (NextPage.CHALLENGE, "http://acs.test/acs/challenge/1")
    assert directory.asked[-1][1]["threeDSCompInd"] == indicator
    assert open_challenge(context, payment)[2] is NextPage.CHALLENGE
    assert len(directory.asked) == 2
    assert challenged(context, payment).state is State.COMPLETED


@pytest.mark.parametrize(
    ("status", "reason", "expected"),
    [("Y", None, "000.100.110"), ("R", "11", "100.390.118"), ("N", "13", "100.390.109")],
)
def test_after_the_method_there_may_be_no_challenge(
    status: str, reason: str | None, expected: str
) -> None:
    more = {} if reason is None else {"transStatusReason": reason}
    directory, acquirer = saying(status, **more), Answering()
    directory.answers["lookup"] = asking(method=True).answers["lookup"]
    context = secured(directory, acquirer)
    payment = pay(context)

    after, _, step = open_challenge(context, payment)

    assert (code(after), step) == (expected, NextPage.BACK)
    assert len(acquirer.asks) == (status == "Y")
    assert open_challenge(context, payment)[2] is NextPage.BACK
    assert len(acquirer.asks) == (status == "Y")


def test_an_attempt_that_was_open_at_a_crash_is_reversed() -> None:
    context = secured(asking())
    payment = pay(context)
    store = context.ports.store
    kept = store.get(Payment, payment.id)
    attempt = Attempt(trace=1, at=context.ports.clock.now())
    awaited = store.get(Awaited, payment.id)
    store.commit(unit_of(replace(kept, attempt=attempt), removes=(awaited,)))
    recover(context.ports)

    assert code(read_payment(context, payment.id)) == "900.100.301"
