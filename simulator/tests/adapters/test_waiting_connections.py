"""A listener whose connections wait for the application: new ones are served all the same."""

import gc
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gevent
import gevent.socket
import pytest
from gevent.event import Event

from simulator.adapters.http import server
from simulator.adapters.http.limits import Limits
from simulator.adapters.http.server import Listener, ListenerOptions, close_listeners, new_budgets
from simulator.domain.transport import HOLDER_KEY

CONNECTIONS_MAX = 12
SOON_S = 5.0


class WaitingApplication:
    """Lets every request wait until `go_on`, but those for /now; the path is the sandbox."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.begun: list[str] = []
        self.done: list[str] = []

    def __call__(self, environ: dict, start_response: Callable) -> list[bytes]:
        """Answer in time."""
        sandbox = environ["PATH_INFO"]
        if sandbox != "/now":
            environ[HOLDER_KEY] = sandbox
            self.begun.append(sandbox)
            self.go_on.wait()
            self.done.append(sandbox)
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]


@pytest.fixture
def application() -> WaitingApplication:
    return WaitingApplication()


@pytest.fixture
def listener(
    application: WaitingApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Listener]:
    monkeypatch.setattr(server, "ANSWERED_LATE_S", 0.0, raising=False)
    limits = Limits(connections_max=CONNECTIONS_MAX)
    if hasattr(limits, "look_s"):
        limits = Limits(connections_max=CONNECTIONS_MAX, look_s=0.05)
    options = ListenerOptions(
        lambda status, reason: json.dumps({"status": status}).encode(), new_budgets(), limits=limits
    )
    made = server.open_listener("plain", ("127.0.0.1", 0), application, options=options)
    yield made
    application.go_on.set()
    close_listeners([made], grace_s=1)


def asked(stack: ExitStack, listener: Listener, path: str) -> socket.socket:
    address = ("127.0.0.1", listener.server_port)
    link = stack.enter_context(socket.create_connection(address, timeout=SOON_S))
    link.sendall(b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % path.encode())
    return link


def until(is_so: Callable[[], bool]) -> None:
    with gevent.Timeout(SOON_S):
        while not is_so():
            gevent.sleep(0.01)


def fill(
    stack: ExitStack, listener: Listener, application: WaitingApplication, *paths: str
) -> list[socket.socket]:
    """A connection that waits for each path, in this order."""
    links = []
    for count, path in enumerate(paths, 1):
        links.append(asked(stack, listener, path))
        until(lambda count=count: len(application.begun) == count)
    return links


def received(link: socket.socket) -> bytes | None:
    """What has come; nothing at the end, None where it is open and nothing has come."""
    link.setblocking(False)
    try:
        return link.recv(4096)
    except BlockingIOError:
        return None


def test_the_longest_waiting_of_the_sandbox_with_most_makes_room_for_a_new_connection(
    listener: Listener, application: WaitingApplication
) -> None:
    paths = ("/small", *["/large"] * 7, *["/other"] * 4)
    with ExitStack() as stack:
        links = fill(stack, listener, application, *paths)
        new = [asked(stack, listener, "/now") for _ in range(2)]

        until(lambda: len(listener.released) == len(new))
        for link in new:
            until(lambda link=link: b"200" in (received(link) or b""))
        assert [received(link) for link in links] == [None, b"", b"", *[None] * 9]
        assert len(listener.connections) <= CONNECTIONS_MAX + 1


def test_what_a_closed_connection_has_asked_for_is_carried_out(
    listener: Listener, application: WaitingApplication
) -> None:
    with ExitStack() as stack:
        fill(stack, listener, application, *["/large"] * CONNECTIONS_MAX)
        asked(stack, listener, "/now")
        until(lambda: bool(listener.released))
        application.go_on.set()

        until(lambda: len(application.done) == CONNECTIONS_MAX)
        until(lambda: not listener.released)


def test_the_connections_of_a_client_that_has_left_are_closed_while_their_requests_wait(
    listener: Listener, application: WaitingApplication
) -> None:
    with ExitStack() as stack:
        fill(stack, listener, application, *["/large"] * 3)
    until(lambda: not listener.connections)

    assert application.done == []
    application.go_on.set()
    until(lambda: len(application.done) == 3)


def test_a_peer_that_stays_keeps_nothing_of_its_request(
    application: WaitingApplication, listener: Listener
) -> None:
    with gevent.socket.create_connection(("127.0.0.1", listener.server_port)) as peer:
        peer.sendall(b"POST /now HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody")
        assert peer.recv(100).startswith(b"HTTP/1.1 200 ")
        gevent.sleep(0.01)
        (connection,) = listener.connections
        kept = [each for each in gc.get_referents(connection.__dict__) if isinstance(each, dict)]

    assert not any("wsgi.input" in each for each in kept)
