"""Turns: of all SFTP clients together, one is served in each turn of the event loop.

The library handles what has come without ever waiting, so a client that sends much, or many that
send at once, would hold up everybody else. Choice: D-421.
"""

from gevent.lock import BoundedSemaphore

from simulator.adapters.turns import next_turn


class Turns:
    """The turns of one server."""

    def __init__(self) -> None:
        self._one = BoundedSemaphore(1)

    def take(self) -> None:
        """Wait for one; everything else that is ready comes before it."""
        with self._one:
            next_turn()
