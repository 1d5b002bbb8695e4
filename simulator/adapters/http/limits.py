"""What connections may take, one by one and all together."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from simulator.adapters.turns import OWNER
from simulator.domain.core.errors import UnreadableRequestError

CONNECTIONS_MAX = 4000
MEBIBYTE = 1024 * 1024
# Of a request that a member sends on: which one that is, for which sandbox, its length, and such.
FIELDS_ADDED, FIELDS_ADDED_BYTES = 16, 4 * 1024
# What a connection is about, by the name of its limit. That of the application is when its peer is
# looked for.
IDLE, HEAD, BODY = "idle_s", "head_s", "body_s"
ANSWERING, SENDING, LINGERING, HELD = "look_s", "send_s", "linger_s", "held_s"
TOO_MUCH = "too many long requests at once; send it again later"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one connection may take, and how many a listener has. Times in seconds, sizes in bytes.
    Choice: D-70.

    The application limits bodies: it reads those that are longer than a few kilobytes itself.
    """

    connections_max: int = CONNECTIONS_MAX
    line_bytes_max: int = 8192
    head_bytes_max: int = 64 * 1024
    fields_max: int = 128
    idle_s: float = 75.0
    head_s: float = 10.0
    body_s: float = 60.0
    send_s: float = 75.0
    taken_bytes_s: int = 64 * 1024  # As fast is a long answer taken on the whole.
    linger_s: float = 2.0
    look_s: float = 10.0  # How often the peer of a request that is answered is looked for.
    held_s: float = 310.0  # Longer than a script may have an answer wait.


def for_members(limits: Limits) -> Limits:
    """What a request may take that another member sends on: it is written anew, so that its line
    may be three times as long, and has fields that members add.
    """
    return replace(
        limits,
        line_bytes_max=3 * limits.line_bytes_max,
        head_bytes_max=limits.head_bytes_max + FIELDS_ADDED_BYTES,
        fields_max=limits.fields_max + FIELDS_ADDED,
    )


class TakingTime:
    """How long the peer of an answer that is made while it is sent may let the gateway wait: what
    it takes gives it time again. How long the answer takes to be made is not its own.
    """

    __slots__ = ("_limits", "left_s")

    def __init__(self, limits: Limits):
        self._limits = limits
        self.left_s = limits.send_s

    def spend(self, waited_s: float, size: int) -> None:
        """It has taken a piece of this size so late."""
        left_s = self.left_s - waited_s + size / self._limits.taken_bytes_s
        self.left_s = min(left_s, self._limits.send_s)


Connection = TypeVar("Connection")
# Where each of many owners has one long answer: so many times the budget, and no more.
EXCESS_MAX = 4


class HeldBytes(Generic[Connection]):
    """The bytes that connections hold, by the owner whose work their greenlets do."""

    def __init__(self) -> None:
        self.total = 0
        self._owners: dict[Connection, str] = {}
        self._held: dict[str, dict[Connection, int]] = {}

    def __len__(self) -> int:
        return len(self._owners)

    def put(self, connection: Connection, size: int) -> None:
        """Count what this connection holds now."""
        owner = OWNER.get()
        if self._owners.get(connection, owner) != owner:
            self.drop(connection)
        self._owners[connection] = owner
        held = self._held.setdefault(owner, {})
        self.total += size - held.get(connection, 0)
        held[connection] = size

    def drop(self, connection: Connection) -> None:
        """Count nothing of this connection."""
        owner = self._owners.pop(connection, None)
        if owner is None:
            return
        held = self._held[owner]
        self.total -= held.pop(connection)
        if not held:
            del self._held[owner]

    def oldest_beside(self, connection: Connection) -> Connection | None:
        """The connection that has held bytes longest, of all owners, but this one."""
        return next((each for each in self._owners if each is not connection), None)

    def of_most(self) -> dict[Connection, int]:
        """What the connections of that owner hold that has most, the oldest first."""
        return max(self._held.values(), key=lambda held: sum(held.values()))


class Holder(Protocol):
    """A connection that holds bytes of a request that is not whole yet."""

    def end_reading(self, status: int, reason: str) -> None: ...


class ReceiveBudget:
    """Bounds the bytes of all requests that are still on their way. Where they are too many, of the
    owner that has most the request that holds most is refused: small ones, and those of other
    owners, come through. Choice: D-260.

    `call_later` calls a function from the event loop, where every connection waits.
    """

    def __init__(self, call_later: Callable[..., object], bytes_max: int = 20 * MEBIBYTE):
        self._call_later = call_later
        self._bytes_max = bytes_max
        self._held = HeldBytes[Holder]()

    def hold(self, holder: Holder, size: int) -> None:
        """Count what this connection holds now. Raises UnreadableRequestError."""
        self._held.put(holder, size)
        if self._held.total > self._bytes_max:
            most = self._held.of_most()
            largest = max(most.values())
            if most.get(holder) == largest:
                raise UnreadableRequestError(503, TOO_MUCH)
            found = next(each for each, held in most.items() if held == largest)
            self.release(found)
            self._call_later(found.end_reading, 503, TOO_MUCH)

    def release(self, holder: Holder) -> None:
        """Count nothing of this connection."""
        if self._held:
            self._held.drop(holder)


class Taker(Protocol):
    """A connection whose peer has not taken the whole of an answer."""

    def end_sending(self) -> None: ...


class SendBudget:
    """Bounds the bytes of all answers that their peers have not taken yet. Where they are too many,
    of the owner that has most the peer that has let the gateway wait longest is cut off. Choice:
    D-356.

    `call_later` calls a function from the event loop, where every connection waits; until then
    `is_full` says that there is no room for another answer.
    """

    def __init__(self, call_later: Callable[..., object], bytes_max: int = 32 * MEBIBYTE):
        self._call_later = call_later
        self._bytes_max = bytes_max
        self._left = HeldBytes[Taker]()
        self.is_full = False

    def hold(self, taker: Taker, size: int) -> None:
        """Count what is left of the answer of this connection. One alone of an owner may be of any
        size, until all have several times as much as they may.
        """
        self._left.put(taker, size)
        while self._left.total > self._bytes_max:
            longest = next((each for each in self._left.of_most() if each is not taker), None)
            if longest is None and self._left.total > EXCESS_MAX * self._bytes_max:
                longest = self._left.oldest_beside(taker)
            if longest is None:
                return
            self.release(longest)
            self.is_full = True
            self._call_later(self._end, longest)

    def release(self, taker: Taker) -> None:
        """Count nothing of this connection."""
        self._left.drop(taker)

    def _end(self, longest: Taker) -> None:
        longest.end_sending()
        self.is_full = False
