"""A gateway that works on a call for longer than it may be silent otherwise."""

from collections.abc import Iterator
from time import sleep

import pytest

from simulator.client import Control
from simulator.client.gateway import GatewayAccess
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.client.wire import Answer, OutgoingRequest, SendRequest

SILENT_S, WORKS_S = 0.2, 0.8
# A gateway waits for no longer than that.
WAITED_S_MAX = 60.0
JSON = {"Content-Type": "application/json"}


def work(request: ReceivedRequest) -> ListenerResponse:
    sleep(WORKS_S)
    return ListenerResponse(200, JSON, b'{"runs":[],"more":[],"mode":"frozen"}')


def make(request: ReceivedRequest) -> ListenerResponse:
    if request.path != "/control/sandboxes":
        sleep(WORKS_S)
    return ListenerResponse(200, JSON, b'{"id":"s","token":"t","entity_id":"e"}')


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


def test_a_call_that_waits_is_waited_for() -> None:
    asked: list[OutgoingRequest] = []

    def around(request: OutgoingRequest, send: SendRequest) -> Answer:
        asked.append(request)
        return Answer(200, {}, {"arrived": [], "entries": [], "drained": True})

    control = Control("http://127.0.0.1:9/", "key", around=around)
    control.inbox("s", count=1, wait="60s")
    control.journal("s", follow="60s")
    control.drain("s", "60s")

    assert min(each.timeout_s for each in asked) > WAITED_S_MAX


def test_how_long_an_access_waits_goes_for_its_merchants_too() -> None:
    with listening(make) as address:
        access = GatewayAccess(address, f"{address}control/", "key", timeout_s=SILENT_S)
        sandbox = access.create_sandbox()
        with pytest.raises(TimeoutError):
            sandbox.pay("1.00")
        with pytest.raises(TimeoutError):
            access.delete_sandbox(sandbox)
        sandbox.close()
