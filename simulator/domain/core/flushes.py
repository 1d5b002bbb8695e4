"""What makes a unit durable that was stored without waiting for the disk. Choice: D-671."""

from typing import Protocol


class Flush(Protocol):
    """What makes a unit durable that was stored without waiting for the disk."""

    is_over: bool
    """Whether it ended: there is nothing to wait for."""

    def wait(self) -> None:
        """Return when the unit is durable. Raises DiskError, then and at every later call, where
        the disk refused it and it was taken back.
        """


class _Flushed:
    """The Flush of units that are durable when they are stored, or are never written."""

    is_over = True

    def wait(self) -> None:
        """Return at once."""


FLUSHED: Flush = _Flushed()
