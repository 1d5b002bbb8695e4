"""Turns of the event loop: how long work lets others go on.

`gevent.sleep(0)` lets the greenlets run that are ready. The loop looks at its sockets only when
fifty of them have run, so work that pauses so after every two milliseconds keeps a request that has
just come waiting for a hundred.
"""

from collections.abc import Hashable
from time import monotonic

from gevent.event import Event
from gevent.hub import get_hub
from gevent.lock import BoundedSemaphore

SLICE_S = 0.002
# Long work waits so long for the requests under way before each of its slices: where there is no
# end of them, it still has a part of the time.
PATIENCE_S = 0.005


def next_turn() -> None:
    """Go on in the next turn of the event loop, which looks at every socket before."""
    hub = get_hub()
    hub.wait(hub.loop.timer(0))


class Slices:
    """Long work in slices: between two of them everybody else has a turn."""

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until = monotonic() + SLICE_S

    def end_if_long(self) -> None:
        """End the slice where it has taken its time."""
        if monotonic() >= self._until:
            next_turn()
            self._until = monotonic() + SLICE_S


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
    """Go on in a next turn of the event loop, when the requests under way are answered."""
    next_turn()
    REQUESTS.wait()
