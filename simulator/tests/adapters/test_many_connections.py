"""Listeners to which one client connects again and again: others keep their turns."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gevent
import pytest

from simulator.adapters.acquiring import connections
from simulator.adapters.acquiring.connections import listener_for
from simulator.adapters.http import server
from simulator.adapters.http.limits import IDLE, Limits
from simulator.adapters.http.server import ListenerOptions, close_listeners, new_budgets
from simulator.adapters.sftp.listener import SftpListener

AT_ONCE, ONE_BY_ONE, CONNECTIONS_MAX = 300, 60, 20
# The hub may accept twice between two turns of one greenlet: before it, and after it.
IN_ONE_TURN = 2


def answer(status: int, reason: str) -> bytes:
    return json.dumps({"status": status}).encode()


def application(environ, start_response):
    start_response("200 OK", [("Content-Length", "0")])
    return [b""]


@pytest.fixture
def listener() -> Iterator[server.Listener]:
    limits = Limits(connections_max=CONNECTIONS_MAX)
    options = ListenerOptions(answer, new_budgets(), limits=limits)
    made = server.open_listener("plain", ("127.0.0.1", 0), application, options=options)
    yield made
    close_listeners([made], grace_s=0)


def connect(stack: ExitStack, port: int) -> socket.socket:
    return stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))


def most_in_one_turn(stack: ExitStack, port: int, served: Callable[[], int]) -> int:
    """Of many new connections at once: how many were served between two turns of another."""
    for _ in range(AT_ONCE):
        connect(stack, port)
    counts = [served()]
    with gevent.Timeout(5):
        while counts[-1] < AT_ONCE:
            gevent.sleep(0)
            counts.append(served())
    return max(after - before for before, after in zip(counts, counts[1:], strict=False))


@pytest.fixture
def begun(listener: server.Listener) -> list[object]:
    """One for each connection that the listener began to serve."""
    made: list[object] = []
    handle = listener.handle
    listener.set_handle(lambda *about: (made.append(about), handle(*about)))
    return made


def test_new_connections_are_accepted_a_few_at_a_time(listener, begun) -> None:
    with ExitStack() as stack:
        most = most_in_one_turn(stack, listener.server_port, lambda: len(begun))
    assert most <= IN_ONE_TURN * server.ACCEPTED_AT_ONCE


def test_new_lines_of_card_messages_are_accepted_a_few_at_a_time() -> None:
    begun: list[object] = []
    listener = listener_for(("127.0.0.1", 0), begun.append)
    with ExitStack() as stack:
        most = most_in_one_turn(stack, listener.server_port, lambda: len(begun))
    listener.stop()
    assert most <= IN_ONE_TURN * connections.ACCEPTED_AT_ONCE


def test_many_clients_of_sftp_wait_in_the_system_until_they_are_accepted() -> None:
    listener = SftpListener(("127.0.0.1", 0), "", lambda *_: None)
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            connect(stack, listener.port)
    listener.close()


def test_a_full_listener_does_not_look_at_all_connections_for_each_new_one(
    listener, begun, monkeypatch
) -> None:
    chosen: list[int] = []
    choose = server.Listener._choose_longest_waiting

    def counted(self: server.Listener) -> list:
        chosen.append(len(self.connections))
        return choose(self)

    monkeypatch.setattr(server.Listener, "_choose_longest_waiting", counted)
    with ExitStack() as stack:
        first = connect(stack, listener.server_port)
        settle(listener, begun, 1)
        for count in range(2, ONE_BY_ONE + 1):
            connect(stack, listener.server_port)
            settle(listener, begun, count)
        assert first.recv(1) == b""
        assert 0 < len(chosen) <= ONE_BY_ONE // CONNECTIONS_MAX


def test_one_that_went_on_since_it_was_chosen_is_not_ended(listener, begun) -> None:
    with ExitStack() as stack:
        peers = []
        for count in range(1, CONNECTIONS_MAX + 1):
            peers.append(connect(stack, listener.server_port))
            settle(listener, begun, count)
        listener.longest_waiting = listener._choose_longest_waiting()
        peers[0].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with gevent.Timeout(5):
            while not has_answer(peers[0]):
                gevent.sleep(0)
        connect(stack, listener.server_port)
        with gevent.Timeout(5):
            while not ended(peers[1]):
                gevent.sleep(0)
        assert not ended(peers[0])


def settle(listener: server.Listener, begun: list[object], count: int) -> None:
    """Wait until so many connections were begun, and those that are left wait for a request."""
    with gevent.Timeout(5):
        while len(begun) < count or len(listener.connections) > CONNECTIONS_MAX:
            gevent.sleep(0)
    assert {each.phase for each in listener.connections} == {IDLE}


def has_answer(peer: socket.socket) -> bool:
    return bool(received(peer))


def ended(peer: socket.socket) -> bool:
    return received(peer) == b""


def received(peer: socket.socket) -> bytes | None:
    """What has come; nothing at the end, None where nothing has come yet."""
    peer.setblocking(False)
    try:
        return peer.recv(4096)
    except BlockingIOError:
        return None
    finally:
        peer.setblocking(True)
