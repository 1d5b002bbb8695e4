"""A long answer that is made while it is sent: a client may take its time, and no longer (D-70)."""

import json
import socket
from collections.abc import Callable, Iterator

import gevent
import gevent.socket
import pytest

from simulator.adapters.http.limits import Limits
from simulator.adapters.http.server import (
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)

PIECE, COUNT = b"a" * 64 * 1024, 240
LIMITS = Limits(send_s=0.5, taken_bytes_s=1024 * 1024)


class LongAnswer:
    """Answers in pieces, and remembers how many were asked for, and whether it was closed."""

    def __init__(self) -> None:
        self.made = 0
        self.is_closed = False

    def __call__(self, environ: dict, start_response: Callable) -> Iterator[bytes]:
        """As WSGI calls it."""
        start_response("200 OK", [])
        return self._pieces()

    def _pieces(self) -> Iterator[bytes]:
        try:
            for _ in range(COUNT):
                self.made += 1
                yield PIECE
        finally:
            self.is_closed = True


@pytest.fixture
def application() -> LongAnswer:
    return LongAnswer()


@pytest.fixture
def listener(application: LongAnswer) -> Iterator[Listener]:
    options = ListenerOptions(
        lambda status, reason: json.dumps({"status": status}).encode(), new_budgets(), limits=LIMITS
    )
    made = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    yield made
    close_listeners([made], grace_s=1)


def taken(listener: Listener, size: int, *, each_s: float) -> int:
    """How much a client gets that takes so much each time."""
    with gevent.socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        peer.connect(("127.0.0.1", listener.server_port))
        peer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        total = 0
        while got := len(peer.recv(size)):
            total += got
            gevent.sleep(each_s)
        return total


def test_a_client_that_takes_each_piece_in_time_and_the_whole_too_slowly_is_cut_off(
    listener: Listener, application: LongAnswer
) -> None:
    taking = gevent.spawn(taken, listener, 16 * 1024, each_s=0.05)
    taking.join(timeout=8)

    assert (application.is_closed, application.made < COUNT) == (True, True)
    taking.kill()


def test_a_client_that_takes_the_whole_fast_enough_gets_all_of_it(
    listener: Listener, application: LongAnswer
) -> None:
    with gevent.Timeout(20):
        total = taken(listener, 64 * 1024, each_s=0.005)

    assert total > COUNT * len(PIECE)
    assert (application.is_closed, application.made) == (True, COUNT)
