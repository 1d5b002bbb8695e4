"""Attempts that wait for the acquirer: reserved first, settled by its answer, reversed after a
restart.
"""

from decimal import Decimal
from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import Gone, Refusal
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.references import open_amount
from simulator.service.payments.payments import read_payment, refer_payment, take_payment
from simulator.service.payments.recovery import reverse_open_attempts
from simulator.tests.kit.making import CARD, NOON, Answering, a_seat, a_ticket
from simulator.tests.kit.twins import HandClock

PAYMENT = {"paymentType": "PA", "amount": "100.00", "currency": "EUR", **CARD}
CAPTURE = {"paymentType": "CP", "amount": "60.00", "currency": "EUR"}


def spawned(call: object, *arguments: object) -> gevent.Greenlet:
    """The call under way, as far as it gets by itself."""
    greenlet = gevent.spawn(call, *arguments)
    gevent.idle()
    return greenlet


def test_an_attempt_is_stored_before_the_acquirer_answers(slow: tuple) -> None:
    seat, authorised = slow
    capture = spawned(refer_payment, seat, authorised.id, CAPTURE, a_ticket(seat))
    (waiting,) = seat.ports.store.find(Payment, "open", "yes")
    assert waiting.state is State.OPEN
    assert open_amount(read_payment(seat, authorised.id)) == Decimal("40.00")
    seat.ports.clock.advance(seat.ports.acquirer.delay)
    assert capture.get(timeout=5).state is State.COMPLETED
    assert seat.ports.store.find(Payment, "open", "yes") == []
    assert read_payment(seat, authorised.id).taken == Decimal("60.00")


def test_what_an_open_attempt_holds_nobody_else_can_take(slow: tuple) -> None:
    seat, authorised = slow
    capture = spawned(refer_payment, seat, authorised.id, CAPTURE, a_ticket(seat))
    with pytest.raises(Refusal, match=r"700\.400\.100"):
        refer_payment(seat, authorised.id, CAPTURE, a_ticket(seat))
    with pytest.raises(Refusal, match=r"700\.400\.300"):
        refer_payment(seat, authorised.id, {"paymentType": "RV"}, a_ticket(seat))
    capture.kill()


def test_an_attempt_open_at_start_is_reversed(slow: tuple) -> None:
    seat, authorised = slow
    capture = spawned(refer_payment, seat, authorised.id, CAPTURE, a_ticket(seat))
    (waiting,) = seat.ports.store.find(Payment, "open", "yes")
    capture.kill()
    assert reverse_open_attempts(seat.ports) == 1
    settled = read_payment(seat, waiting.id)
    assert (settled.state, settled.outcome.code) == (State.FAILED, "900.100.301")
    assert open_amount(read_payment(seat, authorised.id)) == Decimal("100.00")
    assert reverse_open_attempts(seat.ports) == 0


def test_an_answer_that_comes_after_a_reset_is_dropped(slow: tuple) -> None:
    seat, authorised = slow
    capture = spawned(refer_payment, seat, authorised.id, CAPTURE, a_ticket(seat))
    seat.ports.store.close()
    seat.ports.clock.advance(seat.ports.acquirer.delay)
    with pytest.raises(Gone):
        capture.get(timeout=5)


def test_a_card_code_is_stored_nowhere(tmp_path: Path) -> None:
    store = DocumentStore(str(tmp_path / "1.log"))
    clock = HandClock(NOON, jumps=True)
    seat = a_seat(store=store, acquirer=Answering(delay_s=30), clock=clock)
    take_payment(seat, {**PAYMENT, "card.cvv": "987", "createRegistration": "true"}, a_ticket(seat))
    store.close()
    written = (tmp_path / "1.log").read_text()
    assert CARD["card.number"] not in written
    assert '"987"' not in written


@pytest.fixture
def slow() -> tuple:
    """A seat whose acquirer takes thirty seconds, and an authorisation of 100.00 made before it
    slowed down.
    """
    acquirer = Answering()
    seat = a_seat(acquirer=acquirer)
    authorised = take_payment(seat, PAYMENT, a_ticket(seat))
    acquirer.delay = Answering(delay_s=30).delay
    return seat, authorised
