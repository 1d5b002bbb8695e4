"""The request generator against a server with fixed responses, over loopback."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import pytest

from load.bench.generator import (
    MissingResponseError,
    RequestTemplate,
    UnexpectedStatusError,
    drive,
    open_connections,
    send_at_once,
)

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
REFUSAL = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}"


@contextmanager
def answering(*pieces: bytes) -> Iterator[tuple[str, int]]:
    """The address of a server that answers every request with the pieces, one send each."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=serve, args=(listener, pieces), daemon=True).start()
        yield listener.getsockname()


def serve(listener: socket.socket, pieces: tuple[bytes, ...]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        Thread(target=serve_one, args=(connection, pieces), daemon=True).start()


def serve_one(connection: socket.socket, pieces: tuple[bytes, ...]) -> None:
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while connection.recv(4096) and pieces:
            for piece in pieces:
                connection.sendall(piece)


def to(address: tuple[str, int]) -> RequestTemplate:
    return RequestTemplate(address, b"GET /", b" HTTP/1.1\r\n\r\n")


def test_it_sends_as_many_requests_as_given():
    with answering(ANSWER) as address:
        run = drive(to(address), requests_max=25, connections=4)

    assert len(run.latencies) == 25
    assert run.latencies == sorted(run.latencies)
    assert run.latency(0.5) <= run.latency(0.99) <= run.seconds


def test_it_sends_requests_for_as_long_as_given():
    with answering(ANSWER) as address:
        run = drive(to(address), seconds=0.05, connections=2)

    assert 0.05 <= run.seconds < 5
    assert run.rate > 0


def test_an_answer_may_come_in_pieces():
    with answering(ANSWER[:5], ANSWER[5:30], ANSWER[30:]) as address:
        assert len(drive(to(address), requests_max=6, connections=2).latencies) == 6


def test_another_status_than_the_expected_one_ends_it():
    with (
        answering(REFUSAL) as address,
        pytest.raises(UnexpectedStatusError, match="400 Bad Request"),
    ):
        drive(to(address), requests_max=1)


def test_a_closed_connection_ends_it():
    with answering() as address, pytest.raises(MissingResponseError):
        drive(to(address), requests_max=1)


def test_no_two_requests_are_the_same():
    requests = RequestTemplate(("127.0.0.1", 1), b"<", b">")

    assert requests.format_request(7) == b"<0000000007>"


def test_send_at_once_returns_the_response_of_each_connection():
    with answering(ANSWER) as address, open_connections(address, 3) as connections:
        assert send_at_once(connections, [b"x"] * 3) == [ANSWER] * 3
