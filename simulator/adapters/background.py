"""Work in threads, while other greenlets run.

Python switches between threads every 5 ms, so no greenlet waits longer than that. What is raised in
a thread comes back to the caller: the hub would print what leaves one, with all its texts.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from gevent.threadpool import ThreadPool

from simulator.adapters.turns import EVERYBODY, OwnersTurns

Result = TypeVar("Result")
# More would gain nothing: they share one interpreter lock. The hub's own pool is for the disk.
THREADS = 2


class Threads:
    """Implements domain.core.background.Aside. Threads start with the first call."""

    __slots__ = ("_pool", "_turns")

    def __init__(self) -> None:
        self._pool = ThreadPool(THREADS)
        self._turns = OwnersTurns(THREADS)

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` returns, or raises: in the turns of those who have none of their own."""
        return self.run(EVERYBODY, work, *arguments)

    def of(self, owner: str) -> "ThreadsOf":
        """The same threads, in turns of this owner."""
        return ThreadsOf(self, owner)

    def run(self, owner: str, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` returns in a turn of the owner, or raises."""
        with self._turns.taken(owner):
            return run_in(self._pool, work, *arguments)


class ThreadsOf:
    """Implements domain.core.background.Aside for one owner."""

    __slots__ = ("_owner", "_threads")

    def __init__(self, threads: Threads, owner: str):
        self._threads = threads
        self._owner = owner

    def __call__(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` returns, or raises."""
        return self._threads.run(self._owner, work, *arguments)

    def of(self, owner: str) -> "ThreadsOf":
        """The same threads, in turns of another owner."""
        return self._threads.of(owner)


def run_in(pool: ThreadPool, work: Callable[..., Result], *arguments: Any) -> Result:
    """What `work` returns in a thread of the pool, or raises."""
    call = _Call(work, arguments)
    pool.apply(call.run)
    returned: Result = call.result()
    return returned


class _Call:
    """One call: what it returned or raised."""

    __slots__ = ("_arguments", "_error", "_returned", "_work")

    def __init__(self, work: Callable[..., Any], arguments: tuple[Any, ...]):
        self._work = work
        self._arguments = arguments
        self._returned: Any = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do the work, and keep what comes of it."""
        try:
            self._returned = self._work(*self._arguments)
        except BaseException as error:
            self.set_exception(error)

    def set_exception(self, error: BaseException) -> None:
        """Keep what the work raised."""
        self._error = error

    def result(self) -> Any:
        """What the work returned, or raises what it raised."""
        error, self._error = self._error, None
        if error is None:
            return self._returned
        try:
            raise error
        finally:
            # The error references this frame: a cycle that only the garbage collector would free.
            del error
