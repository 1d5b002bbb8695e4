"""A change of stored records, tried again within a bound where another change came first."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from simulator.domain.core.errors import ConflictError, ContentionError

# With a pause before each try these take a few seconds: long enough for hundreds at once.
TRIES_MAX = 100

Result = TypeVar("Result")


class Pausing(Protocol):
    """What keeps records, and lets other work have its turn between two tries."""

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""


def transact(store: Pausing, change: Callable[[], Result]) -> Result:
    """What `change` returns: it reads, decides and commits, and is called again on a conflict.

    Raises what `change` raises, and ContentionError where it conflicts every time.
    """
    for failures in range(1, TRIES_MAX + 1):
        try:
            return change()
        except ConflictError as error:
            conflict = error
        store.pause(failures)
    raise ContentionError(TRIES_MAX) from conflict
