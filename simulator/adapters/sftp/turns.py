"""Turns: of all SFTP clients together, one is served in each turn of the event loop.

The library handles what has come without ever waiting, so a client that sends much, or many that
send at once, would hold up everybody else. Choice: D-421.
"""

from gevent.hub import get_hub
from gevent.lock import BoundedSemaphore


class Turns:
    """The turns of one server."""

    def __init__(self) -> None:
        self._one = BoundedSemaphore(1)

    def take(self) -> None:
        """Wait for one; everything else that is ready comes before it."""
        with self._one:
            hub = get_hub()
            # A timer, unlike a pause of nothing, lets the loop look at every socket first.
            hub.wait(hub.loop.timer(0))
