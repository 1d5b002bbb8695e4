"""Long work in threads of its own, while the hub gives others their turn.

Threads of Python take turns themselves, every 5 ms: so no request waits longer for the hub.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from gevent.threadpool import ThreadPool

Result = TypeVar("Result")
# More would only take turns: the hub's own pool stays free for the disk.
THREADS = 2


class Threads:
    """Implements domain.aside.Aside. Threads begin with the first work."""

    __slots__ = ("_pool",)

    def __init__(self) -> None:
        self._pool = ThreadPool(THREADS)

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` answers, or raises."""
        result: Result = self._pool.apply(work, arguments)
        return result
