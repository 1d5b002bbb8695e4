"""Turns of the event loop: how long work lets others go on.

`gevent.sleep(0)` lets the greenlets run that are ready. The loop looks at its sockets only when
fifty of them have run, so work that pauses so after every two milliseconds keeps a request that has
just come waiting for a hundred.
"""

import random
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

import gevent
from gevent.event import Event
from gevent.hub import get_hub
from gevent.lock import BoundedSemaphore

Item = TypeVar("Item")
# So many connections to a listener wait in the system while others are accepted. Where there is no
# room for one, its client tries again after a second, and then after three.
BACKLOG = 2048
SLICE_S = 0.002
# Long work waits so long for the requests under way before each of its slices: where there is no
# end of them, it still has a part of the time.
PATIENCE_S = 0.005
# A conflict is mostly over as soon as the other change is stored.
AT_ONCE = 3
FIRST_S, LONGEST_S = 0.001, 0.05


def next_turn() -> None:
    """Go on in the next turn of the event loop, which looks at every socket before."""
    hub = get_hub()
    hub.wait(hub.loop.timer(0))


class Turns:
    """Turns that many share: of all of them together, one goes on in each turn of the event loop.
    Where each took turns of its own, all of them would go on in every one.
    """

    __slots__ = ("_one",)

    def __init__(self) -> None:
        self._one = BoundedSemaphore(1)

    def take(self) -> None:
        """Wait for one; everything else that is ready comes before it."""
        with self._one:
            next_turn()


class OwnersTurns:
    """Turns of which `most` are taken at a time, and one of an owner at most: however much an owner
    wants, another one waits for one turn of each who waits before it.
    """

    __slots__ = ("_busy", "_most", "_waiting")

    def __init__(self, most: int):
        self._most = most
        self._busy: set[str] = set()
        # In the order in which the owners come next.
        self._waiting: dict[str, deque[Event]] = {}

    @contextmanager
    def taken(self, owner: str) -> Iterator[None]:
        """Wait for a turn of the owner, and have it."""
        if owner in self._busy or len(self._busy) >= self._most:
            self._wait(owner)
        else:
            self._busy.add(owner)
        try:
            yield
        finally:
            self._end(owner)

    def waiting(self, owner: str) -> int:
        """How many wait for a turn of the owner."""
        return len(self._waiting.get(owner, ()))

    def _wait(self, owner: str) -> None:
        turn = Event()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            turn.wait()
        except BaseException:
            # The request was ended meanwhile.
            if turn.is_set():
                self._end(owner)
            else:
                self._leave(owner, turn)
            raise

    def _leave(self, owner: str, turn: Event) -> None:
        waiting = self._waiting[owner]
        waiting.remove(turn)
        if not waiting:
            del self._waiting[owner]

    def _end(self, owner: str) -> None:
        """End a turn of the owner, who comes behind all others that wait."""
        self._busy.discard(owner)
        if owner in self._waiting:
            self._waiting[owner] = self._waiting.pop(owner)
        following = next((each for each in self._waiting if each not in self._busy), None)
        if following is None:
            return
        waiting = self._waiting.pop(following)
        self._busy.add(following)
        waiting.popleft().set()
        if waiting:
            self._waiting[following] = waiting


# Whose work a greenlet does: that of a sandbox, by its id, of a folder of SFTP, or of none.
EVERYBODY = ""
OWNER: ContextVar[str] = ContextVar("owner", default=EVERYBODY)


def work_for(owner: str) -> None:
    """What this greenlet does from here on is work for `owner`, in whose turns it goes on."""
    OWNER.set(owner)


def work_beside(work: Callable[..., object], *arguments: object) -> gevent.Greenlet:
    """Do work in a greenlet of its own, for the owner that this one works for."""
    owner = OWNER.get()

    def in_its_turns() -> object:
        work_for(owner)
        return work(*arguments)

    return gevent.spawn(in_its_turns)


class OwnedWork:
    """Turns of long work: of all of it together, one slice is done in each turn of the event loop.
    Of the owners that wait each has one in turn, however many greenlets work for it.
    """

    __slots__ = ("_turns",)

    def __init__(self) -> None:
        self._turns = OwnersTurns(1)

    def take(self) -> None:
        """Wait for one; everything else that is ready comes before it."""
        with self._turns.taken(OWNER.get()):
            next_turn()


LONG_WORK = OwnedWork()


class Slices:
    """Long work in slices: between two of them everybody else has a turn, and of all long work one
    slice is done in each turn of the event loop.
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until = monotonic() + SLICE_S

    def end_if_long(self) -> None:
        """End the slice where it has taken its time."""
        if monotonic() >= self._until:
            LONG_WORK.take()
            self._until = monotonic() + SLICE_S


def in_slices(items: Iterable[Item]) -> Iterator[Item]:
    """The items; where it takes long to read them, everybody else has a turn now and then."""
    slices = Slices()
    for item in items:
        slices.end_if_long()
        yield item


def made_in_slices(pieces: Iterable[Item]) -> Generator[Item, None, None]:
    """The same of an answer, which is closed with this."""
    try:
        yield from in_slices(pieces)
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()


# So many long answers are made at a time, and one for who asks: those that wait hold nothing of
# theirs.
ANSWERS = OwnersTurns(8)


def in_turns_of(owner: str, pieces: Iterable[Item]) -> Iterator[Item]:
    """The pieces of a page, in turns of this owner, and one for the first slice too: of all who are
    woken at once, one goes on in each turn of the event loop.
    """
    work_for(owner)
    LONG_WORK.take()
    return in_slices(pieces)


class UnderWay:
    """The requests that are being answered, which come before long work. A request takes several
    turns of the event loop, and would otherwise wait for a slice of that work in each of them.
    """

    __slots__ = ("_none", "_requests")

    def __init__(self) -> None:
        self._requests: set[Hashable] = set()
        self._none = Event()
        self._none.set()

    def begin(self, request: Hashable) -> None:
        """Have long work wait for a request."""
        self._requests.add(request)
        self._none.clear()

    def end(self, request: Hashable) -> None:
        """Let long work go on, unless another request is under way."""
        self._requests.discard(request)
        if not self._requests:
            self._none.set()

    def wait(self) -> None:
        """Wait for all of them, and no longer than `PATIENCE_S`: those that are under way then wait
        for something themselves, or are the long work, and are not waited for again.
        """
        if not self._none.wait(PATIENCE_S):
            self._requests.clear()
            self._none.set()


REQUESTS = UnderWay()


def give_way() -> None:
    """Go on in a turn of long work, when the requests under way are answered."""
    LONG_WORK.take()
    REQUESTS.wait()


def pause(failures: int) -> None:
    """Give the hub to others between the tries of a change that conflicted: without a failure until
    the requests under way are answered, as long work does; at first without a timer, then for a
    random time that grows.
    """
    if not failures:
        give_way()
        return
    if failures <= AT_ONCE:
        gevent.sleep(0)
        return
    longest = min(LONGEST_S, FIRST_S * 2 ** (failures - AT_ONCE))
    gevent.sleep(random.uniform(0, longest))
