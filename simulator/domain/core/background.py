"""Long work that shares no state: done in the background, so that no other request waits for it.

A request of a thousand cart items is read, checked, masked and echoed for tens of milliseconds.
Where there is no other place for such work, it is done at once.
"""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

Result = TypeVar("Result")
# So many parameters take about a millisecond, and so many characters.
MANY_PARAMETERS = 500
LONG_REQUEST = 32 * 1024


class Aside(Protocol):
    """Does work whose arguments do not change meanwhile, and that changes nothing itself."""

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` answers, or raises."""

    def of(self, owner: str) -> "Aside":
        """The same, with turns of this owner's own: who has much to do makes no other owner wait
        for all of it.
        """


class AtOnce:
    """At once, where no other request waits: in tests, and in commands."""

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` answers, or raises."""
        return work(*arguments)

    def of(self, owner: str) -> "AtOnce":
        """The same."""
        return self


at_once = AtOnce()
