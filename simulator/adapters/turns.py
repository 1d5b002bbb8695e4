"""Turns of the event loop: how long work lets others go on.

`gevent.sleep(0)` lets the greenlets run that are ready. The loop looks at its sockets only when
fifty of them have run, so work that pauses so after every two milliseconds keeps a request that has
just come waiting for a hundred.
"""

from time import monotonic

from gevent.hub import get_hub
from gevent.lock import BoundedSemaphore

SLICE_S = 0.002


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
