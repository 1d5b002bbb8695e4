"""The times of an authentication: a challenge has ten minutes, a payment thirty."""

from datetime import timedelta

import pytest

from simulator.domain.core.records import Payment
from simulator.domain.payments.pending import Awaited
from simulator.domain.three_d_secure.authentications import CHALLENGE_MAX
from simulator.service.challenges import NextPage, handle_cres, open_challenge
from simulator.service.payments.contexts import read_payment
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.tests.kit.authenticating import asking, pay, returning, rreq_for, secured, send_rreq
from simulator.tests.kit.making import Answering

SECOND = timedelta(seconds=1)


def code(payment: Payment) -> str:
    return payment.outcome.code


def test_an_abandoned_challenge_is_over_after_ten_minutes_even_if_a_result_comes_later() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)
    result = rreq_for(context, payment)
    context.ports.clock.advance(CHALLENGE_MAX - SECOND)
    assert run_due(context.ports) == 0
    context.ports.clock.advance(SECOND)
    run_due(context.ports)

    assert code(read_payment(context, payment.id)) == "100.390.124"
    assert send_rreq(context, payment, result).code == "301"
    assert context.ports.store.get(Awaited, payment.id) is None
    assert next_due(context.ports) is None
    assert acquirer.asks == []


def test_a_challenge_that_begins_after_the_method_has_ten_minutes_of_its_own() -> None:
    context = secured(asking(method=True))
    payment = pay(context)
    context.ports.clock.advance(timedelta(minutes=9))
    open_challenge(context, payment)
    context.ports.clock.advance(timedelta(minutes=9))
    assert run_due(context.ports) == 0
    context.ports.clock.advance(timedelta(minutes=2))
    run_due(context.ports)

    assert code(read_payment(context, payment.id)) == "100.390.124"


def test_a_result_that_says_so_ends_a_challenge_without_its_browser() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    payment = pay(context)
    stayed_away = {"transStatusReason": "14", "challengeCancel": "05"}
    answer = send_rreq(context, payment, rreq_for(context, payment, "N", **stayed_away))

    assert answer["messageType"] == "RRes"
    assert code(read_payment(context, payment.id)) == "100.390.124"
    assert acquirer.asks == []


@pytest.mark.parametrize("first", ["browser", "result"])
def test_who_was_at_the_end_of_his_challenge_is_waited_for_thirty_minutes(first: str) -> None:
    context = secured(asking())
    payment = pay(context)
    if first == "browser":
        handle_cres(context.ports, payment, returning(context, payment))
    else:
        send_rreq(context, payment, rreq_for(context, payment))
    context.ports.clock.advance(timedelta(minutes=29))
    assert run_due(context.ports) == 0
    context.ports.clock.advance(timedelta(minutes=1))
    run_due(context.ports)

    assert code(read_payment(context, payment.id)) == "100.396.103"


def test_an_authentication_alone_with_an_abandoned_challenge_is_over_as_well() -> None:
    context = secured(asking())
    payment = pay(context, paymentType="3D")
    context.ports.clock.advance(CHALLENGE_MAX)
    run_due(context.ports)

    assert code(read_payment(context, payment.id)) == "100.390.124"


def test_a_shopper_who_never_comes_is_waited_for_thirty_minutes() -> None:
    acquirer = Answering()
    context = secured(asking(method=True), acquirer)
    payment = pay(context)
    context.ports.clock.advance(timedelta(minutes=30))
    run_due(context.ports)

    assert code(read_payment(context, payment.id)) == "100.396.103"
    handle_cres(context.ports, payment, returning(context, payment))
    assert code(read_payment(context, payment.id)) == "100.396.103"
    assert open_challenge(context, payment)[2] is NextPage.BACK
    assert acquirer.asks == []
