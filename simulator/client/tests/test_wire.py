"""The black-box connection, against servers that break it."""

import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from time import monotonic, sleep

import pytest

from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.client.tests.test_hostile_servers import answering
from simulator.client.wire import (
    LEVELS_MAX,
    Answer,
    Connection,
    OutgoingRequest,
    SendRequest,
    UnsendablePathError,
    keys_of,
    path_of,
)

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


@pytest.mark.parametrize("id", ["a b", "a\tb", "a\0", "a\x7f", "übung", "a\n"])
def test_a_path_that_cannot_be_sent_is_refused_as_such_and_not_shown_to_an_interceptor(
    id: str,
) -> None:
    asked: list[OutgoingRequest] = []

    def around(request: OutgoingRequest, send: SendRequest) -> Answer:
        asked.append(request)
        return send()

    connection = Connection("http://127.0.0.1:1/", around=around)
    with pytest.raises(UnsendablePathError) as refused:
        connection.ask("GET", f"v1/payments/{id}", headers={})
    assert str(refused.value) == (
        f"expected a path of printable ASCII without blanks, got {f'v1/payments/{id}'!r}"
    )
    assert asked == []


NAMES = [
    "a",
    "a.b",
    "a[b]",
    "]",
    '"',
    '"]',
    '["',
    "a\\",
    '\\"]',
    "",
    ".",
    "a b",
    "0",
    "a\n.",
    "é.ß",
]


@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_a_member_of_any_name_has_a_path(first: str, second: str) -> None:
    path = path_of((first, second, "c"))
    assert list(keys_of(path)) == [first, second, "c"]
    assert Answer(200, {}, {first: {second: {"c": "text"}}}).at(path) == "text"


def test_a_path_has_no_more_signs_than_its_names_need() -> None:
    assert path_of(("result", "code")) == "result.code"
    assert path_of(("customParameters", "my.ref", "x")) == "customParameters[my.ref].x"
    assert path_of(("match", "customParameters[a]")) == 'match["customParameters[a]"]'


def answer_slowly(request: ReceivedRequest) -> ListenerResponse:
    sleep(0.2)
    return ListenerResponse(200, {"Content-Type": "text/plain"}, request.body)


def test_threads_that_ask_at_once_are_answered_at_once_and_each_its_own() -> None:
    with listening(answer_slowly) as url:
        connection = Connection(url)
        bodies = [letter.encode() * 20 for letter in "abcdefgh"]
        began = monotonic()
        with ThreadPoolExecutor(len(bodies)) as pool:
            ask = partial(connection.ask, "POST", "", headers={})
            answered = list(pool.map(lambda body: ask(body=body), bodies))
        assert monotonic() - began < 0.2 * len(bodies)
        connection.close()
    assert [answer.body for answer in answered] == bodies


@pytest.mark.parametrize("levels", [LEVELS_MAX - 1, LEVELS_MAX + 1, 400])
@pytest.mark.parametrize("pair", ["[]", '{"a":}'])
def test_what_is_nested_deeper_than_any_document_of_a_gateway_goes_for_no_json(
    pair: str, levels: int
) -> None:
    content = (pair[:-1] * levels + "1" + pair[-1] * levels).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    with answering([head + content], 0) as address:
        connection = Connection(address)
        body = connection.ask("GET", "deep", headers={}).body
        connection.close()
    assert (body == content) == (levels > LEVELS_MAX)
