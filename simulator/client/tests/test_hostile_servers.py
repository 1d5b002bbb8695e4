"""The black-box client against servers that never come to an end: it does, in time and memory."""

import http.client
import json
import socket
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from time import monotonic, sleep

import pytest

from simulator.client.control import Control
from simulator.client.control_calls import ControlCalls, ControlError
from simulator.client.wire import Connection

SILENT_S, ANSWER_S = 0.5, 0.5
# Long enough that a busy machine does not take it twice.
EITHER_S = 1.5
# What a busy machine may add.
ENDED_S_MAX = 5.0
DRIP_S = 0.05
OK = b"HTTP/1.1 200 OK\r\n"
LONG = b"Content-Length: 1000000\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
MEBIBYTE = 1024 * 1024


@contextmanager
def answering(
    pieces: Iterable[bytes], pause_s: float, *, when_asked: bool = False
) -> Iterator[str]:
    """The address of a server that answers one client with these pieces, with a pause after each,
    or each to a request.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def send(peer: socket.socket) -> None:
            for number, piece in enumerate(pieces):
                if when_asked or not number:
                    peer.recv(65536)
                peer.sendall(piece)
                sleep(pause_s)

        def serve() -> None:
            peer, _ = listener.accept()
            with peer, suppress(OSError):
                send(peer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    thread.join(ENDED_S_MAX)


def dripped(text: bytes) -> Iterator[bytes]:
    return (bytes([byte]) for byte in text)


# What is sent, and where a client would read it for ever.
ENDLESS = {
    "heads before the answer": repeat(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a status line": chain([OK[:9]], repeat(b" ")),
    "a name in the head": chain([OK, b"X"], repeat(b"x")),
    "fields of the head": chain([OK], repeat(b"X: x\r\n")),
    "a body": chain([OK, LONG], repeat(b"x")),
    "a body without a length": chain([OK, b"\r\n"], repeat(b"9")),
    "the size of a chunk": chain([OK, CHUNKED], repeat(b"0")),
    "an extension of a chunk": chain([OK, CHUNKED, b"1;"], repeat(b"x")),
    "chunks": chain([OK, CHUNKED], repeat(b"1\r\n9\r\n")),
    "trailers": chain([OK, CHUNKED, b"0\r\n"], repeat(b"X: x\r\n")),
}


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS)
def test_an_answer_that_does_not_end_is_given_up(pieces: Iterable[bytes]) -> None:
    with answering(pieces, DRIP_S) as address:
        connection = Connection(address, timeout_s=SILENT_S, answer_s=ANSWER_S)
        began = monotonic()
        with pytest.raises((OSError, http.client.HTTPException)):
            connection.ask("GET", "v1/payments", headers={})
        connection.close()
    assert monotonic() - began < ENDED_S_MAX


@pytest.mark.parametrize("pieces", ENDLESS.values(), ids=ENDLESS)
def test_the_whole_answer_has_the_longer_of_both_times(
    pieces: Iterable[bytes],
) -> None:
    with answering(pieces, DRIP_S) as address:
        connection = Connection(address, timeout_s=EITHER_S, answer_s=EITHER_S)
        began = monotonic()
        with pytest.raises((OSError, http.client.HTTPException)):
            connection.ask("GET", "v1/payments", headers={})
        connection.close()
    assert monotonic() - began < 2 * EITHER_S


@contextmanager
def reading(bytes_each: int, pause_s: float) -> Iterator[str]:
    """The address of a server that reads a request piece by piece before it answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            peer, _ = listener.accept()
            with peer, suppress(OSError):
                while b"THE END" not in peer.recv(bytes_each):
                    sleep(pause_s)
                peer.sendall(OK + b"Content-Length: 2\r\n\r\n{}")

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


LONG_BODY = b"x" * 60_000_000 + b"THE END"


def test_a_long_body_may_take_its_time_while_it_is_read() -> None:
    with reading(500_000, 0.02) as address:
        connection = Connection(address, timeout_s=1.0, answer_s=ENDED_S_MAX * 4)
        assert connection.ask("POST", "restore", headers={}, body=LONG_BODY).status == 200
        connection.close()


def test_a_body_that_is_read_ever_so_slowly_is_given_up() -> None:
    with reading(1000, DRIP_S) as address:
        connection = Connection(address, timeout_s=SILENT_S, answer_s=SILENT_S * 2)
        began = monotonic()
        with pytest.raises(TimeoutError):
            connection.ask("POST", "restore", headers={}, body=LONG_BODY)
        connection.close()
    assert monotonic() - began < ENDED_S_MAX


def test_an_answer_that_comes_slowly_is_taken_where_it_is_in_time() -> None:
    with answering(dripped(OK + b"Content-Length: 2\r\n\r\n{}"), 0.001) as address:
        connection = Connection(address, timeout_s=SILENT_S, answer_s=ENDED_S_MAX)
        assert connection.ask("GET", "v1/payments", headers={}).body == {}
        connection.close()


def test_a_kept_connection_gives_each_answer_the_whole_time() -> None:
    whole = OK + b"Content-Length: 2\r\n\r\n{}"
    with answering([whole] * 4, 0.0, when_asked=True) as address:
        connection = Connection(address, timeout_s=SILENT_S * 2, answer_s=ANSWER_S)
        for _ in range(4):
            assert connection.ask("GET", "v1/payments", headers={}).status == 200
            sleep(ANSWER_S)
        connection.close()


def test_a_control_api_cannot_fill_the_memory_of_its_client() -> None:
    body = chain([OK, b"Content-Length: 100000000\r\n\r\n"], repeat(b"9" * MEBIBYTE, 100))
    with answering(body, 0.0) as address:
        calls = ControlCalls(address, "key", bytes_max=MEBIBYTE)
        with pytest.raises(http.client.HTTPException, match="expected at most 1048576 bytes"):
            calls.ask("GET", "sandboxes")
        calls.close()


# Short texts that are many values.
MANY = {
    "objects": b"{},",
    "lists": b"[],",
    "numbers": b"1,",
    "names": b'{"a":1,"b":[]},',
    "levels": b'{"a":[[[[[[]]]]]]},',
}


@pytest.mark.parametrize("value", MANY.values(), ids=MANY)
def test_a_short_answer_of_many_values_takes_no_memory(value: bytes) -> None:
    content = b'{"sandboxes":[' + value * (24 * MEBIBYTE // len(value)) + b"1]}"
    head = OK + b"Content-Length: %d\r\n\r\n" % len(content)
    with answering([head, content], 0.0) as address:
        control = Control(address, "key")
        tracemalloc.start()
        with pytest.raises(http.client.HTTPException, match="expected at most 2000000 values"):
            control.sandboxes()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        control.close()
    assert peak < 4 * len(content)


def test_a_list_of_ten_thousand_sandboxes_is_read() -> None:
    each = {"id": "8a" * 16, "merchants": [{"id": "8b", "channels": [{"id": "8c"}] * 3}] * 3}
    content = json.dumps({"sandboxes": [each] * 10_000}).encode()
    with answering([OK + b"Content-Length: %d\r\n\r\n" % len(content) + content], 0.0) as address:
        control = Control(address, "key")
        found = control.sandboxes()
        control.close()
    assert len(found) == 10_000
    with pytest.raises(ControlError, match="expected a member name"):
        found[9_999]["merchants"][2]["name"]


LONG_REFUSALS = (
    b"x" * 8 * MEBIBYTE,
    b'{"error":{"got":"%s"}}' % (b"4" * MEBIBYTE),
    b'["' + b"4" * MEBIBYTE + b'"]',
)


@pytest.mark.parametrize("content", LONG_REFUSALS, ids=range(len(LONG_REFUSALS)))
def test_what_is_said_against_a_call_is_short(content: bytes) -> None:
    head = b"HTTP/1.1 500 No\r\nContent-Length: %d\r\n\r\n" % len(content)
    with answering([head + content], 0.0) as address:
        control = Control(address, "key")
        with pytest.raises(ControlError) as refused:
            control.sandboxes()
        control.close()
    assert len(str(refused.value)) < 5000


class Counter:
    """Where a file goes of which nothing is kept."""

    bytes = 0

    def write(self, piece: bytes) -> None:
        self.bytes += len(piece)


def test_a_file_of_any_size_stands_in_no_memory() -> None:
    head = OK + b"Content-Type: application/octet-stream\r\nContent-Length: 100000000\r\n\r\n"
    with answering(chain([head], repeat(b"9" * 1_000_000, 100)), 0.0) as address:
        control, into = Control(address, "key"), Counter()
        tracemalloc.start()
        control.save_snapshot("8a", into)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        control.close()
    assert into.bytes == 100_000_000
    # The server is in this process, and has one such piece.
    assert peak < 4 * MEBIBYTE


def test_what_is_said_against_a_file_cannot_fill_the_memory() -> None:
    head = b"HTTP/1.1 500 No\r\nContent-Type: application/octet-stream\r\n\r\n"
    with answering(chain([head], repeat(b"9" * MEBIBYTE, 100)), 0.0) as address:
        calls = ControlCalls(address, "key", bytes_max=MEBIBYTE)
        with pytest.raises(http.client.HTTPException, match="expected at most 1048576 bytes"):
            calls.save("sandboxes/8a/snapshot", Counter())
        calls.close()


# What another server than a gateway may say, well-formed.
OTHERS = ("null", "5", "999999999999", "[]", "[5]", '"text"', "{}", '{"other": [{}]}', "<html>",
          "[" * 100_000)  # fmt: skip


@pytest.mark.parametrize("body", OTHERS, ids=range(len(OTHERS)))
@pytest.mark.parametrize(
    "call",
    [
        lambda control: control.sandboxes(),
        lambda control: control.create_sandbox()["id"],
        lambda control: control.restore(b"")["id"],
        lambda control: control.people(),
        lambda control: control.sandbox("8a")["merchants"],
    ],
)
def test_an_answer_of_another_server_is_an_error_of_the_control_api(
    body: str, call: Callable[[Control], object]
) -> None:
    content = body.encode()
    whole = OK + b"Content-Length: %d\r\n\r\n" % len(content) + content
    with answering([whole], 0.0) as address:
        control = Control(address, "key")
        with pytest.raises(ControlError, match="is it a gateway"):
            call(control)
        control.close()


LISTS: dict[str, Callable[[Control], object]] = {
    "sandboxes": lambda control: control.sandboxes(),
    "tokens": lambda control: control.tokens("8a", "8b"),
    "scripts": lambda control: control.scripts("8a"),
    "parties": lambda control: control.set_breakpoints("8a", "acquirer"),
    "held": lambda control: control.held("8a"),
    "pending": lambda control: control.pending("8a"),
    "webhooks": lambda control: control.webhooks("8a"),
    "arrived": lambda control: control.inbox("8a"),
    "notices": lambda control: control.notices("8a"),
    "terminals": lambda control: control.terminals("8a"),
    "runs": lambda control: control.settlements("8a"),
    "pushes": lambda control: control.push_again("8a", "8b"),
    "people": lambda control: control.people(),
}


@pytest.mark.parametrize("value", ["null", "5", '"text"', "{}", "[null]", "[5]", "[[]]"])
@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_something_else_is_an_error_of_the_control_api(name: str, value: str) -> None:
    content = f'{{"{name}": {value}}}'.encode()
    whole = OK + b"Content-Length: %d\r\n\r\n" % len(content) + content
    with answering([whole], 0.0) as address:
        control = Control(address, "key")
        with pytest.raises(ControlError, match=f"expected a list as {name}.*is it a gateway"):
            LISTS[name](control)
        control.close()


@pytest.mark.parametrize("body", ["null", "999999999999", "[5]", "{}", '"text"'])
def test_no_file_is_made_of_what_is_none(body: str) -> None:
    whole = OK + b"Content-Length: %d\r\n\r\n" % len(body) + body.encode()
    with answering([whole], 0.0) as address:
        control = Control(address, "key")
        with pytest.raises(ControlError, match="expected a file"):
            control.snapshot("8a")
        control.close()


def test_a_member_that_is_deep_in_an_answer_is_missed_there() -> None:
    content = b'{"sandboxes": [{"name": 1}]}'
    whole = OK + b"Content-Length: %d\r\n\r\n" % len(content) + content
    with answering([whole], 0.0) as address:
        control = Control(address, "key")
        (found,) = control.sandboxes()
        assert found["name"] == 1
        with pytest.raises(ControlError, match="expected a member id"):
            found["id"]
        control.close()
