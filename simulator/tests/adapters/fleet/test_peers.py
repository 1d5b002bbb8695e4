"""Requests to a member that is silent, goes away, or has many of them: what becomes of each."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from types import SimpleNamespace
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

import gevent
import pytest
from gevent.server import StreamServer
from gevent.socket import socket

from simulator.adapters.clock import RealClock
from simulator.adapters.fleet.forwarding import ForwarderParts, RequestForwarder
from simulator.adapters.fleet.home_application import PLACE_KEY, HomeApplication
from simulator.adapters.fleet.peers import LostForwardError, Peers
from simulator.adapters.fleet.places import FindSandbox
from simulator.adapters.ids import RandomIds
from simulator.adapters.store.engine import FleetPeer
from simulator.adapters.turns import EVERYBODY, OWNER, work_for
from simulator.domain.core.errors import UnreachableStoreError
from simulator.web.http.answers import NOT_STORED, NOTHING_STORED, BareAnswers

KEY = "the-key-of-the-fleet-of-tests"
SANDBOX, TOKEN = "8a" + "7" * 30, "abcdef0123456789"
SOON_S = 5.0
OTHER = 8
# More than any one sandbox may have under way at its home.
MANY = 2500
HEAD = b"HTTP/1.1 200 OK\r\nX-Sandgate-Served: yes\r\n"

Serve = Callable[[socket, bytes], object]


@contextmanager
def a_member(serve: Serve) -> Iterator[FleetPeer]:
    """A member whose internal listener answers as `serve` does."""

    def handle(client: socket, _: object) -> None:
        with client:
            serve(client, client.recv(65536))

    server = StreamServer(("127.0.0.1", 0), handle, backlog=MANY)
    server.start()
    yield FleetPeer(7, f"http://127.0.0.1:{server.server_port}/")
    server.stop(timeout=0)


def silent(client: socket, _: bytes) -> None:
    client.recv(1)


class OneHome(NamedTuple):
    """Homes where one member has everything; implements what a forwarder asks of Homes."""

    home: FleetPeer

    def home_of(self, identity: str) -> FleetPeer:
        return self.home

    def forget(self, identity: str) -> None:
        """What is known here is right."""


class Answer(NamedTuple):
    """What a client of a member got: the status, and the error that ended the body."""

    status: str
    body: bytes
    error: Exception | None


def posted(method: str = "POST", path: str = "/v1/payments") -> dict[str, Any]:
    return {
        "REQUEST_METHOD": method, "PATH_INFO": path, "wsgi.input": BytesIO(b"a=1"),
        "HTTP_AUTHORIZATION": f"Bearer {TOKEN}", "HTTP_HOST": "127.0.0.1",
        "wsgi.url_scheme": "http", "sandgate.listener": "plain",
    }  # fmt: skip


def forwarding_to(homes: Any, find: FindSandbox = lambda _: SANDBOX) -> RequestForwarder:
    """A member that is not the home."""
    server: Any = SimpleNamespace(clock=RealClock(), ids=RandomIds())
    answers = BareAnswers(server, lambda status: None)
    parts = ForwarderParts(lambda: True, homes, Peers(KEY), answers)
    return RequestForwarder(lambda *_: [b"served here"], parts, find)


def asked(home: FleetPeer, method: str = "POST") -> Answer:
    """The answer of a member that is not the home."""
    started: list[str] = []
    forwarder = forwarding_to(OneHome(home))
    pieces = forwarder(posted(method), lambda status, _: started.append(status))
    body, error = b"", None
    try:
        for piece in pieces:
            body += piece
    except OSError as cut:
        error = cut
    return Answer(started[0], body, error)


def test_what_a_home_answers_takes_the_turns_of_its_sandbox_here_too() -> None:
    work_for(EVERYBODY)
    with a_member(lambda client, _: client.sendall(HEAD + b"Content-Length: 2\r\n\r\nok")) as home:
        assert asked(home).body == b"ok"
    assert OWNER.get() == SANDBOX


def test_the_silence_of_a_removed_member_ends() -> None:
    peers = Peers(KEY)
    with a_member(silent) as member:
        waiting = [
            gevent.spawn(peers.send, member, "POST", "/", headers={}, body=b"") for _ in range(9)
        ]
        gevent.sleep(0.2)
        peers.give_up({member.number, OTHER})
        gevent.sleep(0.2)
        assert not any(each.ready() for each in waiting)
        peers.give_up({OTHER})
        gevent.joinall(waiting, timeout=SOON_S)
    assert {type(each.exception) for each in waiting} == {LostForwardError}


def test_a_member_is_asked_however_many_requests_it_has_not_answered() -> None:
    def serve(client: socket, request: bytes) -> None:
        if b"/quick" in request:
            client.sendall(HEAD + b"Content-Length: 0\r\n\r\n")
        else:
            client.recv(1)

    peers = Peers(KEY)
    with a_member(serve) as member:
        waiting = [
            gevent.spawn(peers.send, member, "POST", "/slow", headers={}, body=b"")
            for _ in range(MANY)
        ]
        gevent.sleep(1)
        quick = gevent.spawn(peers.send, member, "GET", "/quick", headers={}, body=b"")
        quick.join(timeout=SOON_S)
        assert quick.ready() and quick.value.status == "200 OK"
        gevent.killall(waiting)


CUTS = {
    "in the head": HEAD,
    "in a short body": HEAD + b"Content-Length: 10\r\n\r\n123",
    "before the body": HEAD + b"Content-Length: 10\r\n\r\n",
}


@pytest.mark.parametrize("sent", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_an_answer_that_is_cut_off_is_said_to_be_lost(sent: bytes, method: str) -> None:
    with a_member(lambda client, _: client.sendall(sent)) as home:
        answer = asked(home, method)
    assert answer.status == "503 Service Unavailable" and b"look before it is sent" in answer.body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("sent", [b"", HEAD], ids=["no answer", "half an answer"])
def test_what_changes_something_is_sent_once(method: str, sent: bytes) -> None:
    came: list[bytes] = []

    def serve(client: socket, request: bytes) -> None:
        came.append(request)
        client.sendall(sent)

    with a_member(serve) as home:
        answer = asked(home, method)
    assert [request.split(b" ")[0] for request in came] == [method.encode()]
    assert answer.status == "503 Service Unavailable" and b"look before it is sent" in answer.body


@pytest.mark.parametrize(
    "head", [b"Content-Length: 1000000\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n64\r\n"]
)
def test_a_long_answer_that_is_cut_off_ends_the_connection_of_the_client(head: bytes) -> None:
    serving = a_member(lambda client, _: client.sendall(HEAD + head + b"x" * 99))
    with serving as home, gevent.Timeout(SOON_S):
        answer = asked(home)
    assert answer.status == "200 OK" and isinstance(answer.error, ConnectionError)


def lose_database(*_: object) -> Any:
    raise UnreachableStoreError("connection to server at 127.0.0.1, port 5432 failed")


LEFT: Any = SimpleNamespace(steering=lambda place: nullcontext(), end=lose_database)
NO_ANSWER: Any = SimpleNamespace(home_of=lose_database)
AWAY: dict[str, tuple[WSGIApplication, str]] = {
    "the sandbox of a token": (forwarding_to(None, lose_database), "/v1/payments"),
    "the home of a sandbox": (forwarding_to(NO_ANSWER), "/v1/payments"),
    "the end of a calm": (
        HomeApplication(lambda *_: [b"served"], LEFT, forwarding_to(None)._parts.answer.not_stored),
        f"/_sandbox/v1/sandboxes/{SANDBOX}/clock",
    ),
}


@pytest.mark.parametrize(("application", "path"), AWAY.values(), ids=AWAY)
def test_a_member_without_its_database_answers_as_every_gateway(
    application: WSGIApplication, path: str
) -> None:
    started: list[Any] = []
    environ = {**posted(path=path), PLACE_KEY: SANDBOX}
    body = b"".join(application(environ, lambda *given: started.extend(given)))
    result = json.loads(body)["result"]

    assert (started[0], result["code"]) == ("503 Service Unavailable", NOT_STORED)
    assert dict(started[1])["Retry-After"] == "1"
    assert b"5432" not in body and NOTHING_STORED.encode() in body
