"""Long computations in threads, while other greenlets run.

Python switches between threads every 5 ms, so no greenlet waits longer than that.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from gevent.threadpool import ThreadPool

Result = TypeVar("Result")
# More would gain nothing: they share one interpreter lock. The hub's own pool is for the disk.
THREADS = 2


class Threads:
    """Implements domain.aside.Aside. Threads start with the first call."""

    __slots__ = ("_pool",)

    def __init__(self) -> None:
        self._pool = ThreadPool(THREADS)

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` returns, or raises."""
        result: Result = self._pool.apply(work, arguments)
        return result
