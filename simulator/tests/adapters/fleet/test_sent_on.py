"""What a listener takes is sent on as it came: the home takes it too, and sees the same request."""

import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any

import pytest

from simulator.adapters.fleet.acs_forwarding import AcsForwarder
from simulator.adapters.fleet.peers import OWN_HEADERS, SERVED, Peers, body_of
from simulator.adapters.http.limits import Limits, for_members
from simulator.adapters.http.requests import RequestReader
from simulator.adapters.http.server import (
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.hosts import ACS
from simulator.tests.adapters.fleet.test_peers import KEY, SANDBOX

BASE = {"sandgate.listener": "plain", "wsgi.url_scheme": "http", "REMOTE_ADDR": "127.0.0.1"}
HEAD = b"Host: shop.localhost\r\nAuthorization: Bearer abc\r\n"
OWN_KEYS = {"HTTP_" + name.upper().replace("-", "_") for name in OWN_HEADERS}


def shown(environ: dict[str, Any]) -> dict[str, Any]:
    """What an application sees of a request, but for its connection."""
    named = ("REQUEST_METHOD", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE")
    seen = {name: environ[name] for name in named if name in environ}
    headers = {name: value for name, value in environ.items() if name.startswith("HTTP_")}
    pieces = iter(lambda: environ["wsgi.input"].read(1 << 16), b"")
    return {**seen, **headers, "length": sum(map(len, pieces))}


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    came = {name: each for name, each in shown(environ).items() if name not in OWN_KEYS}
    start_response("200 OK", [(SERVED, "yes"), ("X-Came", json.dumps(came))])
    return [b""]


@pytest.fixture(scope="module")
def home() -> Iterator[FleetPeer]:
    options = ListenerOptions(
        lambda status, reason: b"", new_budgets(), limits=for_members(Limits())
    )
    listener = open_listener("peer", ("127.0.0.1", 0), application, options=options)
    yield FleetPeer(7, f"http://127.0.0.1:{listener.server_port}/")
    close_listeners([listener], grace_s=1)


def environ_of(raw: bytes) -> dict[str, Any]:
    """A request as a listener of clients reads it, its body at hand."""
    reader = RequestReader(BASE, limits=Limits())
    reader.feed(raw)
    assert reader.request is not None and reader.request.is_whole, "clients may send it"
    environ = {**reader.request.environ, "wsgi.input": BytesIO(reader.request.body)}
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    return environ


def padded(size: int) -> bytes:
    """Header lines of so many bytes, the empty one too."""
    left = size - len(HEAD) - len(b"X-Pad: \r\n\r\n")
    return HEAD + b"X-Pad: " + b"p" * left + b"\r\n\r\n"


def lined(start: bytes, sign: bytes) -> bytes:
    """A request line that is as long as one may be."""
    end = b" HTTP/1.1\r\n"
    left = Limits().line_bytes_max - len(start) - len(end)
    return start + sign * left + end + HEAD + b"\r\n"


LINE = b"POST /v1/payments HTTP/1.1\r\n"
FIELDS = b"".join(b"X-%d: 1\r\n" % each for each in range(Limits().fields_max - 2))
METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PUT", "PATCH", "DELETE", "POST", "FOO-B")
REQUESTS = {
    **{
        f"{method} without a body": b"%b /v1/payments HTTP/1.1\r\n%b\r\n" % (method.encode(), HEAD)
        for method in METHODS
    },
    "POST of length 0": LINE + HEAD + b"Content-Length: 0\r\n\r\n",
    "GET with a body": b"GET / HTTP/1.1\r\n" + HEAD + b"Content-Length: 3\r\n\r\na=1",
    "DELETE with a body": b"DELETE / HTTP/1.1\r\n" + HEAD + b"Content-Length: 3\r\n\r\na=1",
    "POST in chunks": LINE + HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n",
    "as many fields as may be": LINE + HEAD + FIELDS + b"\r\n",
    "as long a head as may be": LINE + padded(Limits().head_bytes_max),
    "as long a path as may be": lined(b"GET /", b"a"),
    "as long a path of bytes beyond ASCII": lined(b"GET /", b"\xff"),
    "as long a path of quotes": lined(b"GET /", b'"'),
    "as long a query as may be": lined(b"GET /?", b"\xff"),
    "fields beyond ASCII": LINE + HEAD + b"X-A: \xff\xfe\r\nX-B:\r\n\r\n",
    "no User-Agent": LINE + HEAD + b"\r\n",
    "a User-Agent": LINE + HEAD + b"User-Agent: \xe9\r\n\r\n",
    "fields that come twice": LINE + HEAD + b"Cookie: a=1\r\nCookie: b=2\r\nX: 1\r\nX: 2\r\n\r\n",
    "what members say": LINE + HEAD + b"X-Sandgate-Peer: x\r\nX-Sandgate-Listener: acs\r\n\r\n",
}  # fmt: skip


class Coming:
    """A body that the listener did not read."""

    def __init__(self, length: int):
        self._left = BytesIO(b"a" * length)

    def read(self, size: int) -> bytes:
        return self._left.read(size)


@pytest.mark.parametrize("is_chunked", [False, True])
@pytest.mark.parametrize("length", [16 * 1024 + 1, 64 * 1024, 64 * 1024 + 1, 200_000])
def test_no_body_for_the_acs_of_another_member_is_cut(
    home: FleetPeer, length: int, *, is_chunked: bool
) -> None:
    environ = environ_of(b"POST /members/7/acs/method HTTP/1.1\r\n" + HEAD + b"\r\n")
    environ |= {"wsgi.input": Coming(length), "wsgi.input_terminated": True}
    stated = ("HTTP_TRANSFER_ENCODING", "chunked") if is_chunked else ("CONTENT_LENGTH", length)
    environ[stated[0]] = str(stated[1])
    browsers = AcsForwarder(lambda *_: [b""], 8, peers=Peers(KEY), members=lambda: [home])
    started: list[Any] = []

    b"".join(browsers(environ, lambda status, headers: started.append((status, dict(headers)))))

    ((status, headers),) = started
    assert status == "200 OK" and json.loads(headers["X-Came"])["length"] == length
    assert json.loads(headers["X-Came"])["PATH_INFO"] == "/acs/method"


@pytest.mark.parametrize("raw", REQUESTS.values(), ids=REQUESTS)
def test_a_request_reaches_its_home_as_it_came(home: FleetPeer, raw: bytes) -> None:
    environ = environ_of(raw)
    came = {name: each for name, each in shown(environ_of(raw)).items() if name not in OWN_KEYS}

    answer = Peers(KEY).forward(home, SANDBOX, environ, body_of(environ))

    assert answer.status == "200 OK"
    assert json.loads(dict(answer.headers)["X-Came"]) == came
    assert ACS not in dict(answer.headers)["X-Came"] or b"acs" in raw
