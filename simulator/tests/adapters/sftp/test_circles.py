"""Connections without a login leave nothing for the garbage collector, which looks seldom."""

import gc
import socket
import threading

import gevent
import pytest

from simulator.adapters.sftp import connections as module
from simulator.adapters.sftp.connections import SftpConnections
from simulator.adapters.sftp.transport import IncomingTransport
from simulator.adapters.sftp.users import SftpLimits
from simulator.tests.adapters.sftp.conftest import new_key

PATIENCE_S = 0.5


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


def connect(connections: SftpConnections, sent: bytes, *, stays: bool) -> None:
    """A client that sends this and leaves, or stays until it has waited too long."""
    accepted, client = socket.socketpair()
    serving = gevent.spawn(connections.serve, accepted, ("127.0.0.1", 1))
    client.sendall(sent)
    # Nothing is patched here: this thread serves the connection, and another one leaves.
    leaving = threading.Timer(3 * PATIENCE_S if stays else PATIENCE_S / 5, client.close)
    leaving.start()
    serving.join(5)
    leaving.cancel()
    leaving.join()
    client.close()
    assert serving.ready()
    gevent.sleep(0.1)


@pytest.mark.parametrize("stays", [False, True], ids=["leaves", "stays"])
@pytest.mark.parametrize(
    "sent", [b"", b"SSH-2.0-x\r\n", b"GET / HTTP/1.1\r\n\r\n"], ids=["nothing", "a name", "HTTP"]
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
