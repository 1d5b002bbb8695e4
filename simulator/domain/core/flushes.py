"""What makes a unit durable that was stored without waiting for the disk, and what is being stored.

Choices: D-388, D-671.
"""

from contextlib import AbstractContextManager
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


class BeingStored(Protocol):
    """Knows what is being stored of an instant that was read before."""

    def storing(self) -> AbstractContextManager[None]:
        """Entered before an instant is read that is stored, and left once it is."""

    def wait_stored(self) -> None:
        """Return once everything is stored, or refused, that was being stored at the call: what is
        read from then on has all that is of the time before.
        """
