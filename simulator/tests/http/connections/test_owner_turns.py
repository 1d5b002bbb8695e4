"""Requests begin in turns of those whose work they are: many of one sandbox hold no other."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import monotonic
from typing import Any
from wsgiref.types import StartResponse

import gevent
import pytest
from gevent import socket
from gevent.hub import get_hub

from simulator.adapters.http.owner_turns import NO_BOUND, SHARE_S, OwnerTurns
from simulator.adapters.http.requests import AHEAD_BYTES_MAX
from simulator.adapters.http.server import (
    Listener,
    ListenerOptions,
    close_listeners,
    new_budgets,
    open_listener,
)
from simulator.adapters.turns import next_turn, work_for

# Two of them are a share.
WORK_S = SHARE_S * 0.6
MANY = 30
# The application is called before such a body is there.
LATE_BYTES = AHEAD_BYTES_MAX + 1


class HandTime:
    """Time that passes where someone works."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> HandTime:
    return HandTime()


@pytest.fixture
def turns(time: HandTime) -> Iterator[OwnerTurns]:
    made = OwnerTurns(clock=time)
    yield made
    made.close()


def begun_in_turns(
    turns: OwnerTurns, time: HandTime, names: list[str], *, work_s: float = WORK_S
) -> list[list[str]]:
    """What began in each turn of the event loop, of requests that have all come in one; the first
    letter of a name is whose it is.
    """
    begun: dict[int, list[str]] = {}

    def work(name: str) -> None:
        turns.take(name[0])
        begun.setdefault(get_hub().loop.iteration, []).append(name)
        time.now += work_s

    made = [gevent.Greenlet(work, name) for name in names]
    next_turn()
    get_hub().loop.run_callback(lambda: [each.switch() for each in made])
    gevent.joinall(made, raise_error=True, timeout=5)
    return list(begun.values())


def test_short_requests_all_begin_at_once(turns: OwnerTurns, time: HandTime) -> None:
    names = [f"a{number}" for number in range(MANY)]
    assert begun_in_turns(turns, time, names, work_s=SHARE_S / MANY / 2) == [names]


def test_those_behind_the_share_of_an_owner_begin_in_later_turns_in_their_order(
    turns: OwnerTurns, time: HandTime
) -> None:
    names = [f"a{number}" for number in range(7)]

    begun = begun_in_turns(turns, time, names)

    assert [name for turn in begun for name in turn] == names
    assert max(map(len, begun)) == 2


def test_one_of_another_owner_waits_for_none_of_them(turns: OwnerTurns, time: HandTime) -> None:
    begun = begun_in_turns(turns, time, [*(f"a{number}" for number in range(7)), "b"])
    assert begun[0] == ["a0", "a1", "b"]


def test_two_owners_of_many_have_the_next_turns_in_rounds(
    turns: OwnerTurns, time: HandTime
) -> None:
    names = [f"{owner}{number}" for owner in "ab" for number in range(4)]

    first, *later = begun_in_turns(turns, time, names)

    assert first == ["a0", "a1", "b0", "b1"]
    assert [name for turn in later for name in turn] == ["a2", "b2", "a3", "b3"]


def test_what_comes_later_waits_behind_those_of_its_owner_that_wait(
    turns: OwnerTurns, time: HandTime
) -> None:
    begun: list[str] = []

    def wait() -> None:
        time.now += 2 * SHARE_S
        turns.take("a")
        begun.append("first")

    def come() -> None:
        # As at the beginning of another turn.
        turns._began.clear()
        turns.take("a")
        begun.append("second")

    turns.take("a")
    made = [gevent.Greenlet(wait), gevent.Greenlet(come)]
    get_hub().loop.run_callback(lambda: [each.switch() for each in made])
    gevent.joinall(made, raise_error=True, timeout=5)

    assert begun == ["first", "second"]


def test_members_begin_all_of_theirs_at_once(time: HandTime) -> None:
    turns = OwnerTurns(clock=time, share_s=NO_BOUND)
    names = [f"a{number}" for number in range(7)]
    assert begun_in_turns(turns, time, names) == [names]


Begun = list[tuple[int, str]]
Ask = Callable[[list[socket.socket], Begun], None]


@pytest.fixture
def begun() -> Begun:
    """The turn of the event loop in which each request began, and its sandbox."""
    return []


@pytest.fixture
def listener(begun: Begun, request: pytest.FixtureRequest) -> Iterator[Listener]:
    """A listener whose requests are of the sandbox that is their path, and take a while."""

    def application(environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        work_for(environ["PATH_INFO"])
        environ["wsgi.input"].read(LATE_BYTES)
        begun.append((get_hub().loop.iteration, environ["PATH_INFO"]))
        until = monotonic() + WORK_S
        while monotonic() < until:
            pass
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]

    name = getattr(request, "param", "plain")
    options = ListenerOptions(lambda status, reason: json.dumps(reason).encode(), new_budgets())
    made = open_listener(name, ("127.0.0.1", 0), application, options=options)
    yield made
    close_listeners([made], grace_s=0)


def send_to_each(peers: list[socket.socket], fields: bytes = b"") -> None:
    """Send a request, or its head, over each, one in ten of another sandbox."""
    for number, peer in enumerate(peers):
        path = b"/many" if number % 10 else b"/other"
        peer.sendall(b"POST %b HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (path, fields))


def take_from_each(peers: list[socket.socket], begun: Begun) -> None:
    """Wait until all have begun, and take what comes."""
    with gevent.Timeout(10):
        while len(begun) < len(peers):
            gevent.sleep(0.001)
    for peer in peers:
        assert peer.recv(1000).startswith(b"HTTP/1.1 200")


def ask_at_once(peers: list[socket.socket], begun: Begun) -> None:
    """Have each ask, and take what comes."""
    begun.clear()
    send_to_each(peers)
    take_from_each(peers, begun)


def send_late_bodies(peers: list[socket.socket], begun: Begun) -> None:
    """Have each ask with a body whose rest comes when all applications wait for it."""
    begun.clear()
    send_to_each(peers, b"Content-Length: %d\r\n" % LATE_BYTES)
    for peer in peers:
        peer.sendall(b"1" * (LATE_BYTES - 1))
    gevent.sleep(0.1)
    assert not begun
    for peer in peers:
        peer.sendall(b"1")
    take_from_each(peers, begun)


def begun_over_open_connections(
    listener: Listener, begun: Begun, ask: Ask = ask_at_once
) -> list[list[str]]:
    """What began in each turn, where many connections send at once."""
    address = ("127.0.0.1", listener.server_port)
    with ExitStack() as stack:
        peers = [
            stack.enter_context(socket.create_connection(address, timeout=5)) for _ in range(MANY)
        ]
        # The first requests are of connections that are new, which have their own turns.
        ask_at_once(peers, begun)
        ask(peers, begun)
    turns = sorted({turn for turn, _ in begun})
    return [[path for turn, path in begun if turn == each] for each in turns]


def test_of_many_open_connections_few_requests_begin_in_one_turn(
    listener: Listener, begun: Begun
) -> None:
    turns = begun_over_open_connections(listener, begun)
    # Two at once, two of those that waited, and the others.
    assert max(map(len, turns)) <= 6
    soon = [path for turn in turns[:4] for path in turn]
    assert soon.count("/other") == 3, "it is known whose their connections are"


@pytest.mark.parametrize("listener", ["plain", "peer"], indirect=True)
def test_of_many_late_bodies_that_end_at_once_one_is_worked_on_in_one_turn(
    listener: Listener, begun: Begun
) -> None:
    turns = begun_over_open_connections(listener, begun, send_late_bodies)
    assert max(map(len, turns)) == 1
    first_half = [path for turn in turns for path in turn][: MANY // 2]
    assert first_half.count("/other") == 3, "it is known whose they are"


@pytest.mark.parametrize("listener", ["peer"], indirect=True)
def test_what_members_send_on_begins_at_once(listener: Listener, begun: Begun) -> None:
    assert max(map(len, begun_over_open_connections(listener, begun))) > 6
