"""Answers that come before the answer are passed over, wherever an answer is read."""

import http.client
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest

from simulator.adapters.three_d_secure.json_link import JsonLink
from simulator.client.browser import Browser
from simulator.client.transport.links import INTERIM_MAX
from simulator.client.wire import Connection
from simulator.commands.control.receiver import forwarded
from simulator.domain.webhooks.targets import parse_webhook_url

HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
PROCESSING, CONTINUE = b"HTTP/1.1 102 Processing\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"
ANSWER = b'HTTP/1.1 202 Accepted\r\nContent-Length: 7\r\nX-Its: own\r\n\r\n{"a":1}'
SWITCHING = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """The address of a server that gives each request of a client the next of these answers."""

    def serve() -> None:
        peer, _ = listener.accept()
        with peer:
            for each in answers:
                if not peer.recv(65536):
                    return
                peer.sendall(each)
            peer.shutdown(socket.SHUT_WR)
            peer.recv(65536)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    thread.join(5)


def test_the_answer_is_the_one_behind_interim_ones_and_the_connection_goes_on() -> None:
    with answering(HINTS + PROCESSING + CONTINUE + HINTS + ANSWER, HINTS + ANSWER) as address:
        connection = Connection(address)
        for _ in range(2):
            answer = connection.ask("GET", "a", headers={})
            assert (answer.status, answer.body, answer.headers["x-its"]) == (202, {"a": 1}, "own")
            assert "link" not in answer.headers
        connection.close()


def test_who_switches_to_another_protocol_has_answered() -> None:
    with answering(SWITCHING) as address:
        connection = Connection(address)
        assert connection.ask("GET", "a", headers={}).status == 101
        connection.close()


@pytest.mark.parametrize("interim", [HINTS, CONTINUE])
def test_interim_answers_without_end_are_given_up(interim: bytes) -> None:
    with answering(interim * INTERIM_MAX + ANSWER) as address, closing(Connection(address)) as link:
        assert link.ask("GET", "a", headers={}).status == 202
    with (
        answering(interim * (INTERIM_MAX + 1) + ANSWER) as address,
        closing(Connection(address)) as link,
        pytest.raises(http.client.HTTPException, match="at most 20 interim"),
    ):
        link.ask("GET", "a", headers={})


READERS: dict[str, Callable[[str], object]] = {
    "a browser": lambda address: Browser(None).open(address).status,
    "a 3-D Secure server": lambda address: JsonLink().post(address, b"{}"),
    "what passes webhooks on": lambda address: forwarded(parse_webhook_url(address), {}, b"{}"),
}


@pytest.mark.parametrize(("reader", "read"), READERS.items())
def test_each_reader_passes_over_interim_answers(
    reader: str, read: Callable[[str], object]
) -> None:
    final = ANSWER.replace(b"202 Accepted", b"200 OK")
    with answering(HINTS + final) as address:
        assert read(address) in (200, b'{"a":1}')
