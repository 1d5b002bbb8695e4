"""Gateways of one fleet in this process, each with its internal listener."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from wsgiref.types import StartResponse, WSGIApplication

from falcon.testing import TestClient

from simulator.adapters.http.server import (
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.tests.kit.gateway import Gateway

MEMBERS = 3
PEER_KEY = "the-key-of-the-fleet-of-tests"


class Member(NamedTuple):
    """A gateway and its internal listener."""

    gateway: Gateway
    internal: Listener


class Fleet(NamedTuple):
    """Members that share database and data folder."""

    members: list[Member]
    store: str
    data: Path

    @property
    def gateways(self) -> list[Gateway]:
        return [member.gateway for member in self.members]


def start(data: Path, store: str, throttle: str = "off", idle: float = 0) -> Member:
    gateway = Gateway(
        data,
        store=store,
        durability="disk",
        peer_key=PEER_KEY,
        throttle=throttle,
        idle=idle,
        is_described=False,
    )
    gateway.client = TestClient(as_served(gateway.member.gateway))
    options = ListenerOptions(lambda status, reason: gateway.answer(status), new_budgets())
    internal = open_listener("peer", ("127.0.0.1", 0), gateway.member.internal, options=options)
    # One whose lease is over ends its process, which is that of the tests.
    with mock.patch("simulator.fleet._end", lambda: None):
        gateway.member.begin(f"http://127.0.0.1:{internal.server_port}/")
    return Member(gateway, internal)


def as_served(application: WSGIApplication) -> WSGIApplication:
    """An application that gets what a listener gives it: the body at hand, which the client of
    tests wraps. What is not at hand is never forwarded.
    """

    def served(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.input"] = environ["wsgi.input"].input
        environ.setdefault("sandgate.listener", "plain")
        environ.setdefault("REMOTE_ADDR", "127.0.0.1")
        return application(environ, start_response)

    return served


def stop(member: Member) -> None:
    close_listeners([member.internal], grace_s=1)
    member.gateway.close()
