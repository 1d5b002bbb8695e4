"""The black-box connection, against servers that break it."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import pytest

from simulator.client.tests.test_hostile_servers import answering
from simulator.client.wire import Connection, OutgoingRequest

RESET = struct.pack("ii", 1, 0)


@contextmanager
def resetting_server() -> Iterator[int]:
    """The port of a server that resets each client that has connected."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def reset_each() -> None:
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                peer.close()

        threading.Thread(target=reset_each, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_reset_before_the_answer_is_an_error_of_the_network(scheme: str) -> None:
    with resetting_server() as port:
        connection = Connection(f"{scheme}://127.0.0.1:{port}/")
        for _ in range(20):
            with pytest.raises(OSError):
                connection.ask("POST", "v1/payments", headers={}, body=b"a" * 100_000)
        connection.close()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", {"kind": "payout"}),
        ("application/x-ndjson", None),
        ("application/octet-stream; charset=binary", None),
    ],
)
def test_a_file_of_one_json_line_stays_a_file(kind: str, body: object) -> None:
    into = BytesIO()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 18\r\n\r\n".encode()
    with answering([head + b'{"kind": "payout"}'], 0) as address:
        connection = Connection(address)
        assert connection.ask("GET", "key", headers={}, into=into).body == body
        connection.close()
    assert into.getvalue() == (b'{"kind": "payout"}' if body is None else b"")


def test_neither_token_nor_card_number_stands_in_what_a_request_is_shown_as() -> None:
    headers = {"Authorization": "Bearer the-token"}
    asked = OutgoingRequest("http://a/", "POST", "v1/payments", headers, b"card.number=4200")

    assert "v1/payments" in repr(asked)
    assert "the-token" not in repr(asked) and "4200" not in repr(asked)
