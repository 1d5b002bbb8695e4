"""A webhook receiver keeps every request and answers with the statuses set for it."""

import socket
from http.client import HTTPConnection
from io import BytesIO
from urllib.parse import urlsplit

import pytest

from simulator.client import Connection
from simulator.client.listener import BODY_BYTES_MAX, ReceivedRequest, chunks_of
from simulator.client.ports import free_port
from simulator.client.receiver import WebhookReceiver, receiving


def test_what_comes_is_kept_and_answered_as_set() -> None:
    with receiving() as receiver:
        receiver.answer_next(500, times=1)
        link = Connection(receiver.url)
        statuses = [
            link.ask("POST", "hook", headers={"X-Number": number}, body=b"text").status
            for number in "12"
        ]
        link.close()
    assert statuses == [500, 200]
    assert [(call.method, call.path, call.headers["x-number"]) for call in receiver.calls(2)] == [
        ("POST", "/hook", "1"),
        ("POST", "/hook", "2"),
    ]
    assert [call.body for call in receiver.calls()] == [b"text", b"text"]
    assert [call.status for call in receiver.calls()] == [500, 200]


def test_a_caller_that_keeps_its_connection_reaches_who_listens_now() -> None:
    listen = f"127.0.0.1:{free_port()}"
    link = Connection(f"http://{listen}/")
    came = []
    for number in "12":
        with receiving(listen) as receiver:
            link.ask("POST", "hook", headers={}, body=number.encode())
            came.append([call.body for call in receiver.calls(1)])
    link.close()
    assert came == [[b"1"], [b"2"]]


def test_only_what_is_wanted_is_waited_for() -> None:
    with receiving() as receiver:
        link = Connection(receiver.url)
        for body in (b"one", b"two", b"one"):
            link.ask("POST", "hook", headers={}, body=body)
        link.close()
        wanted = receiver.calls(2, wanted=lambda call: call.body == b"one")
    assert [call.body for call in wanted] == [b"one", b"one"]


def test_a_body_in_chunks_is_read_whole() -> None:
    with receiving() as receiver:
        connection = HTTPConnection(urlsplit(receiver.url).netloc)
        connection.request("POST", "/", iter([b"one", b"two" * 100]), encode_chunked=True,
                           headers={"Transfer-Encoding": "chunked"})  # fmt: skip
        assert connection.getresponse().status == 200
        connection.close()
    assert [call.body for call in receiver.calls(1)] == [b"one" + b"two" * 100]


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no loopback of IPv6")
def test_an_address_of_either_family_is_listened_on() -> None:
    with receiving("[::1]:0") as receiver:
        link = Connection(receiver.url)
        assert link.ask("POST", "hook", headers={}, body=b"text").status == 200
        link.close()
    assert receiver.url.startswith("http://[::1]:")


def test_what_another_scenario_left_is_forgotten() -> None:
    receiver = WebhookReceiver()
    receiver.answer_next(500, times=3)
    receiver.receive(ReceivedRequest("POST", "/", {}, b"old"))
    receiver.delay_s = 60.0
    receiver.reset()
    assert receiver.receive(ReceivedRequest("POST", "/", {}, b"new")).status == 200
    assert [call.body for call in receiver.calls()] == [b"new"]


@pytest.mark.parametrize(
    "rest",
    [
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"Content-Length: abc\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
    ],
)
def test_a_body_that_cannot_be_read_is_a_call_all_the_same(rest: bytes) -> None:
    with receiving() as receiver:
        parts = urlsplit(receiver.url)
        with socket.create_connection((parts.hostname, parts.port), timeout=5) as link:
            link.sendall(b"POST / HTTP/1.1\r\nHost: h\r\n" + rest)
            assert link.recv(100).startswith(b"HTTP/1.1 200 ")
    assert [call.body for call in receiver.calls(1)] == [b""]


def test_no_more_chunks_are_read_than_a_body_may_have_bytes() -> None:
    size = 0xFFFFF
    source = BytesIO((b"fffff\r\n" + b"x" * size + b"\r\n") * 8)
    assert sum(map(len, chunks_of(source))) < BODY_BYTES_MAX + size
