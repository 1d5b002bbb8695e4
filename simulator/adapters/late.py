"""Parts whose library is loaded when they are first needed: few gateways ever need them, and each
takes as long to load as a hundred payments.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from gevent.lock import BoundedSemaphore

from simulator.adapters.store.commit import in_thread

Part = TypeVar("Part")


class LatePart(Generic[Part]):
    """A part that is made of `arguments` by what `load` returns. That imports in a thread, in which
    other greenlets run; those that want the part wait.
    """

    __slots__ = ("_arguments", "_load", "_loading", "made")

    def __init__(self, load: Callable[[], Callable[..., Part]], *arguments: Any):
        self._load, self._arguments = load, arguments
        self._loading = BoundedSemaphore(1)
        self.made: Part | None = None

    def get(self) -> Part:
        """The part, made by the first call."""
        with self._loading:
            if self.made is None:
                self.made = in_thread(self._load)(*self._arguments)
            return self.made
