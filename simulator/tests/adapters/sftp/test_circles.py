"""Connections without a login leave nothing for the garbage collector, which looks seldom."""

import gc
import socket

import gevent
import pytest

from simulator.adapters.sftp.connections import SftpConnections
from simulator.adapters.sftp.users import SftpLimits
from simulator.tests.adapters.sftp.conftest import new_key


@pytest.fixture
def connections(tmp_path) -> SftpConnections:
    key = tmp_path / "key"
    new_key(key)
    return SftpConnections(key.read_text(), lambda name: None, SftpLimits())


def connect(connections: SftpConnections, sent: bytes) -> None:
    """A client that sends this and leaves."""
    accepted, client = socket.socketpair()
    serving = gevent.spawn(connections.serve, accepted, ("127.0.0.1", 1))
    client.sendall(sent)
    gevent.sleep(0.05)
    client.close()
    serving.join(5)
    assert serving.ready()
    gevent.sleep(0.1)


@pytest.mark.parametrize(
    "sent", [b"", b"SSH-2.0-x\r\n", b"GET / HTTP/1.1\r\n\r\n"], ids=["nothing", "a name", "HTTP"]
)
def test_a_connection_without_a_login_is_free_once_it_ends(
    connections: SftpConnections, sent: bytes
) -> None:
    connect(connections, sent)
    gc.freeze()
    gc.disable()
    try:
        connect(connections, sent)
        left = gc.collect()
    finally:
        gc.enable()

    assert left == 0
