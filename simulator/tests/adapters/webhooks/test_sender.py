"""The sender: which addresses it connects to, what it sends, and every way to get no response."""

from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest
import trustme
from gevent.ssl import PROTOCOL_TLS_SERVER, SSLContext

from simulator.adapters.webhooks.connection import RECEIVE_BYTES, ResponseStatus
from simulator.adapters.webhooks.sender import (
    RESPONSE_TIMEOUT_S,
    Connector,
    HttpRequest,
    Sender,
)
from simulator.domain.webhooks.records import AttemptResult
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.sinks import LOOPBACK, sink, status, unused_port

HERE = AddressPolicy(loopback=True)
HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
ONE_CHUNK = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"


class Link:
    """A sender and the URL it sends to."""

    def __init__(self, url: str, connector: Connector | None = None):
        self.url = url
        self.sender = Sender(connector or Connector(HERE), inbox=None)


def post(link: Link, body: bytes = b"hello", **headers: str) -> AttemptResult:
    return link.sender.send(HttpRequest("POST", link.url, headers, body))


def test_what_is_sent_arrives_as_it_is() -> None:
    with sink() as server:
        link = Link(f"http://{LOOPBACK}:{server.port}/hook?a=b")
        result = post(link, **{"X-Event-Id": "8"})
    (request,) = server.requests
    assert (result.status, result.error, result.is_success) == (200, "", True)
    assert (request.line, request.body) == ("POST /hook?a=b HTTP/1.1", b"hello")
    assert request.headers["x-event-id"] == "8"
    assert request.headers["host"] == f"{LOOPBACK}:{server.port}"


@pytest.mark.parametrize(
    ("code", "taken"),
    [(200, True), (202, True), (204, True), (299, True), (300, False), (302, False), (400, False),
     (404, False), (500, False), (503, False)],
)  # fmt: skip
def test_any_2xx_is_success_and_nothing_else(code: int, taken: bool) -> None:
    with sink(code) as server:
        result = post(Link(server.url))
    assert (result.status, result.is_success) == (code, taken)


def test_a_redirect_is_not_followed() -> None:
    with sink() as other:
        moved = status(307, f"Location: {other.url}")
        with sink(lambda number: moved) as server:
            assert post(Link(server.url)).status == 307
    assert other.requests == []


def test_one_connection_serves_many() -> None:
    with sink() as server:
        link = Link(server.url)
        assert [post(link).status for _ in range(5)] == [200] * 5
    assert server.connections == 1


def test_a_connection_that_was_closed_meanwhile_is_made_anew() -> None:
    with sink(lambda number: status(200) if number != 2 else None) as server:
        link = Link(server.url)
        assert [post(link).status for _ in range(2)] == [200, 200]
    assert len(server.requests) == 3


def test_a_connection_closed_without_an_answer_is_no_success() -> None:
    with sink(lambda number: None) as server:
        result = post(Link(server.url))
    assert (result.status, result.error) == (None, "the connection was closed without an answer")


def test_a_refused_connection_is_no_success() -> None:
    result = post(Link(f"http://{LOOPBACK}:{unused_port()}/"))
    assert (result.status, result.error) == (None, "connection refused")


@pytest.mark.parametrize(
    "answer",
    [lambda number: gevent.sleep(5), lambda number: HALF],
    ids=["no answer", "half an answer"],
)
def test_an_answer_that_takes_too_long_is_none(answer) -> None:
    with sink(answer) as server:
        result = post(Link(server.url, Connector(HERE, response_timeout_s=0.05)))
    assert (result.status, result.error) == (None, "no answer within 0.05 s")


def test_an_answer_has_thirty_seconds() -> None:
    assert Connector().response_timeout_s == RESPONSE_TIMEOUT_S == 30


@pytest.mark.parametrize("answer", [b"SSH-2.0-server\r\n", b"\x00" * 40, b"HTTP/1.1 OK\r\n\r\n"])
def test_an_answer_that_is_no_http_is_no_success(answer: bytes) -> None:
    with sink(lambda number: answer) as server:
        result = post(Link(server.url))
    assert (result.status, result.error) == (None, "the answer is no HTTP")


def test_of_a_long_answer_only_the_beginning_is_read() -> None:
    endless = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 200_000
    with sink(lambda number: endless) as server:
        link = Link(server.url)
        assert [post(link).status for _ in range(2)] == [200, 200]
    assert server.connections == 2


HOSTILE_ANSWERS = {
    "header lines": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 10_000 + b"Content-Length: 0\r\n\r\n",
    "chunks of one byte": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1\r\na\r\n" * 10_000
    + b"0\r\n\r\n",
    "interim responses": b"HTTP/1.1 100 Continue\r\n\r\n" * 2000 + status(200),
}


@pytest.mark.parametrize("answer", HOSTILE_ANSWERS.values(), ids=HOSTILE_ANSWERS)
def test_a_receiver_cannot_keep_the_event_loop_busy(answer: bytes) -> None:
    """Thousands of header lines of one name took 390 ms, in which all others waited."""
    response = ResponseStatus("POST")
    response.feed(answer)
    assert not [*response.items()] and not response._body_buffer

    with sink(lambda number: answer) as server:
        link = Link(server.url)
        assert looks_during(lambda: post(link)) > len(answer) // RECEIVE_BYTES


# fmt: off
WHOLE_ANSWERS = (
    # answer, and whether its connection serves the next request
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=b\r\n\r\nok",           True),
    (b"HTTP/1.1 100 Continue\r\n\r\n" + status(200),                              True),
    (b"HTTP/1.1 204 No Content\r\n\r\n",                                          True),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",         False),
    (b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",                             False),
)
# fmt: on


@pytest.mark.parametrize(("answer", "is_kept"), WHOLE_ANSWERS)
def test_a_connection_is_kept_where_the_answer_lets_it(answer: bytes, is_kept: bool) -> None:
    with sink(lambda number: answer) as server:
        link = Link(server.url)
        assert all(post(link).is_success for _ in range(3))
    assert server.connections == (1 if is_kept else 3)


def test_an_answer_may_come_in_pieces() -> None:
    def in_pieces(number: int) -> bytes:
        for piece in (b"HTTP/1.1 200 O", b"K\r\nContent-Len", b"gth: 2\r\n\r\no"):
            server.links[-1].sendall(piece)
            gevent.sleep(0.005)
        return b"k"

    with sink(in_pieces) as server:
        link = Link(server.url)
        assert [post(link).status for _ in range(2)] == [200, 200]
    assert server.connections == 1


def test_an_answer_without_a_length_ends_with_its_connection() -> None:
    with sink(lambda number: b"HTTP/1.1 202 OK\r\n\r\ntaken", ends=True) as server:
        assert post(Link(server.url)).status == 202


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.0 200 OK\r\n\r\n{}"])
def test_an_answer_without_a_length_is_taken_where_its_connection_stays_open(head: bytes) -> None:
    with sink(lambda number: head) as server:
        link = Link(server.url, Connector(HERE, response_timeout_s=5))
        assert [post(link).status for _ in range(2)] == [200, 200]
    assert server.connections == 2


@pytest.mark.parametrize("half", [HALF, ONE_CHUNK], ids=["length", "chunks"])
def test_an_answer_with_a_length_has_all_its_time(half: bytes) -> None:
    with sink(lambda number: half) as server:
        result = post(Link(server.url, Connector(HERE, response_timeout_s=2)))
    assert (result.status, result.error) == (None, "no answer within 2 s")


@pytest.mark.parametrize("half", [HALF, ONE_CHUNK], ids=["length", "chunks"])
def test_an_answer_with_a_length_that_breaks_off_late_is_no_success(half: bytes) -> None:
    def breaks_off(number: int) -> None:
        server.links[-1].sendall(half)
        gevent.sleep(1)

    with sink(breaks_off) as server:
        result = post(Link(server.url, Connector(HERE, response_timeout_s=2)))
    assert (result.status, result.error) == (None, "the answer is no HTTP")


def test_an_answer_whose_body_is_late_is_taken_whole() -> None:
    def late(number: int) -> bytes:
        server.links[-1].sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA:\r\n\r\no")
        gevent.sleep(0.7)
        return b"k"

    with sink(late) as server:
        link = Link(server.url, Connector(HERE, response_timeout_s=2))
        assert [post(link).status for _ in range(2)] == [200, 200]
    assert server.connections == 1


def test_an_answer_that_breaks_off_is_no_success() -> None:
    with sink(lambda number: HALF, ends=True) as server:
        result = post(Link(server.url))
    assert (result.status, result.error) == (None, "the answer is no HTTP")


def test_a_head_that_does_not_end_is_no_success() -> None:
    endless = b"HTTP/1.1 200 OK\r\n" + b"X-Filler: 0123456789\r\n" * 5000
    with sink(lambda number: endless) as server:
        result = post(Link(server.url))
    assert (result.status, result.error) == (None, "the answer is no HTTP")


def test_what_comes_unasked_is_no_answer_to_the_next_request() -> None:
    def late_refusal(number: int) -> bytes:
        if number == 1:
            gevent.spawn_later(0.01, server.links[0].sendall, status(408))
        return status(200)

    with sink(late_refusal) as server:
        link = Link(server.url)
        results = [post(link)]
        gevent.sleep(0.03)
        results.append(post(link))
    assert [result.status for result in results] == [200, 200]
    assert server.connections == 2


def test_a_long_body_arrives_whole() -> None:
    body = b"0123456789abcdef" * 200_000
    with sink() as server:
        assert post(Link(server.url), body).status == 200
    assert server.requests[0].body == body


def test_there_is_time_for_other_work_while_a_request_is_on_its_way() -> None:
    order = []
    with sink(lambda number: order.append("answered") or status(200)) as server:
        Link(server.url).sender.send(
            HttpRequest("POST", server.url), while_waiting=lambda: order.append("meanwhile")
        )
    assert order == ["meanwhile", "answered"]


def test_the_address_that_was_checked_is_the_one_connected_to() -> None:
    asked = []

    def rebinding(host: str, port: int) -> list[str]:
        # The second answer would lead elsewhere: the name must not be resolved again.
        asked.append(host)
        return [LOOPBACK] if len(asked) == 1 else ["169.254.169.254"]

    with sink() as server:
        link = Link(f"http://shop.example:{server.port}/", Connector(HERE, resolve=rebinding))
        results = [post(link) for _ in range(3)]
    assert [result.status for result in results] == [200] * 3
    assert asked == ["shop.example"]
    assert server.requests[0].headers["host"] == f"shop.example:{server.port}"


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "169.254.169.254", "[fe80::1]", "[::ffff:10.0.0.1]", "0.0.0.0"]
)
def test_a_refused_address_is_never_connected_to(host: str) -> None:
    result = post(Link(f"http://{host}/"))
    assert result.status is None
    assert "is no public address" in result.error


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "localhost"])
def test_however_loopback_is_written_it_is_loopback(host: str) -> None:
    with sink() as server:
        url = f"http://{host}:{server.port}/"
        refused = post(Link(url, Connector(AddressPolicy())))
        taken = post(Link(url))
    assert "is no public address" in refused.error
    assert (taken.status, len(server.requests)) == (200, 1)


def test_a_name_that_resolves_to_a_private_address_is_refused() -> None:
    connector = Connector(HERE, resolve=lambda host, port: ["8.8.8.8", "192.168.0.7"])
    result = post(Link("http://shop.example/", connector))
    assert "shop.example (192.168.0.7) is no public address" in result.error


def test_the_next_address_of_a_name_is_tried_when_the_first_refuses() -> None:
    with sink() as server:
        connector = Connector(HERE, resolve=lambda host, port: ["127.0.0.2", LOOPBACK])
        assert post(Link(f"http://shop.example:{server.port}/", connector)).status == 200


def test_an_unknown_host_name_is_no_success() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise gevent.socket.gaierror(-2, "Name or service not known")

    result = post(Link("http://nowhere.example/", Connector(HERE, resolve=unknown)))
    assert (result.status, result.error) == (None, "the name of the host is not known")


class Authority:
    """A certificate authority, its file, and a server certificate for shop.example."""

    def __init__(self, folder: Path):
        authority = trustme.CA()
        self.file = folder / "ca.pem"
        authority.cert_pem.write_to_path(str(self.file))
        self.context = SSLContext(PROTOCOL_TLS_SERVER)
        authority.issue_cert("shop.example").configure_cert(self.context)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    """One for the module: keys take a while to make."""
    yield Authority(tmp_path_factory.mktemp("authority"))


@pytest.mark.parametrize(
    ("host", "trusted", "error"),
    [
        ("shop.example", True, ""),
        ("shop.example", False, "certificate not trusted"),
        ("other.example", True, "certificate not trusted"),
    ],
)
def test_tls_trusts_an_authority_and_checks_the_name(
    authority: Authority, host: str, trusted: bool, error: str
) -> None:
    ca = authority.file if trusted else None
    connector = Connector(HERE, ca=ca, resolve=lambda name, port: [LOOPBACK])
    with sink(context=authority.context) as server:
        link = Link(f"https://{host}:{server.port}/", connector)
        results = [post(link) for _ in range(2)]
    assert [result.is_success for result in results] == [not error] * 2
    assert error or server.connections == 1
    assert all(result.error.startswith(error) for result in results)


def test_plain_http_where_tls_is_expected_is_no_success() -> None:
    with sink() as server:
        result = post(
            Link(f"https://{LOOPBACK}:{server.port}/", Connector(HERE, response_timeout_s=0.1))
        )
    assert (result.status, server.requests) == (None, [])
    assert result.error
