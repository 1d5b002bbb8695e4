"""Attempts that wait for the acquirer: reserved first, settled by its answer, reversed after a
restart.
"""

from decimal import Decimal
from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import EpochEndedError, Refusal
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.references import open_amount
from simulator.service.payments.contexts import read_payment
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.tests.kit.making import CARD, NOON, Answering, a_context, new_ids
from simulator.tests.kit.twins import HandClock

PAYMENT = {"paymentType": "PA", "amount": "100.00", "currency": "EUR", **CARD}
CAPTURE = {"paymentType": "CP", "amount": "60.00", "currency": "EUR"}


def spawned(call: object, *arguments: object) -> gevent.Greenlet:
    """The call under way, as far as it gets by itself."""
    greenlet = gevent.spawn(call, *arguments)
    gevent.idle()
    return greenlet


def test_an_attempt_is_stored_before_the_acquirer_answers(slow: tuple) -> None:
    context, authorized = slow
    capture = spawned(refer_payment, context, authorized.id, CAPTURE, new_ids(context))
    (waiting,) = context.ports.store.find(Payment, "open", "yes")
    assert waiting.state is State.OPEN
    assert open_amount(read_payment(context, authorized.id)) == Decimal("40.00")
    context.ports.clock.advance(context.ports.acquirer.delay)
    assert capture.get(timeout=5).state is State.COMPLETED
    assert context.ports.store.find(Payment, "open", "yes") == []
    assert read_payment(context, authorized.id).taken == Decimal("60.00")


def test_what_an_open_attempt_holds_no_other_request_can_take(slow: tuple) -> None:
    context, authorized = slow
    capture = spawned(refer_payment, context, authorized.id, CAPTURE, new_ids(context))
    with pytest.raises(Refusal, match=r"700\.400\.100"):
        refer_payment(context, authorized.id, CAPTURE, new_ids(context))
    with pytest.raises(Refusal, match=r"700\.400\.300"):
        refer_payment(context, authorized.id, {"paymentType": "RV"}, new_ids(context))
    capture.kill()


def test_an_attempt_open_at_start_is_reversed(slow: tuple) -> None:
    context, authorized = slow
    capture = spawned(refer_payment, context, authorized.id, CAPTURE, new_ids(context))
    (waiting,) = context.ports.store.find(Payment, "open", "yes")
    capture.kill()
    assert reverse_open_attempts(context.ports) == 1
    settled = read_payment(context, waiting.id)
    assert (settled.state, settled.outcome.code) == (State.FAILED, "900.100.301")
    assert open_amount(read_payment(context, authorized.id)) == Decimal("100.00")
    assert reverse_open_attempts(context.ports) == 0


def test_an_answer_that_comes_after_a_reset_is_dropped(slow: tuple) -> None:
    context, authorized = slow
    capture = spawned(refer_payment, context, authorized.id, CAPTURE, new_ids(context))
    context.ports.store.close()
    context.ports.clock.advance(context.ports.acquirer.delay)
    with pytest.raises(EpochEndedError):
        capture.get(timeout=5)


def test_a_card_code_is_stored_nowhere(tmp_path: Path) -> None:
    store = DocumentStore(str(tmp_path / "1.log"))
    clock = HandClock(NOON, jumps=True)
    context = a_context(store=store, acquirer=Answering(delay_s=30), clock=clock)
    take_payment(
        context, {**PAYMENT, "card.cvv": "987", "createRegistration": "true"}, new_ids(context)
    )
    store.close()
    written = (tmp_path / "1.log").read_text()
    assert CARD["card.number"] not in written
    assert '"987"' not in written


@pytest.fixture
def slow() -> tuple:
    """A context whose acquirer takes thirty seconds, and an authorization of 100.00 made before it
    slowed down.
    """
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    authorized = take_payment(context, PAYMENT, new_ids(context))
    acquirer.delay = Answering(delay_s=30).delay
    return context, authorized
