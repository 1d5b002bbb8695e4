"""What clients do without a token is done in turns of their addresses, a little at a time."""

import json
import socket as blocking
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, pairwise
from typing import Any
from wsgiref.types import StartResponse

import gevent
import pytest
from gevent import socket
from gevent.hub import get_hub

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.server import (
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.turns import next_turn

MANY = 30
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
ACCEPTED_MOST = 20


@pytest.fixture
def begun() -> list[int]:
    """The turn of the event loop in which each request began."""
    return []


@pytest.fixture
def listener(begun: list[int], request: pytest.FixtureRequest) -> Iterator[Listener]:
    """One of whose turns each takes a whole slice of time."""

    def application(_: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        begun.append(get_hub().loop.iteration)
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    name = getattr(request, "param", "plain")
    options = ListenerOptions(lambda status, reason: json.dumps(reason).encode(), new_budgets())
    made = open_listener(name, ("127.0.0.1", 0), application, options=options)
    made.turns.close()
    made.turns = AddressTurns(clock=count().__next__)
    yield made
    close_listeners([made], grace_s=0)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def connected(stack: ExitStack, listener: Listener, many: int) -> list[socket.socket]:
    address = ("127.0.0.1", listener.server_port)
    return [stack.enter_context(socket.create_connection(address, 5)) for _ in range(many)]


def ask_over_each(peers: list[socket.socket]) -> None:
    """Ask over all of them at once, and take what comes."""
    for peer in peers:
        peer.sendall(GET)
    for peer in peers:
        assert peer.recv(1000).startswith(b"HTTP/1.1 200")


def counts_until(listener: Listener, open_connections: int) -> list[int]:
    """How many connections it has after each turn of the event loop, until it has so many."""
    counts = [len(listener.connections)]
    with gevent.Timeout(10):
        while counts[-1] != open_connections:
            next_turn()
            counts.append(len(listener.connections))
    return counts


def test_of_requests_of_no_sandbox_one_begins_in_a_turn_of_its_address(listener, begun, stack):
    peers = connected(stack, listener, MANY)
    ask_over_each(peers)
    ask_over_each(peers)

    assert len(set(begun)) == 2 * MANY


@pytest.mark.parametrize("listener", ["peer"], indirect=True)
def test_requests_of_members_begin_at_once_though_no_sandbox_is_known(listener, begun, stack):
    peers = connected(stack, listener, MANY)
    ask_over_each(peers)
    begun.clear()
    ask_over_each(peers)

    assert len(set(begun)) < MANY // 2


def test_connections_that_their_clients_close_at_once_end_in_turns(listener, stack):
    peers = connected(stack, listener, MANY)
    ask_over_each(peers)
    for peer in peers:
        peer.close()

    counts = counts_until(listener, 0)

    assert max(before - after for before, after in pairwise(counts)) == 1


def test_of_connections_that_come_at_once_some_are_accepted_in_a_turn(listener, stack):
    many = 4 * ACCEPTED_MOST
    for _ in range(many):
        # The event loop has no turn meanwhile: the system accepts it.
        stack.enter_context(blocking.create_connection(("127.0.0.1", listener.server_port), 5))

    counts = counts_until(listener, many)

    assert max(after - before for before, after in pairwise(counts)) <= ACCEPTED_MOST
