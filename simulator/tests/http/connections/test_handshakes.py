"""TLS handshakes: what clients that do not go on with theirs may cost."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NoReturn

import gevent
import pytest
from gevent.socket import socket as GeventSocket

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.handshakes import Handshakes
from simulator.adapters.http.limits import Limits

MOST = 4


class CountedContext:
    """Counts the handshakes that are begun, and lets them fail."""

    def __init__(self) -> None:
        self.begun = 0

    def wrap_bio(self, *_: object, **__: object) -> NoReturn:
        self.begun += 1
        raise ConnectionAbortedError("no handshake of this test goes on")


@pytest.fixture
def context() -> CountedContext:
    return CountedContext()


@pytest.fixture
def handshakes(context) -> Iterator[Handshakes]:
    turns = AddressTurns()
    yield Handshakes(context, Limits(connections_max=2 * MOST), turns)
    turns.close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as made:
        yield made


def connected(stack: ExitStack) -> tuple[socket.socket, GeventSocket]:
    """The two ends of a connection: that of a client and that of the listener."""
    listening = stack.enter_context(GeventSocket())
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    client = stack.enter_context(socket.create_connection(listening.getsockname()))
    return client, stack.enter_context(listening.accept()[0])


@pytest.mark.parametrize("has_left", [False, True])
def test_a_client_that_has_left_costs_no_handshake(handshakes, context, stack, has_left):
    client, accepted = connected(stack)
    client.sendall(b"hello")
    if has_left:
        client.close()

    assert handshakes.secure(accepted, "a") is None
    assert context.begun == (not has_left)


def test_one_too_many_ends_the_oldest_of_the_address_that_has_most(handshakes, stack):
    addresses = ["b", *"a" * (MOST - 1), "c"]
    begun = [gevent.spawn(handshakes.secure, connected(stack)[1], address) for address in addresses]
    gevent.sleep(0.01)

    assert [each.ready() for each in begun] == [False, True, False, False, False]
    gevent.killall(begun)
