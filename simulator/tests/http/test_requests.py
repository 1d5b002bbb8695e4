"""The reader of requests: what it takes, what it refuses, and that it never depends on packets."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.adapters.http.limits import Limits
from simulator.adapters.http.requests import FRAMING_BYTES_MAX, RequestReader
from simulator.domain.core.errors import UnreadableRequestError

LIMITS = Limits(head_bytes_max=4096)
FIELDS_MAX = LIMITS.fields_max
HOST = b"Host: x\r\n"
CHUNKED = b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"


def read(data: bytes, *, size: int | None = None) -> list[tuple]:
    """Method, path and body of each request in `data`, which comes in pieces; then its end."""
    reader, found = RequestReader({}, limits=LIMITS), []
    try:
        for start in range(0, len(data), size or len(data)):
            reader.feed(data[start : start + (size or len(data))])
            while reader.request is not None and reader.request.is_whole:
                environ = reader.request.environ
                path = environ["PATH_INFO"]
                found.append((environ["REQUEST_METHOD"], path, bytes(reader.request.body)))
                reader.go_on()
    except UnreadableRequestError as error:
        found.append((error.status, error.reason))
    else:
        found.append(("unread", reader.held))
    return found


MIXED = (
    b"GET /a HTTP/1.1\r\n" + HOST + b"\r\n"
    b"POST /b HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\nabc"
    b"FOO /c HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n"
    b"5;name=value\r\n\r\n\r\nx\r\n2\r\nyz\r\n0\r\nTrailer: 1\r\n\r\n"
    b"POST /d HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"
    b"Content-Length: 3\r\n\r\ndef"
    b"CONNECT /e HTTP/1.1\r\n" + HOST + b"\r\n"
    b"GET /f HTTP/1.1\r\nHost: "
)  # fmt: skip
IN_MIXED = [
    ("GET", "/a", b""),
    ("POST", "/b", b"abc"),
    ("FOO", "/c", b"\r\n\r\nxyz"),
    ("POST", "/d", b"def"),
    ("CONNECT", "/e", b""),
    ("unread", 23),
]


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=1, max_value=len(MIXED)))
def test_requests_are_read_the_same_however_their_bytes_arrive(size: int) -> None:
    assert read(MIXED, size=size) == IN_MIXED


ODD = {
    "two blanks before the target": b"GET  / HTTP/1.1\r\n" + HOST + b"\r\n",
    "two blanks before the version": b"GET /  HTTP/1.1\r\n" + HOST + b"\r\n",
    "a blank after the version": b"GET / HTTP/1.1 \r\n" + HOST + b"\r\n",
    "a blank before the method": b" GET / HTTP/1.1\r\n" + HOST + b"\r\n",
    "a tab": b"GET\t/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a longer version": b"GET / HTTP/1.01\r\n" + HOST + b"\r\n",
    "a lower-case version": b"GET / http/1.1\r\n" + HOST + b"\r\n",
    "another protocol": b"GET / RTSP/1.0\r\n" + HOST + b"\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a NUL in the method": b"G\x00T / HTTP/1.1\r\n" + HOST + b"\r\n",
    "a control sign in the target": b"GET /\x01 HTTP/1.1\r\n" + HOST + b"\r\n",
    "a line that ends without CR": b"GET / HTTP/1.1\n" + HOST + b"\r\n",
    "a field that ends without CR": b"GET / HTTP/1.1\r\nHost: x\n\r\n\r\n",
    "a CR within a field": b"GET / HTTP/1.1\r\n" + HOST + b"A: b\rc\r\n\r\n",
    "a field without a name": b"GET / HTTP/1.1\r\n" + HOST + b": b\r\n\r\n",
    "two equal lengths": b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\n" * 2 + b"\r\na",
    "a length twice in one field": b"POST / HTTP/1.1\r\nContent-Length: 1, 1\r\n\r\na",
    "chunks of an old client": b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a LF in a chunk extension": CHUNKED + b"1;a\nb\r\na\r\n0\r\n\r\n",
    "a chunk size that ends without CR": CHUNKED + b"1\na\r\n0\r\n\r\n",
    "a chunk that ends without CR": CHUNKED + b"1\r\na\n0\r\n\r\n",
    "a blank behind a chunk size": CHUNKED + b"1 \r\na\r\n0\r\n\r\n",
    "a chunk size in C": CHUNKED + b"0x1\r\na\r\n0\r\n\r\n",
    "a length in the trailer": CHUNKED + b"0\r\nContent-Length: 5\r\n\r\n",
    "many chunk extensions": CHUNKED + b"1;a=b\r\nx\r\n" * FRAMING_BYTES_MAX,
    "a long chunk extension": CHUNKED + b"1;" + b"a" * 2 * FRAMING_BYTES_MAX,
    "many trailers": CHUNKED + b"0\r\n" + b"a: b\r\n" * FRAMING_BYTES_MAX,
}  # fmt: skip


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
def test_what_two_readers_could_read_differently_is_refused(sent: bytes) -> None:
    for size in (None, 1000, 7):
        assert read(sent, size=size)[0][0] == 400


@pytest.mark.parametrize("count", [FIELDS_MAX, FIELDS_MAX + 1])
def test_a_head_has_a_limit_of_fields(count: int) -> None:
    head = b"GET / HTTP/1.1\r\n" + HOST + b"a: b\r\n" * (count - 1) + b"\r\n"

    assert read(head)[0][0] == ("GET" if count == FIELDS_MAX else 431)


def test_chunks_of_one_byte_are_no_overhead() -> None:
    body = b"1\r\na\r\n" * 2 * FRAMING_BYTES_MAX

    assert read(CHUNKED + body + b"0\r\n\r\n")[0] == ("POST", "/", b"a" * 2 * FRAMING_BYTES_MAX)


def test_a_refusal_repeats_nothing_of_the_request() -> None:
    number = b"4242424242424242"
    for sent in islice(ODD.values(), 3):
        reason = read(sent.replace(b"x", number).replace(b"/ ", b"/" + number + b" "))[0][1]
        assert number.decode() not in reason
