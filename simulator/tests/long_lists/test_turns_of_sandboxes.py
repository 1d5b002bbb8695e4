"""Sandboxes with long work take turns: how much one wants does not put off another one."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import gevent
import pytest
from gevent.socket import create_connection

from simulator.adapters.http.server import (
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.turns import EVERYBODY, OWNER, work_beside, work_for
from simulator.tests.kit.gateway import Credentials, Gateway

PAYMENTS, READERS = 200, 20
DAYS = {"date.from": "2000-01-01", "date.to": "2099-12-31", "limit": "500"}


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path, is_described=False)
    with closing(made), gevent.Timeout(60):
        yield made


@pytest.fixture
def sent() -> list[str]:
    """Of which token each piece was that a listener sent, in order."""
    return []


@pytest.fixture
def listener(gateway: Gateway, sent: list[str]) -> Iterator[Listener]:
    def noted(who: str, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            sent.append(who)
            yield piece

    def application(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        return noted(environ["HTTP_AUTHORIZATION"], gateway.client.app(environ, start))

    options = ListenerOptions(gateway.answer, new_budgets())
    made = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    yield made
    close_listeners([made], grace_s=0)


def with_payments(gateway: Gateway) -> Credentials:
    """A sandbox whose report is sent in many pieces."""
    made = gateway.sandbox(throttle="off")
    for _ in range(PAYMENTS):
        assert gateway.post(who=made).status_code == 200
    return made


def read_report(listener: Listener, who: Credentials) -> bytes:
    """The whole report, over a connection of its own."""
    query = urlencode({"entityId": who.entity_id, **DAYS})
    lines = (f"GET /v1/query?{query} HTTP/1.1", "Host: localhost", "Connection: close",
             f"Authorization: Bearer {who.token}")  # fmt: skip
    with create_connection(("127.0.0.1", listener.server_port)) as client:
        client.sendall("\r\n".join((*lines, "", "")).encode())
        return b"".join(iter(lambda: client.recv(65536), b""))


def test_many_readers_of_one_sandbox_have_a_turn_as_one_reader_of_another_has(
    gateway: Gateway, listener: Listener, sent: list[str]
) -> None:
    one, other = with_payments(gateway), with_payments(gateway)
    many = [gevent.spawn(read_report, listener, one) for _ in range(READERS)]
    while len(sent) < READERS:
        gevent.sleep(0)
    del sent[:]

    assert b" 200 OK" in read_report(listener, other)

    began = sent.index(f"Bearer {other.token}")
    ended = len(sent) - sent[::-1].index(f"Bearer {other.token}")
    runs = [(who, len([*pieces])) for who, pieces in groupby(sent[began:ended])]
    of_one = [count for who, count in runs if who == f"Bearer {one.token}"]
    assert max(of_one) <= 2
    assert len(of_one) > 3
    gevent.joinall(many, raise_error=True)


def owner_after(work: Callable[[], object]) -> str:
    """Whose work a greenlet does that has done this."""

    def do() -> str:
        work()
        return OWNER.get()

    return str(gevent.spawn(do).get())


def test_what_has_the_ports_of_a_sandbox_works_for_it(gateway: Gateway) -> None:
    shown = gateway.control("GET", "/sandboxes").json["sandboxes"]
    merchant, identity = gateway.merchant, shown[0]["id"]

    assert owner_after(lambda: None) == EVERYBODY
    assert owner_after(lambda: gateway.ports(identity)) == identity
    assert owner_after(lambda: gateway.read("0" * 32, merchant)) == identity
    assert owner_after(lambda: gateway.control("GET", f"/sandboxes/{identity}/pending")) == identity


def test_work_beside_is_for_the_owner_of_what_begins_it(gateway: Gateway) -> None:
    identity = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    seen: list[str] = []

    def begin() -> None:
        ports: Any = gateway.ports(identity)
        work_beside(lambda: seen.append(OWNER.get())).join()
        ports.scheduler.run_job("any", lambda: seen.append(OWNER.get()))

    gevent.spawn(begin).get()

    assert seen == [identity] * 2


def test_each_request_on_a_connection_has_the_owner_of_its_own(gateway: Gateway) -> None:
    seen: list[str] = []

    def application(environ: dict[str, Any], start: Any) -> list[bytes]:
        seen.append(OWNER.get())
        work_for("one")
        start("200 OK", [("Content-Length", "0")])
        return [b""]

    options = ListenerOptions(gateway.answer, new_budgets())
    listener = open_listener("plain", ("127.0.0.1", 0), application, options=options)
    with create_connection(("127.0.0.1", listener.server_port)) as client:
        for _ in range(2):
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.recv(1024)
    close_listeners([listener], grace_s=0)

    assert seen == [EVERYBODY] * 2
