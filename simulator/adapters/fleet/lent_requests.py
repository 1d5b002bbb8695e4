"""Counting requests beside the home, by blocks that the home has counted already."""

from collections.abc import Callable, Iterator
from datetime import datetime
from time import monotonic

from gevent import getcurrent
from gevent.lock import BoundedSemaphore

from simulator.adapters.fleet.calm_messages import LentBlock
from simulator.domain.core.errors import HomeNeededError
from simulator.domain.core.hosts import Host
from simulator.domain.throttling.windows import NOT_LENT, UNLIMITED, Block

# How long the home is not asked again for what it did not lend.
REFUSED_S = 0.5


class OpenBlock:
    """A block of which some is left."""

    __slots__ = ("ends", "left")

    def __init__(self, block: Block):
        self.left, self.ends = block.count, block.ends


class LentRequests:
    """Implements RequestGate by what `borrow` gets of an operation; a request that the home has
    to count raises HomeNeededError. `taken` has the block of each request under way.
    """

    def __init__(
        self,
        borrow: Callable[[str], Block],
        taken: dict[object, OpenBlock],
        *,
        host: Host,
        merchant: str,
    ):
        self._borrow = borrow
        self._taken = taken
        self._host, self._merchant = host, merchant
        self._blocks: dict[str, OpenBlock] = {}
        self._refused_until: dict[str, float] = {}
        self._borrowing = BoundedSemaphore(1)

    def admit(self, operation: str, identity: str | None, now: datetime) -> datetime | None:
        """As Throttle.admit, but never refused."""
        block = self._blocks.get(operation)
        if block is None or not block.left or now >= block.ends:
            block = self._next(operation, now)
        if block.left != UNLIMITED:
            block.left -= 1
            self._taken[getcurrent()] = block
        return None

    def recall(self) -> bool:
        """Nothing is lent from here."""
        return False

    def unused(self) -> Iterator[LentBlock]:
        """What is left of each block."""
        for operation, block in self._blocks.items():
            if block.left > 0:
                yield LentBlock(self._host, self._merchant, operation, block.left, block.ends)

    def _next(self, operation: str, now: datetime) -> OpenBlock:
        with self._borrowing:
            block = self._blocks.get(operation)
            if block is not None and block.left and now < block.ends:
                return block
            if monotonic() < self._refused_until.get(operation, 0.0):
                raise HomeNeededError("the home counts the request")
            lent = self._borrow(operation)
            if lent == NOT_LENT:
                self._refused_until[operation] = monotonic() + REFUSED_S
                raise HomeNeededError("the home counts the request")
            block = self._blocks[operation] = OpenBlock(lent)
            return block
