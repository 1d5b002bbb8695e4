"""What keeps the records of a server: an engine, and its store of each sandbox in each epoch."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.core.ports import Store, Unit
from simulator.domain.ports.server import SnapshotFile

ServerRecord = TypeVar("ServerRecord", Sandbox, DefaultSandbox)


class UnusableDatabaseError(Exception):
    """The database cannot keep the records; the message says why, and what to do."""


class Rhythm(NamedTuple):
    """How a fleet knows that a member lives, in seconds: it stores something after `beat_s`, and
    answers for `lease_s` after it did; the others remove it after `removed_after_s`, and not while
    the database was away, which a `gap_s` between two beats shows. The write level is raised after
    every member could write at the higher one for `raised_after_s`.
    """

    beat_s: float = 0.5
    lease_s: float = 3.0
    removed_after_s: float = 4.0
    gap_s: float = 1.5
    raised_after_s: float = 10.0


class FleetAddress(NamedTuple):
    """How a member presents itself to the others: where they reach it, its release, and what the
    key is known by that they share.
    """

    url: str
    version: str
    key: str
    rhythm: Rhythm = Rhythm()


class FleetPeer(NamedTuple):
    """A member of a fleet as another one reaches it."""

    number: int
    url: str


class ServedElsewhereError(UnreachableStoreError):
    """Another member has the sandbox and does not give it away now."""

    def __init__(self, identity: str, home: FleetPeer):
        super().__init__(f"member {home.number} of the fleet serves sandbox {identity}")


def unwatched(puts: tuple[Any, ...] = ()) -> None:
    """What a store calls where no due work is looked for."""


class SandboxStore(Store, Protocol):
    """The records of one sandbox in one epoch, with what its runtime needs of them."""

    @property
    def awake(self) -> bool:
        """Whether its records can be counted without reading them first."""

    @property
    def failure(self) -> str | None:
        """Why nothing is stored any more, in the engine's words, or None."""

    def count(self, kind: type, *, without: str | None = None) -> int:
        """How many records of this kind there are; `without` a key in the ordered index so
        called.
        """

    def watch(
        self, notice: Callable[[tuple[Any, ...]], object], lost: Callable[[], object] = unwatched
    ) -> None:
        """Call `notice` alone with what each unit puts that is stored from now on, and `lost` where
        the outcome of one is unknown.
        """

    def settle(self, read_again: Callable[[], object]) -> None:
        """Call `read_again`, for what is in memory of the records, once it is known what was stored
        with unknown outcome, if anything was (D-687). Raises DiskError.
        """

    def copied(self) -> Iterator[bytes]:
        """A log of what is stored at the moment of the call, in pieces."""

    def sleep(self) -> bool:
        """Give back memory until the next call; whether that was done."""

    def close(self) -> None:
        """End the epoch: what was saved before is made durable, every later call raises
        EpochEndedError.
        """


class ServerRecords(Protocol):
    """The sandboxes of a server and which one is the default."""

    @property
    def failure(self) -> str | None:
        """What kept the newest unit from being stored, or None."""

    def get(self, kind: type[ServerRecord], identity: str) -> ServerRecord | None:
        """The record as last stored, or None."""

    def sandboxes(self) -> Iterator[Sandbox]:
        """Every sandbox, oldest first."""

    def count(self) -> int:
        """How many sandboxes there are."""

    def commit(self, unit: Unit) -> None:
        """Store a unit, durable on return. Raises ConflictError, DiskError."""

    def close(self) -> None:
        """Hold nothing any more."""


class Engine(Protocol):
    """Keeps everything that a server may not lose."""

    @property
    def records(self) -> ServerRecords:
        """The records of the server."""

    @property
    def is_lasting(self) -> bool:
        """Whether a sandbox may leave the memory: what is stored outlives the process."""

    def take_home(self, identity: str) -> None:
        """Let no other gateway serve the sandbox. Raises ServedElsewhereError."""

    def make_home(self, identity: str) -> None:
        """The same of a sandbox that may not be there yet, before an epoch of it is made ready.
        Raises ServedElsewhereError.
        """

    def leave_home(self, identity: str) -> None:
        """Be no home of a sandbox that is not there any more: another gateway may begin it."""

    def steer(self, identity: str) -> None:
        """Let no other gateway serve the sandbox beside this one."""

    def changed(self) -> Sequence[str]:
        """The ids of the sandboxes that other gateways may have changed since the last call."""

    @property
    def is_shared(self) -> bool:
        """Whether other gateways have sandboxes too: what none of them has is taken up later."""

    def problem(self) -> str | None:
        """Why nothing can be read or stored at the moment, or None."""

    def store_of(self, sandbox: Sandbox) -> SandboxStore:
        """A store of the sandbox in its epoch; there must be one at a time."""

    def may_have_records(self, sandbox: Sandbox) -> bool:
        """Whether something was ever stored in this epoch; False only where that is certain."""

    def fill(self, sandbox: Sandbox, store: SandboxStore, snapshot: SnapshotFile) -> None:
        """Put the records of a snapshot into a store of the sandbox that holds nothing yet.

        Raises DiskError.
        """

    def drop(self, sandbox: Sandbox) -> None:
        """Remove what is stored of the sandbox in this epoch."""

    def close(self) -> None:
        """Hold nothing any more."""
