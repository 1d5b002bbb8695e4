"""What keeps the records of a server: an engine, and its store of each sandbox in each epoch."""

from collections.abc import Iterator
from typing import Protocol, TypeVar

from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.ports import Store, Unit
from simulator.domain.ports.server import SnapshotFile

ServerRecord = TypeVar("ServerRecord", Sandbox, DefaultSandbox)


class UnusableDatabaseError(Exception):
    """The database cannot keep the records; the message says why, and what to do."""


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
