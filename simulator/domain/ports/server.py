"""The ports of the server: what it has outside any sandbox."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

import msgspec

from simulator.catalogue.throttles import SANDBOX
from simulator.domain.copies import SandboxCopy
from simulator.domain.core.background import Aside, at_once
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.ports import Clock, Ids, Names, ServerVault
from simulator.domain.ports.journal import Journal
from simulator.domain.ports.sandbox import Ports, Principal
from simulator.domain.throttling.windows import ServerTables

Refusing = Callable[[object], None]
Result = TypeVar("Result")


class Tokens(Protocol):
    """Who holds which access token."""

    def principal_of(self, token: str) -> Principal | None:
        """What `token` opens, or None."""


class Readable(Protocol):
    """Bytes that come piece by piece."""

    def read(self, size: int, /) -> bytes:
        """At most so many of the next bytes; none at the end."""


class SnapshotFile(Protocol):
    """A snapshot on its way out or in; length and checksum are those of all but its first line."""

    @property
    def header(self) -> bytes:
        """Its first line, where it came from outside."""

    @property
    def size(self) -> int:
        """How many bytes follow the first line."""

    @property
    def sha256(self) -> str:
        """The checksum of what follows the first line, in hex."""

    def first_line(self) -> bytes:
        """The line of the sandbox, which follows the header."""

    def pieces(self) -> Iterator[bytes]:
        """Everything after the header; it is gone after the last piece."""

    def log_lines(self) -> Iterator[bytes]:
        """The lines of the log, which follow the sandbox."""

    def log_pieces(self) -> Iterator[bytes]:
        """The log in pieces."""

    def file_lines(self) -> Iterator[bytes]:
        """The lines after the log, of files that go along."""

    def alone(self) -> AbstractContextManager[object]:
        """While this is used no other long one is."""

    def close(self) -> None:
        """Give it back."""


class Registry(Protocol):
    """The sandboxes of this server, and the ports bound to each."""

    def sandboxes(self) -> Iterable[Sandbox]:
        """Every sandbox, oldest first."""

    def count(self) -> int:
        """How many sandboxes there are."""

    def sandbox(self, identity: str) -> Sandbox | None:
        """The sandbox with this id, or None."""

    def sandbox_of_merchant(self, merchant: str) -> Sandbox | None:
        """The sandbox that has the merchant with this id, or None."""

    def ports(self, identity: str) -> Ports:
        """The ports of this sandbox in its present epoch."""

    def save(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox, durably; a new epoch starts with empty tables and a new
        file.
        """

    def default(self) -> str | None:
        """The id of the default sandbox, also once it is deleted; None if none was stored."""

    def save_default(self, sandbox: Sandbox) -> None:
        """Store a new or changed sandbox in its epoch as the default one, durably."""

    def delete(self, sandbox: Sandbox) -> None:
        """Remove a sandbox and its files, durably."""

    def pause(self, failures: int) -> None:
        """Return when a change that conflicted `failures` times may be tried again."""

    def taken(self, identity: str, take: Callable[[], Result]) -> Result:
        """What `take` makes of a snapshot of this sandbox: those of one sandbox come one after the
        other. It is called again where the epoch ended meanwhile: all it reads is of one. Raises
        CrowdedSandboxError where many wait.
        """

    def snapshot(self, sandbox: Sandbox, first: bytes) -> SnapshotFile:
        """The line `first` and after it the data of this sandbox as it is at one moment. Raises
        EpochEndedError where it is not in this epoch any more.
        """

    def receive(self, content: Readable) -> SnapshotFile:
        """A snapshot that comes from outside, its header line apart. Raises InvalidInputError."""

    def copied(
        self, snapshot: SnapshotFile, copy: SandboxCopy
    ) -> AbstractContextManager[SnapshotFile]:
        """The snapshot of a copy, made from that of the original; of one at a time."""

    def restore(
        self,
        sandbox: Sandbox,
        snapshot: SnapshotFile,
        *,
        refuse: Refusing | None = None,
        is_own: bool = False,
    ) -> None:
        """Store a new sandbox, or a new epoch of one, with the data of a snapshot, durably.

        Before anything is written it is checked whole, and each record goes to `refuse`, which may
        raise InvalidInputError; unless it `is_own`, made here a moment ago.

        Raises InvalidInputError for data that cannot be used, ConflictError where the sandbox
        changed meanwhile.
        """


class ServerPorts(msgspec.Struct, frozen=True, kw_only=True):
    """The ports outside any sandbox, and what a new sandbox gets when it does not ask for its own.

    `journal` is that of the requests that were refused before their sandbox was known; long work is
    done `aside`. What is long is read and shown in a `turn` of who asks for it: those that wait for
    one hold nothing of theirs.
    """

    registry: Registry
    clock: Clock
    ids: Ids
    vault: ServerVault
    journal: Journal
    names: Names
    aside: Aside = at_once
    turn: Callable[[str], AbstractContextManager[object]] = nullcontext
    profile: str = "specification"
    overrides: Mapping[str, str] = {}
    throttles: ServerTables = ServerTables(throttle=SANDBOX, live_throttle=SANDBOX)
