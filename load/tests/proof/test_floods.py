"""Hostile connections do not keep others waiting. `make proof` repeats it for longer."""

import json
import signal
import socket
import ssl

import pytest

from load.gateway.server import start_gateway, start_server
from load.proof.floods import FLOODS, HELD, LONG, POST, WRONG_TOKEN, port_of, run_flood
from simulator.client.processes import gateway_command

SECONDS = 0.8
CONNECTIONS = 4
# Other tests have the same cores; the proof has 0.25 s on a quiet machine.
LONGEST_S = 1.0
STOP_S = 5.0
FEW_FILES = 400
MEBIBYTE = 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with start_gateway(tmp_path_factory.mktemp("flooded") / "data") as running:
        yield running


@pytest.mark.parametrize("name", FLOODS)
def test_others_are_served_during_a_flood(server, name):
    result = run_flood(server, name, connections=CONNECTIONS, seconds=SECONDS)

    assert result.unanswered == 0
    assert result.p99_s < LONGEST_S
    assert result.growth_bytes < 64 * MEBIBYTE


@pytest.mark.parametrize("name", HELD)
def test_connections_that_wait_take_little_memory(server, name):
    result = run_flood(server, name, connections=100, seconds=0.3)

    assert result.unanswered == 0
    assert result.growth_bytes < 40 * MEBIBYTE


def test_what_was_refused_is_not_kept_while_its_peer_stays(server):
    result = run_flood(server, "a header that is too long", connections=800, seconds=0.5)

    # All of it would be 51 MiB. What still arrives may have 20 MiB.
    assert result.growth_bytes < 32 * MEBIBYTE


HEADS = {
    "no token": (POST, 401),
    "a wrong token": (POST + WRONG_TOKEN, 403),
    "no method of the path": (POST.replace(b"POST", b"DELETE"), 405),
    "a path that is not there": (POST.replace(b"/v1/payments", b"/v1/nothing"), 404),
    "a wrong control key": (
        POST.replace(b"/v1/payments", b"/_sandbox/v1/sandboxes") + WRONG_TOKEN,
        401,
    ),
}


@pytest.mark.parametrize(("head", "status"), HEADS.values(), ids=HEADS)
def test_a_long_body_is_not_waited_for_where_the_head_is_refused(server, head, status):
    with socket.create_connection(("127.0.0.1", port_of(server, "base_url")), timeout=5) as peer:
        peer.sendall(head + LONG)

        assert peer.recv(100).startswith(b"HTTP/1.1 %d " % status)


def test_a_long_body_that_ends_early_is_answered_as_a_short_one(server):
    token = f"Authorization: Bearer {server.facts['token']}\r\n".encode()
    answers = []
    for size in (1000, 100_000):
        with socket.create_connection(("127.0.0.1", port_of(server, "base_url"))) as peer:
            peer.settimeout(5)
            peer.sendall(POST + token + b"Content-Length: %d\r\n\r\na=b" % size)
            peer.shutdown(socket.SHUT_WR)
            head, _, body = b"".join(iter(lambda: peer.recv(4096), b"")).partition(b"\r\n\r\n")
            result, details = (json.loads(body)[name] for name in ("result", "resultDetails"))
            answers.append((head.split(b"\r\n")[0], result, details))

    assert answers[0] == answers[1]
    assert answers[0][0] == b"HTTP/1.1 400 Bad Request"


def test_an_older_login_is_looked_for_in_short_bodies_only(server):
    body = b"a=b&" * 20_000
    with socket.create_connection(("127.0.0.1", port_of(server, "base_url")), timeout=5) as peer:
        peer.sendall(POST + b"Content-Length: %d\r\n\r\n" % len(body))

        assert peer.recv(100).startswith(b"HTTP/1.1 401 ")


@pytest.fixture(scope="module")
def poor_server(tmp_path_factory):
    """A gateway that may open few files, and so has few connections."""
    data = tmp_path_factory.mktemp("poor") / "data"
    command = gateway_command("--port", "0", "--data", str(data))
    limited = ["sh", "-c", f'ulimit -n {FEW_FILES}; exec "$@"', "sh", *command]
    with start_server(limited) as running:
        yield running


@pytest.mark.parametrize("name", ["base_url", "tls_url"])
def test_many_silent_connections_leave_room_for_others(poor_server, name):
    port = port_of(poor_server, name)
    silent = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(100)]
    with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
        peer = plain if name == "base_url" else unchecked_tls().wrap_socket(plain)
        peer.sendall(b"GET /_sandbox/health HTTP/1.1\r\nHost: localhost\r\n\r\n")

        assert peer.recv(100).startswith(b"HTTP/1.1 200 ")
    assert silent[0].recv(1) == b""
    silent[-1].setblocking(False)
    with pytest.raises(BlockingIOError):
        silent[-1].recv(1)
    for connection in silent:
        connection.close()


def unchecked_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_gateway_stops_under_a_flood(tmp_path, number):
    chosen = FLOODS["chunk trailers"]
    with (
        start_gateway(tmp_path / "data", "--grace", "1") as server,
        socket.create_connection(("127.0.0.1", port_of(server, "base_url"))) as flooding,
    ):
        flooding.sendall(chosen.opening + chosen.piece * 100)
        server.process.send_signal(number)

        assert server.process.wait(STOP_S) == 0
