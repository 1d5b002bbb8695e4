"""A gateway that works on a call for longer than it may be silent otherwise."""

from collections.abc import Iterator
from time import sleep

import pytest

from simulator.client import Control
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

SILENT_S, WORKS_S = 0.2, 0.8
JSON = {"Content-Type": "application/json"}


def work(request: ReceivedRequest) -> ListenerResponse:
    sleep(WORKS_S)
    return ListenerResponse(200, JSON, b'{"runs":[],"more":[],"mode":"frozen"}')


@pytest.fixture
def control() -> Iterator[Control]:
    with listening(work) as address:
        control = Control(address, "key", timeout_s=SILENT_S)
        yield control
        control.close()


def test_settling_and_advancing_over_years_may_take_long(control: Control) -> None:
    assert control.settle("s") == []
    assert control.advance_clock("s", by="3650d")["mode"] == "frozen"


def test_any_other_call_is_answered_soon(control: Control) -> None:
    with pytest.raises(TimeoutError):
        control.clock("s")
