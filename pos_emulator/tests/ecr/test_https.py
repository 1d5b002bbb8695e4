"""A client that is slow, large or silent is refused, and holds up no other."""

import http.client
import socket
import ssl
import threading
from contextlib import suppress

import pytest

from pos_emulator.ecr.certificates import server_context
from pos_emulator.ecr.https import HttpsLimits, Reply, serving_https
from pos_emulator.tests.ecr.conftest import ANY_PORT
from pos_emulator.tests.ecr.recording_terminal import AT

CHUNK = b"10001\r\n" + b"x" * 65537 + b"\r\n0\r\n\r\n"
LIMITS = HttpsLimits(request_s=0.4, idle_s=5, send_s=1, connections=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("https")


@pytest.fixture(scope="module")
def context(folder):
    return server_context(folder, ("till.example",), now=AT)


@pytest.fixture
def port(context):
    with serving_https(lambda method, path, headers, body: Reply(200, body), ANY_PORT, context,
                       limits=LIMITS) as port:  # fmt: skip
        yield port


@pytest.fixture
def trusted(folder, context):
    return ssl.create_default_context(cafile=folder / "ca.pem")


def connect(port, trusted):
    plain = socket.create_connection(("127.0.0.1", port), timeout=10)
    return trusted.wrap_socket(plain, server_hostname="localhost")


def echo(port, trusted, body=b"{}"):
    line = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=10)
    line.request("POST", "/", body)
    answer = line.getresponse()
    content = answer.read()
    line.close()
    return answer.status, content


def said_to(port, trusted, *parts):
    """What is received after some bytes were sent, until the connection is closed."""
    with connect(port, trusted) as line:
        for part in parts:
            line.sendall(part)
        received = b""
        while chunk := line.recv(65536):
            received += chunk
        return received


def test_a_till_that_trusts_the_authority_is_answered(port, trusted):
    assert echo(port, trusted) == (200, b"{}")


def test_a_till_that_does_not_is_not_connected(port, trusted):
    with pytest.raises(ssl.SSLCertVerificationError):
        connect(port, ssl.create_default_context())
    assert echo(port, trusted) == (200, b"{}")


def test_many_requests_come_over_one_connection(port, trusted):
    line = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=10)
    for number in range(5):
        line.request("POST", "/", str(number))
        assert line.getresponse().read() == str(number).encode()
    line.close()


def test_a_body_in_chunks_is_read(port, trusted):
    line = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=10)
    line.request("POST", "/", iter([b"one ", b"two"]))
    assert line.getresponse().read() == b"one two"
    line.close()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"POST / HTTP/1.1\r\n\r\n", b"411"),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"411"),
        (b"POST / HTTP/1.1\r\nContent-Length: 65537\r\n\r\n" + b"x" * 65537, b"413"),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", b"411"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNK, b"413"),
        (b"POST / HTTP/1.1\r\nX: " + b"x" * 90_000, b"431"),
        (b"4242424242424242\r\n\r\n", b"400"),
        (b"POST / HTTP/9.9\r\n\r\n", b"505"),
        (b"BREW / HTTP/1.1\r\n\r\n", b"501"),
    ],
)  # fmt: skip
def test_what_is_too_large_or_no_http_is_refused(port, trusted, sent, status):
    answer = said_to(port, trusted, sent)

    assert answer.split(b" ", 2)[1] == status
    assert b"4242" not in answer
    assert echo(port, trusted) == (200, b"{}")


def test_a_request_that_does_not_come_whole_in_time_is_given_up(port, trusted):
    with connect(port, trusted) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\n")
        assert echo(port, trusted) == (200, b"{}")
        assert slow.recv(100) == b""


def test_a_client_that_does_not_shake_hands_is_given_up(port, trusted):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as silent:
        assert echo(port, trusted) == (200, b"{}")
        assert silent.recv(100) == b""


def test_a_client_that_speaks_no_tls_is_given_up(port, trusted):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n\r\n")
        with suppress(ConnectionResetError):
            while plain.recv(1000):
                pass
    assert echo(port, trusted) == (200, b"{}")


def test_the_connection_that_waited_longest_makes_room(port, trusted):
    idle = [connect(port, trusted) for _ in range(LIMITS.connections)]
    for line in idle[1:]:
        line.sendall(b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")
        assert line.recv(1000).startswith(b"HTTP/1.1 200")

    assert echo(port, trusted) == (200, b"{}")

    assert idle[0].recv(100) == b""
    for line in idle:
        line.close()


def test_connections_that_never_ask_do_not_displace_a_till(port, trusted):
    till = http.client.HTTPSConnection("localhost", port, context=trusted, timeout=10)
    idle = []
    for _ in range(3 * LIMITS.connections):
        idle.append(socket.create_connection(("127.0.0.1", port), timeout=10))
        till.request("POST", "/", b"{}")
        assert till.getresponse().read() == b"{}"

    till.close()
    for line in idle:
        line.close()


def test_requests_that_are_carried_out_are_not_cut_off(context, trusted):
    entered, leave = threading.Semaphore(0), threading.Event()

    def respond(method, path, headers, body):
        entered.release()
        leave.wait(10)
        return Reply(200, body)

    statuses = []
    limits = LIMITS._replace(connections=2)
    with serving_https(respond, ANY_PORT, context, limits=limits) as port:
        threads = [
            threading.Thread(target=lambda: statuses.append(echo(port, trusted))) for _ in range(2)
        ]
        for thread in threads:
            thread.start()
            assert entered.acquire(timeout=10)
        with pytest.raises(OSError):
            echo(port, trusted)
        leave.set()
        for thread in threads:
            thread.join(10)

    assert statuses == [(200, b"{}")] * 2


def test_a_certificate_is_kept_and_renewed_for_another_name(folder, context):
    def files():
        return [(folder / name).read_bytes() for name in ("ca.pem", "server.pem")]

    first = files()
    server_context(folder, ("till.example",), now=AT)
    second = files()
    server_context(folder, ("other.example",), now=AT)
    third = files()

    assert first == second
    assert third[0] == first[0]
    assert third[1] != first[1]
    assert (folder / "server-key.pem").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/nexo/", {}, 405),
        ("POST", "/", {}, 404),
        ("POST", "/nexo/../", {}, 404),
        ("POST", "/nexo", {}, 400),
        ("POST", "/nexo/?x=1", {}, 400),
        ("POST", "/nexo/", {"Origin": "https://shop.example"}, 403),
        ("HEAD", "/nexo/", {}, 405),
    ],
)
def test_only_a_till_is_answered_at_its_path(till, method, path, headers, status):
    port = int(till.url.split(":")[2].split("/")[0])
    trusted = ssl.create_default_context(cafile=till.ca)
    line = http.client.HTTPSConnection("127.0.0.1", port, context=trusted, timeout=10)
    line.request(method, path, None if method in ("GET", "HEAD") else b"{}", headers)
    assert line.getresponse().status == status
    line.close()
