"""Requests come before long work: it has no slice while one is being answered."""

from collections.abc import Iterator
from unittest.mock import patch

import gevent
import pytest
from gevent.socket import create_connection

from simulator.adapters import turns
from simulator.adapters.http.server import (
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.turns import UnderWay, next_turn, pause

TURNS, SLICES = 20, 5
HOUR_S = 3600
BEGUN, SLICE, ENDED = "begun", "slice", "ended"


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """No request of these tests takes longer than long work waits; none hangs either."""
    with patch.object(turns, "PATIENCE_S", HOUR_S), gevent.Timeout(10):
        yield


@pytest.fixture(params=("answers", "fails"))
def seen(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """What happened, in order, to one request among long work: the application answers it after
    some turns of the event loop, or fails then.
    """
    seen: list[str] = []

    def application(environ, start_response):
        seen.append(BEGUN)
        for _ in range(TURNS):
            next_turn()
        seen.append(ENDED)
        if request.param == "fails":
            raise RuntimeError("the test wants it so")
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    def work() -> None:
        while True:
            pause(0)
            seen.append(SLICE)

    options = ListenerOptions(lambda status, reason: b"{}", new_budgets())
    listener = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    working = gevent.spawn(work)
    with create_connection(("127.0.0.1", listener.server_port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.recv(1024)
    for _ in range(SLICES):
        next_turn()
    yield seen
    working.kill()
    close_listeners([listener], grace_s=0)


def test_long_work_has_no_slice_while_a_request_is_answered(seen: list[str]) -> None:
    assert seen.index(ENDED) == seen.index(BEGUN) + 1


def test_it_goes_on_when_the_request_is_over(seen: list[str]) -> None:
    assert SLICE in seen[seen.index(ENDED) :]


def test_it_waits_until_the_last_of_several_is_answered() -> None:
    requests = UnderWay()
    requests.begin("first")
    requests.begin("second")
    waiting = gevent.spawn(requests.wait)
    requests.end("first")
    next_turn()
    assert not waiting.ready()
    requests.end("second")
    waiting.get()


def test_a_request_that_takes_long_is_waited_for_once() -> None:
    requests = UnderWay()
    requests.begin("one that is held")
    with patch.object(turns, "PATIENCE_S", 0):
        requests.wait()
    requests.wait()
    requests.begin("another")
    waiting = gevent.spawn(requests.wait)
    next_turn()
    assert not waiting.ready()
    requests.end("another")
    waiting.get()
