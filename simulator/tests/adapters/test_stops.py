"""A listener that stops: what is in flight, what waits, and what comes too late."""

import json
import signal
import socket
import time
from contextlib import ExitStack

import pytest

from simulator.tests.http.tiny_client import HOST, Running, ask, read_reply, tiny_server


def stop(running: Running) -> int:
    """How many requests were cut by a stop."""
    running.process.terminate()
    return json.loads(running.process.stdout.readline())["cut"]


def test_a_stop_finishes_the_request_in_flight_and_closes_idle_connections(tmp_path):
    with (
        tiny_server(tmp_path) as running,
        socket.create_connection(("127.0.0.1", running.plain), timeout=5) as busy,
        socket.create_connection(("127.0.0.1", running.plain), timeout=5) as idle,
    ):
        ask(idle, b"GET / HTTP/1.1")
        busy.sendall(b"GET /slow HTTP/1.1\r\n" + HOST + b"\r\n")
        time.sleep(0.15)
        running.process.terminate()

        reply = read_reply(busy)

        assert (reply.status, reply.headers["connection"]) == (200, "close")
        assert (busy.recv(1), idle.recv(1)) == (b"", b"")
        assert json.loads(running.process.stdout.readline()) == {"cut": 0}
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", running.plain), timeout=5)


def test_a_stop_cuts_what_does_not_finish_in_the_time_of_grace(tmp_path):
    with (
        tiny_server(tmp_path, grace_s=0.1) as running,
        socket.create_connection(("127.0.0.1", running.plain), timeout=5) as busy,
    ):
        busy.sendall(b"GET /slow HTTP/1.1\r\n" + HOST + b"\r\n")
        time.sleep(0.15)

        assert stop(running) == 1


def test_a_stop_answers_what_was_sent_before_its_client_knew(tmp_path):
    with (
        tiny_server(tmp_path, idle_s=2.0) as running,
        socket.create_connection(("127.0.0.1", running.plain), timeout=5) as busy,
        socket.create_connection(("127.0.0.1", running.plain), timeout=5) as idle,
    ):
        ask(busy, b"GET / HTTP/1.1")
        ask(idle, b"GET / HTTP/1.1")
        # Accepted by the system, and by the server only as it stops.
        running.process.send_signal(signal.SIGSTOP)
        with socket.create_connection(("127.0.0.1", running.plain), timeout=5) as waiting:
            running.process.terminate()
            running.process.send_signal(signal.SIGCONT)
            time.sleep(0.3)

            replies = [ask(each, b"GET / HTTP/1.1") for each in (busy, waiting)]

            assert [(each.status, each.headers["connection"]) for each in replies] == [
                (200, "close")
            ] * 2
            assert (busy.recv(1), waiting.recv(1)) == (b"", b"")
        assert idle.recv(1) == b""
        assert json.loads(running.process.stdout.readline()) == {"cut": 0}


def test_a_stop_closes_every_connection_that_is_idle_when_its_time_is_over(tmp_path):
    with tiny_server(tmp_path, grace_s=0.4, idle_s=0.1) as running, ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", running.plain), timeout=5))
            for _ in range(3)
        ]
        for each in idle:
            ask(each, b"GET / HTTP/1.1")

        assert stop(running) == 0
        assert [each.recv(1) for each in idle] == [b""] * 3
