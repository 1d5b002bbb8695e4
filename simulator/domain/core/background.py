"""Long work that touches nothing of ours: done aside, so that nobody else waits for its end.

A request of a thousand cart items is read, checked, masked and echoed for tens of milliseconds.
Where there is no other place for such work, it is done at once.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
# So many parameters take about a millisecond.
MANY_PARAMETERS = 500


class Aside(Protocol):
    """Does work whose arguments nobody changes meanwhile, and that changes nothing itself."""

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` answers, or raises."""


def at_once(work: Callable[..., Result], *arguments: Any) -> Result:
    """Aside where nobody else waits: in tests, and in commands."""
    return work(*arguments)
