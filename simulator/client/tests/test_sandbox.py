"""What a test passes to a sandbox: the types of Python that say it best, and slips are named."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.client.sandbox import SandboxClient

FACTS = {"id": "a", "token": "b", "entity_id": "c"}
NUMBER = "4200000000000000"


def sandbox(**control: Any) -> Any:
    """A sandbox whose control API is what the test says."""
    said: Any = SimpleNamespace(**control)
    return SandboxClient(FACTS, "http://127.0.0.1:1", said)


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("31m", "31m"),
        (timedelta(minutes=31), "1860.000000s"),
        (timedelta(days=36_000, microseconds=1), "3110400000.000001s"),
        (timedelta(0), "0.000000s"),
    ],
)
def test_a_clock_is_moved_by_a_text_or_a_timedelta(given: str | timedelta, sent: str) -> None:
    moved: list[str] = []
    sandbox(advance_clock=lambda _, by: moved.append(by)).advance(given)
    assert moved == [sent]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (None, {}),
        ("2031-05-05", {"at": "2031-05-05"}),
        (datetime(2031, 5, 5), {"at": "2031-05-05T00:00:00"}),
        (datetime(2031, 5, 5, tzinfo=UTC), {"at": "2031-05-05T00:00:00+00:00"}),
    ],
)
def test_a_clock_is_stopped_at_a_text_or_a_datetime(given: Any, sent: dict) -> None:
    stopped: list[dict] = []
    sandbox(set_clock=lambda *_, **how: stopped.append(how)).freeze(given)
    assert stopped == [sent]


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (lambda box: box.pay("1.00", card=NUMBER), "card: expected a mapping such as"),
        (lambda box: box.pay("1.00", parameters=f"card.number={NUMBER}"), "parameters: expected"),
        (lambda box: box.pay("1.00", parameters=[NUMBER]), "parameters: expected a mapping"),
        (lambda box: box.pay("1.00", parameters=5), "parameters: expected a mapping"),
        (lambda box: box.merchant.post("v1/payments", NUMBER), "parameters: expected a mapping"),
        (lambda box: box.merchant.get("v1/query", {1, 2}), "parameters: expected a mapping"),
        (lambda box: box.refer({"id": NUMBER}, "CP"), "payment: expected its id, or the answer"),
        (
            lambda box: box.trace(None),
            "payment: expected its id, or the answer to it; got NoneType",
        ),
        (
            lambda box: box.advance(60),
            "by: expected a span such as 29m or 40d, or a timedelta; got",
        ),
        (lambda box: box.drain(10), "timeout: expected a span"),
        (lambda box: box.inbox(1, 5), "wait: expected a span"),
        (lambda box: box.freeze(2031), "at: expected an instant such as"),
    ],
)
def test_an_argument_of_another_type_is_named_and_not_repeated(
    slip: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(TypeError) as refused:
        slip(sandbox(trace=None, advance_clock=None, set_clock=None, drain=None, inbox=None))
    assert said in str(refused.value) and NUMBER not in str(refused.value)
