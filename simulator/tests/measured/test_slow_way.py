"""A slow way brings everything, later."""

import socket
from threading import Thread
from time import monotonic

from simulator.tests.measured.slow_way import DELAY_S, LOOPBACK, slow_way

SENT = bytes(range(256)) * 2_000


def echo_once(server: socket.socket) -> None:
    connection, _ = server.accept()
    with connection:
        while read := connection.recv(1 << 16):
            connection.sendall(read)


def test_what_a_server_sends_arrives_whole_and_later() -> None:
    with socket.create_server((LOOPBACK, 0)) as server, slow_way(server.getsockname()[1]) as port:
        Thread(target=echo_once, args=(server,), daemon=True).start()
        with socket.create_connection((LOOPBACK, port)) as client:
            began = monotonic()
            client.sendall(SENT[:1])
            first = client.recv(1)
            took_s = monotonic() - began
            Thread(target=send_rest, args=(client,), daemon=True).start()
            came = first + b"".join(iter(lambda: client.recv(1 << 16), b""))

    assert came == SENT
    assert took_s >= DELAY_S[0]


def send_rest(client: socket.socket) -> None:
    client.sendall(SENT[1:])
    client.shutdown(socket.SHUT_WR)


def test_a_server_that_is_not_there_ends_the_connection() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        closed = server.getsockname()[1]
    with slow_way(closed) as port, socket.create_connection((LOOPBACK, port)) as client:
        assert client.recv(1) == b""
