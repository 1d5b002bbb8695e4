"""Network addresses of the host names in webhook URLs.

The resolver of the system blocks a thread for as long as a name server is silent, and merchants
choose the names. So lookups have threads of their own, apart from those that write to the disk, and
each sandbox has a few of them at once: slow names delay notifications of their own sandbox alone.
Choice: D-355.
"""

from _socket import EAI_NONAME, SOCK_STREAM, gaierror, getaddrinfo
from collections.abc import Callable, Iterable

from gevent.lock import BoundedSemaphore
from gevent.threadpool import ThreadPool

from simulator.adapters.background import run_in

THREADS_MAX, OF_SANDBOX_MAX = 64, 4
Resolve = Callable[[str, int], Iterable[str]]


class NameLookups:
    """Looks up host names by `resolve`, in threads that start when they are needed."""

    __slots__ = ("_pool", "_resolve", "_turns")

    def __init__(self, resolve: Resolve | None = None, *, pool: ThreadPool | None = None):
        self._resolve = resolve or resolve_host
        self._pool = pool or ThreadPool(THREADS_MAX)
        self._turns = BoundedSemaphore(OF_SANDBOX_MAX)

    def of_sandbox(self) -> "NameLookups":
        """The same threads with the turns of one sandbox."""
        return NameLookups(self._resolve, pool=self._pool)

    def addresses(self, host: str, port: int) -> list[str]:
        """The network addresses of a host. Raises OSError."""
        with self._turns:
            return list(run_in(self._pool, self._resolve, host, port))


def resolve_host(host: str, port: int) -> list[str]:
    """The network addresses of a host, each once, in the resolver's order. Blocks its thread: not
    gevent's function is called, which would use another one. Raises OSError.
    """
    try:
        found = getaddrinfo(host, port, type=SOCK_STREAM)
    except UnicodeError as error:
        # A label outside ASCII that is too long in Punycode: no name server can know it.
        raise gaierror(EAI_NONAME, "a label of the name is too long") from error
    return list(dict.fromkeys(str(row[4][0]) for row in found))
