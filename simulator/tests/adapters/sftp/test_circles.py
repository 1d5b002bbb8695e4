"""Connections without a login leave nothing for the garbage collector, which looks seldom."""

import gc
import socket
import threading
from contextlib import suppress

import gevent
import pytest

from simulator.adapters.sftp import connections as module
from simulator.adapters.sftp.connections import SftpConnections
from simulator.adapters.sftp.transport import IncomingTransport
from simulator.adapters.sftp.users import SftpLimits
from simulator.tests.adapters.sftp.conftest import new_key

PATIENCE_S, WAIT_S_MAX = 0.1, 20


@pytest.fixture
def connections(tmp_path) -> SftpConnections:
    key = tmp_path / "key"
    new_key(key)
    return SftpConnections(key.read_text(), lambda name: None, SftpLimits())


def impatient(accepted: socket.socket) -> IncomingTransport:
    """The library waits so long for a name, and for the keys that follow it."""
    made = IncomingTransport(accepted)
    made.banner_timeout = made.handshake_timeout = PATIENCE_S
    return made


def read(client: socket.socket, *, stays: bool) -> None:
    """Leave once the server has said its name, or where it ends the connection."""
    with client, suppress(ConnectionResetError):
        while client.recv(1024) and stays:
            pass


def connect(connections: SftpConnections, sent: bytes, *, stays: bool) -> None:
    """A client that sends this and leaves, or stays until it has waited too long."""
    accepted, client = socket.socketpair()
    client.settimeout(WAIT_S_MAX)
    serving = gevent.spawn(connections.serve, accepted, ("127.0.0.1", 1))
    client.sendall(sent)
    # Nothing is patched here: this thread serves the connection, and another one leaves.
    leaving = threading.Thread(target=read, args=(client,), kwargs={"stays": stays})
    leaving.start()
    serving.join(WAIT_S_MAX)
    leaving.join()
    assert serving.ready()
    # A timer of the library that is called off holds the connection until it has ended.
    for each in threading.enumerate():
        if isinstance(each, threading.Timer):
            each.join(WAIT_S_MAX)


# Behind a line that is no name the library waits 2 s for another one, as it does for the first.
@pytest.mark.parametrize(
    ("sent", "stays"),
    [
        (b"", False),
        (b"", True),
        (b"SSH-2.0-x\r\n", False),
        (b"SSH-2.0-x\r\n", True),
        (b"GET / HTTP/1.1\r\n\r\n", False),
    ],
    ids=["nothing-leaves", "nothing-stays", "a name-leaves", "a name-stays", "HTTP-leaves"],
)
def test_a_connection_without_a_login_is_free_once_it_ends(
    connections: SftpConnections, monkeypatch: pytest.MonkeyPatch, sent: bytes, *, stays: bool
) -> None:
    monkeypatch.setattr(module, "IncomingTransport", impatient)
    connect(connections, sent, stays=stays)
    gc.freeze()
    gc.disable()
    try:
        connect(connections, sent, stays=stays)
        left = gc.collect()
    finally:
        gc.enable()

    assert left == 0
