"""Lookups of host names that a name server does not answer delay nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic

import gevent
import pytest

from simulator.adapters.store.commit import in_thread
from simulator.adapters.webhooks import names
from simulator.adapters.webhooks.names import OF_SANDBOX_MAX, NameLookups, resolve_host
from simulator.adapters.webhooks.sender import Connector, HttpRequest, Sender
from simulator.domain.webhooks.targets import AddressPolicy
from simulator.tests.kit.sinks import LOOPBACK, sink

HERE = AddressPolicy(loopback=True)
SOON_S = 2.0
SLOW = "slow.example"
# More than the threads of the disk.
MANY = 40


class SilentNameServer:
    """Does not answer for one name until it is released; `waiting` is how many lookups wait."""

    def __init__(self) -> None:
        self.released = Event()
        self.waiting = 0

    def __call__(self, host: str, port: int, **_: int) -> list[tuple[object, ...]]:
        if host == SLOW:
            self.waiting += 1
            self.released.wait(20)
        return [(2, 1, 6, "", (LOOPBACK, port))]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[SilentNameServer]:
    """In place of the resolver of the system."""
    silent = SilentNameServer()
    monkeypatch.setattr(names, "getaddrinfo", silent)
    yield silent
    silent.released.set()


@contextmanager
def lookups_of(connector: Connector, count: int) -> Iterator[None]:
    """So many lookups of the slow name, under way."""
    request = HttpRequest("POST", f"http://{SLOW}/")
    pending = [gevent.spawn(Sender(connector, inbox=None).send, request) for _ in range(count)]
    gevent.sleep(0.1)
    yield
    gevent.killall(pending)


def test_the_disk_is_written_to_while_lookups_wait(server: SilentNameServer) -> None:
    whole = Connector(HERE)
    first, second, third = (whole.of_sandbox() for _ in range(3))
    began = monotonic()
    with lookups_of(first, MANY), lookups_of(second, MANY), lookups_of(third, MANY):
        assert server.waiting == 3 * OF_SANDBOX_MAX
        assert in_thread(len, "abc") == 3
        assert monotonic() - began < SOON_S


def test_other_sandboxes_look_up_names_meanwhile(server: SilentNameServer) -> None:
    whole = Connector(HERE)
    slow, other = whole.of_sandbox(), whole.of_sandbox()
    with sink() as shop, lookups_of(slow, MANY):
        began = monotonic()
        request = HttpRequest("POST", f"http://shop.example:{shop.port}/")
        assert Sender(other, inbox=None).send(request).status == 200
        assert monotonic() - began < SOON_S
    assert server.waiting == OF_SANDBOX_MAX


def test_the_resolver_gives_each_address_once() -> None:
    assert resolve_host(LOOPBACK, 80) == [LOOPBACK]


def test_a_name_that_is_not_known_is_an_error_of_the_caller() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise OSError(host)

    with pytest.raises(OSError, match="nowhere"):
        NameLookups(unknown).addresses("nowhere.example", 80)
