"""One client that opens connections without end delays its own: each address has its turns."""

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from time import monotonic

import gevent
import pytest
from gevent.ssl import SSLContext

from simulator.adapters.http.server import (
    AddressInUseError,
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.http.tls import certificate_for
from simulator.adapters.turns import next_turn

MANY = 300
WORK_S = 0.0005
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def answer(status: int, reason: str) -> bytes:
    return json.dumps({"status": status}).encode()


def application(environ, start_response):
    """One that takes about as long as a payment, in which nothing else goes on."""
    until = monotonic() + WORK_S
    while monotonic() < until:
        pass
    start_response("200 OK", [("Content-Length", "0")])
    return [b""]


@pytest.fixture
def context(tmp_path) -> SSLContext:
    """One whose connections wait in the event loop; the gateway has it from the start."""
    certificate = certificate_for((), folder=tmp_path, now=datetime.now(UTC))
    made = SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(certificate.chain, certificate.key)
    return made


@pytest.fixture(params=["plain", "tls"])
def listener(request, context) -> Iterator[Listener]:
    options = ListenerOptions(answer, new_budgets())
    tls = context if request.param == "tls" else None
    made = open_listener("any", ("127.0.0.1", 0), application, options=options, tls=tls)
    yield made
    close_listeners([made], grace_s=0)


def client_hello() -> bytes:
    """What a client of TLS sends first."""
    outgoing = ssl.MemoryBIO()
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    with pytest.raises(ssl.SSLWantReadError):
        client.wrap_bio(ssl.MemoryBIO(), outgoing).do_handshake()
    return outgoing.read()


def connect(stack: ExitStack, listener: Listener, sent: bytes, *, source: str) -> socket.socket:
    address = ("127.0.0.1", listener.server_port)
    made = stack.enter_context(socket.create_connection(address, 5, (source, 0)))
    made.sendall(sent)
    made.setblocking(False)
    return made


def is_answered(connection: socket.socket) -> bool:
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False


def wait_until(holds: Callable[[], bool]) -> None:
    # The event loop learns how late it is.
    next_turn()
    with gevent.Timeout(10):
        while not holds():
            next_turn()


@pytest.mark.parametrize("source", ["127.0.0.2", "127.0.0.1"], ids=["another", "the same"])
def test_a_new_connection_is_not_served_behind_all_those_of_one_client(listener, source):
    sent = GET if listener.handshakes is None else client_hello()
    with ExitStack() as stack:
        # All of them are there when the listener looks for the first time.
        many = [connect(stack, listener, sent, source="127.0.0.1") for _ in range(MANY)]
        another = connect(stack, listener, sent, source=source)
        wait_until(lambda: is_answered(another))

        # On a busy machine some more are answered before this looks.
        assert sum(map(is_answered, many)) < MANY * 3 // 4


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("acs", "choose another --acs-port, or --port 0 for any free ones"),
        # --port 0 frees no port between members.
        ("peer", "choose another --peer-port, or --peer-port 0 for any free one"),
    ],
)
def test_a_port_that_is_taken_is_refused_with_the_option_of_the_listener(name, advice):
    options = ListenerOptions(answer, new_budgets())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AddressInUseError) as refused:
            open_listener(name, ("127.0.0.1", port), application, options=options)

    assert str(refused.value) == f"127.0.0.1 port {port} is in use; {advice}"
