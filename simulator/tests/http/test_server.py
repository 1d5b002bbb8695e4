"""The listeners over real sockets: what hostile, slow and old-fashioned clients get."""

import json
import os
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from simulator.tests.http.tiny_client import HOST, Running, ask, read_reply, tiny_server
from simulator.tests.http.tiny_server import LONG_BYTES

SLOW_TAKERS = 30
# That of all answers that are not taken, and something beside it.
BUDGET_BYTES = 64 * 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Running]:
    with tiny_server(tmp_path_factory.mktemp("tiny")) as running:
        yield running


@pytest.fixture
def peer(server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.plain), timeout=5) as connection:
        yield connection


def test_a_request_reaches_the_application_with_its_body(peer):
    reply = ask(peer, b"POST /a HTTP/1.1", b"Content-Length: 5", body=b"a=b+c")

    assert reply.status == 200
    assert (reply.seen["body"], reply.seen["listener"]) == ("a=b+c", "plain")


REFUSED = {
    "no request line": (b"nonsense\r\n\r\n", 400),
    "no version": (b"GET /\r\n\r\n", 400),
    "an unknown version": (b"GET / HTTP/3.0\r\n" + HOST + b"\r\n", 400),
    "half a version": (b"GET / HTTP/1\r\n" + HOST + b"\r\n", 400),
    "a target that is no path": (b"GET payments HTTP/1.1\r\n" + HOST + b"\r\n", 400),
    "bytes of another protocol": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", 400),
    "two hosts": (b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n", 400),
    "a header without a colon": (b"GET / HTTP/1.1\r\n" + HOST + b"Nonsense\r\n\r\n", 400),
    "a blank before the colon": (b"GET / HTTP/1.1\r\n" + HOST + b"A : b\r\n\r\n", 400),
    "a folded header": (b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n c\r\n\r\n", 400),
    "a NUL in a header": (b"GET / HTTP/1.1\r\n" + HOST + b"A: b\x00c\r\n\r\n", 400),
    "a length that is a word": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: few\r\n\r\n",
        400,
    ),
    "a negative length": (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: -1\r\n\r\n", 400),
    "a length with a sign": (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: +1\r\n\r\na", 400),
    "two lengths": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        400,
    ),
    "length and chunks": (
        b"POST / HTTP/1.1\r\n"
        + HOST
        + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "an unknown coding": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        501,
    ),
    "a chunk without a size": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
        400,
    ),
    "a chunk that is too long": (
        b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
        400,
    ),
    "a long request line": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
    "a long header": (b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"b" * 5000 + b"\r\n\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 2000 + b"\r\n", 431),
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED)
def test_an_unreadable_request_is_answered_in_json_and_the_connection_closed(peer, sent, status):
    peer.sendall(sent)

    reply = read_reply(peer)

    assert (reply.status, reply.seen) == (status, {"status": status})
    assert reply.headers["content-type"].startswith("application/json")
    # Some of these statuses may be kept by a cache that is not forbidden to.
    assert reply.headers["cache-control"] == "no-store" and "date" in reply.headers
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert peer.recv(1) == b""


def test_a_chunked_body_looks_like_any_other(peer):
    body = b"2;name=value\r\na=\r\n3\r\nb+c\r\n0\r\nTrailer: x\r\n\r\n"

    reply = ask(peer, b"POST / HTTP/1.1", b"Transfer-Encoding: chunked", body=body)

    assert (reply.seen["body"], reply.seen["length"]) == ("a=b+c", 5)
    assert "HTTP_TRANSFER_ENCODING" not in reply.seen["headers"]
    assert ask(peer, b"GET /next HTTP/1.1").seen["path"] == "/next"


def test_a_client_that_expects_100_continue_receives_it(peer):
    peer.sendall(
        b"POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n" + HOST + b"\r\n"
    )

    assert read_reply(peer).status == 100
    peer.sendall(b"a=b")
    assert read_reply(peer).seen["body"] == "a=b"


@pytest.mark.parametrize("is_tls", [False, True], ids=["plain", "tls"])
def test_peers_that_do_not_take_their_answers_cost_no_memory_and_no_time_of_others(server, is_tls):
    before = resident_bytes(server.process.pid)
    with ExitStack() as held:
        for _ in range(SLOW_TAKERS):
            taker = held.enter_context(slow_taker(server, is_tls=is_tls))
            taker.sendall(b"GET /long HTTP/1.1\r\n" + HOST + b"\r\n")
        with socket.create_connection(("127.0.0.1", server.plain), timeout=5) as other:
            assert ask(other, b"GET /a HTTP/1.1").status == 200
        assert resident_bytes(server.process.pid) - before < BUDGET_BYTES


def test_a_peer_that_takes_a_long_answer_late_gets_all_of_it(server):
    with slow_taker(server, is_tls=False) as peer:
        peer.sendall(b"GET /long HTTP/1.1\r\n" + HOST + b"\r\n")
        time.sleep(0.3)
        assert read_reply(peer).body == b"a" * LONG_BYTES
        assert ask(peer, b"GET /next HTTP/1.1").seen["path"] == "/next"


def slow_taker(server: Running, *, is_tls: bool) -> socket.socket:
    """A connection that takes little before it is read."""
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.settimeout(5)
    peer.connect(("127.0.0.1", server.tls if is_tls else server.plain))
    if not is_tls:
        return peer
    context = ssl.create_default_context(cafile=server.folder / "ca.pem")
    return context.wrap_socket(peer, server_hostname="localhost")


def resident_bytes(pid: int) -> int:
    """The memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_a_client_that_waits_for_leave_with_a_body_too_long_is_refused_at_once(peer):
    reply = ask(peer, b"POST / HTTP/1.1", b"Content-Length: 100001", b"Expect: 100-continue")

    assert reply.status == 413


@pytest.mark.parametrize("excess", [1, 3_000_000])
def test_a_body_over_the_limit_is_not_kept_but_its_sender_reads_the_answer(peer, excess):
    size = 100_000 + excess

    reply = ask(peer, b"POST / HTTP/1.1", b"Content-Length: %d" % size, body=b"a" * size)

    assert (reply.status, reply.seen["length"], reply.seen["body"]) == (413, size, "")
    assert reply.headers["connection"] == "close"


def test_a_chunked_body_over_the_limit_is_not_kept_either(peer):
    chunk = b"ffff\r\n" + b"a" * 0xFFFF + b"\r\n"

    reply = ask(
        peer, b"POST / HTTP/1.1", b"Transfer-Encoding: chunked", body=chunk * 3 + b"0\r\n\r\n"
    )

    assert (reply.status, reply.seen["body"]) == (413, "")


def test_a_long_body_that_ends_early_is_refused_while_the_application_reads_it(peer):
    peer.sendall(b"POST / HTTP/1.1\r\nContent-Length: 50000\r\n" + HOST + b"\r\n" + b"a" * 20_000)
    peer.shutdown(socket.SHUT_WR)

    assert read_reply(peer).status == 400


def test_a_long_body_that_does_not_arrive_in_time_is_answered_408(peer):
    peer.sendall(b"POST / HTTP/1.1\r\nContent-Length: 50000\r\n" + HOST + b"\r\n" + b"a" * 20_000)

    assert read_reply(peer).status == 408


def test_a_request_that_asks_for_another_protocol_is_served_in_this_one(peer):
    upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAE"

    reply = ask(peer, b"POST /a HTTP/1.1", upgrade, b"Content-Length: 5", body=b"a=b+c")

    assert (reply.status, reply.seen["body"]) == (200, "a=b+c")
    assert ask(peer, b"GET /next HTTP/1.1").seen["path"] == "/next"


def test_a_streamed_body_may_be_longer_and_is_read_by_the_application(peer):
    size = 1_000_000

    reply = ask(peer, b"POST /upload HTTP/1.1", b"Content-Length: %d" % size, body=b"x" * size)

    assert (reply.status, json.loads(reply.body)) == (200, {"read": size})
    assert reply.headers["connection"] == "close"


def test_a_streamed_body_may_come_in_chunks(peer):
    chunks = b"".join(b"%x\r\n%b\r\n" % (50_000, b"x" * 50_000) for _ in range(10)) + b"0\r\n\r\n"

    reply = ask(peer, b"POST /upload HTTP/1.1", b"Transfer-Encoding: chunked", body=chunks)

    assert (reply.status, json.loads(reply.body)) == (200, {"read": 500_000})


def test_a_streamed_body_that_is_not_read_does_not_hinder_the_answer(peer):
    size = 1_000_000

    reply = ask(peer, b"POST /upload?no HTTP/1.1", b"Content-Length: %d" % size, body=b"x" * size)

    assert (reply.status, json.loads(reply.body)) == (200, {"read": 0})


def test_a_body_that_ends_early_never_reaches_the_application(peer):
    peer.sendall(b"POST / HTTP/1.1\r\nContent-Length: 10\r\n" + HOST + b"\r\na=b")
    peer.shutdown(socket.SHUT_WR)

    assert read_reply(peer).status == 400


SLOW = {
    "header": b"GET / HTTP/1.1\r\nHost: loc",
    "body": b"POST / HTTP/1.1\r\nContent-Length: 10\r\n" + HOST + b"\r\na=b",
    "chunk": b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + HOST + b"\r\n5\r\na=",
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_a_request_that_does_not_arrive_in_time_is_answered_408(peer, sent):
    peer.sendall(sent)

    assert read_reply(peer).status == 408


def test_a_header_that_drips_in_is_not_waited_for_any_longer(peer):
    peer.sendall(b"GET / HTTP/1.1\r\nA: ")
    began = time.monotonic()
    for _ in range(4):
        peer.sendall(b"b")
        time.sleep(0.05)

    assert read_reply(peer).status == 408
    assert time.monotonic() - began < 0.9


def test_a_silent_connection_is_closed_without_an_answer(peer):
    assert peer.recv(1) == b""


def test_a_connection_serves_one_request_after_another(peer):
    assert [ask(peer, b"GET /%d HTTP/1.1" % n).seen["path"] for n in range(3)] == ["/0", "/1", "/2"]


def test_pipelined_requests_are_answered_in_order(peer):
    peer.sendall(b"".join(b"GET /%d HTTP/1.1\r\n" % n + HOST + b"\r\n" for n in range(5)))

    assert [read_reply(peer).seen["path"] for _ in range(5)] == [f"/{n}" for n in range(5)]


def test_an_old_client_is_served_once(peer):
    peer.sendall(b"GET /old HTTP/1.0\r\n\r\n")

    reply = read_reply(peer)

    assert (reply.seen["path"], reply.headers["connection"]) == ("/old", "close")
    assert peer.recv(1) == b""


def test_the_answer_to_a_client_that_asks_to_close_says_so(peer):
    reply = ask(peer, b"GET / HTTP/1.1", b"Connection: close")

    assert reply.headers["connection"] == "close"
    assert peer.recv(1) == b""


def test_a_whole_url_as_target_means_its_path(peer):
    assert (
        ask(peer, b"GET http://localhost/v1/payments?a=b HTTP/1.1").seen["path"] == "/v1/payments"
    )


def test_a_refused_head_request_gets_no_body(peer):
    peer.sendall(b"HEAD / HTTP/1.1\r\nContent-Length: 1\r\n" + HOST + b"\r\na")

    assert read_reply(peer, method="HEAD").status == 400
    assert peer.recv(1) == b""


@pytest.mark.parametrize("length", [b"0", b"00"])
def test_a_head_request_with_a_length_of_0_has_no_body(peer, length):
    peer.sendall(b"HEAD / HTTP/1.1\r\nContent-Length: " + length + b"\r\n" + HOST + b"\r\n")
    reply = read_reply(peer, method="HEAD")

    assert reply.status == 200 and "connection" not in reply.headers


def test_a_head_request_in_chunks_is_refused(peer):
    chunked = b"Transfer-Encoding: chunked\r\n"
    peer.sendall(b"HEAD / HTTP/1.1\r\n" + chunked + HOST + b"\r\n0\r\n\r\n")

    assert read_reply(peer, method="HEAD").status == 400


def test_an_application_that_fails_is_answered_500_in_json(peer):
    reply = ask(peer, b"GET /boom HTTP/1.1")

    assert (reply.status, reply.seen) == (500, {"status": 500})


def test_an_answer_in_pieces_is_sent_in_chunks(peer):
    peer.sendall(b"GET /stream HTTP/1.1\r\n" + HOST + b"\r\n")

    assert read_reply(peer).headers["transfer-encoding"] == "chunked"
    body = b""
    while not body.endswith(b"0\r\n\r\n"):
        body += peer.recv(100)
    assert body == b"4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n"


def test_an_answer_whose_sandbox_is_deleted_meanwhile_is_cut_without_a_trace(tmp_path, capfd):
    with tiny_server(tmp_path) as running:
        address = ("127.0.0.1", running.plain)
        with socket.create_connection(address, timeout=5) as connection:
            connection.sendall(b"GET /gone HTTP/1.1\r\n" + HOST + b"\r\n")
            received = b"".join(iter(lambda: connection.recv(1000), b""))
        with socket.create_connection(address, timeout=5) as connection:
            assert ask(connection, b"GET / HTTP/1.1").status == 200

    assert received.endswith(b"\r\n4\r\none \r\n")
    assert "Traceback" not in capfd.readouterr().err


def test_a_header_with_an_underscore_cannot_pass_for_another(peer):
    headers = ask(peer, b"GET / HTTP/1.1", b"X_A: forged", b"X-A: real").seen["headers"]

    assert headers["HTTP_X_A"] == "real"


def test_an_answer_does_not_wait_for_a_delayed_acknowledgement(peer):
    began = time.monotonic()
    for _ in range(20):
        ask(peer, b"POST / HTTP/1.1", b"Content-Length: 3", body=b"a=b")

    assert time.monotonic() - began < 20 * 0.04


def test_a_client_that_trusts_the_local_authority_is_served_over_tls(server):
    context = ssl.create_default_context(cafile=server.folder / "ca.pem")
    with (
        socket.create_connection(("127.0.0.1", server.tls), timeout=5) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as secure,
    ):
        seen = ask(secure, b"GET / HTTP/1.1").seen

        assert (seen["listener"], seen["scheme"]) == ("tls", "https")


def test_a_client_that_does_not_trust_it_does_not_disturb_the_server(server):
    with pytest.raises(ssl.SSLCertVerificationError):
        ssl.create_default_context().wrap_socket(
            socket.create_connection(("127.0.0.1", server.tls), timeout=5),
            server_hostname="localhost",
        )
    test_a_client_that_trusts_the_local_authority_is_served_over_tls(server)


def test_a_plain_request_to_the_tls_port_is_dropped(server):
    with socket.create_connection(("127.0.0.1", server.tls), timeout=5) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n")

        with suppress(ConnectionResetError):
            assert b"HTTP" not in plain.recv(100)
