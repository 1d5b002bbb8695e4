"""The ports that every capability may need: store, clocks, ids, secrets, names.

A port is all that waits, reads a clock, draws a random number or touches a disk. A use case names
those it needs by a protocol of its module, made of `Has...` protocols: see ADR 23.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from simulator.domain.core.agenda import Scheduler
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.flushes import BeingStored, Flush
from simulator.domain.core.hosts import Host
from simulator.domain.core.records import Look, Script, SealedCard
from simulator.grammar.choices import Choices

Record = TypeVar("Record")


def key_of(*texts: str) -> str:
    """The key of an index whose keys stand within others, or a bound in it: no text holds a NUL."""
    return "\0".join(texts)


class Unit(msgspec.Struct, frozen=True):
    """Records that are stored, and removed, together or not at all.

    The `version` of a record to put is the one it will have: the store must hold exactly the
    version before it (nothing, for version 1). A record to remove must still have its version.
    `looks` are noted in memory once the unit stands.
    """

    puts: tuple[Any, ...] = ()
    removes: tuple[Any, ...] = ()
    looks: tuple[Look, ...] = ()


def unit_of(*records: Any, removes: tuple[Any, ...] = ()) -> Unit:
    """A unit that puts `records`, each with its next version, and notes the looks among them.
    Decisions never count versions themselves.
    """
    puts = [replace(each, version=each.version + 1) for each in records if type(each) is not Look]
    if len(puts) == len(records):
        return Unit(tuple(puts), removes)
    return Unit(tuple(puts), removes, tuple([each for each in records if type(each) is Look]))


class Looks(Protocol):
    """How often scripts were asked in vain, and why, as far as no record says so yet. In memory:
    what a payment stores must not grow with the scripts that do not fit it. Choice: D-619.
    """

    @property
    def is_empty(self) -> bool:
        """Whether nothing is counted here."""

    def note(self, looks: Iterable[Look]) -> None:
        """Count these."""

    def shown(self, script: Script) -> Script:
        """The script with what is counted here."""

    def take(self) -> Mapping[str, Any]:
        """All that is counted here, which is here no more."""

    def give_back(self, taken: Mapping[str, Any]) -> None:
        """Count what was taken and could not be stored."""

    def drop(self, identity: str) -> None:
        """Forget a script that is removed."""


# Where a record stands in an ordered index, as a store has it; None is before the first.
Place = Any


class Store(Protocol):
    """The records of one sandbox. Bound to its epoch: after a reset every call raises Gone."""

    @property
    def failed_writes(self) -> int:
        """How many writes failed in this epoch. Each took back units that reads had seen already,
        or may be stored although they did not (D-687): what began before it and goes on rests on
        what is not stored. Choice: D-671.
        """

    @property
    def is_full(self) -> bool:
        """Whether it has all that a sandbox may have. Choice: D-699."""

    @property
    def looks(self) -> Looks:
        """What its scripts have counted in memory."""

    def keeps(self, kind: type) -> bool:
        """Whether records of this kind are stored: every gateway that may read them knows it."""

    def get(self, kind: type[Record], identity: str) -> Record | None:
        """The record as last saved, or None."""

    def get_many(self, kind: type[Record], identities: Iterable[str]) -> dict[str, Record]:
        """The records with these ids, as `get`, by their ids: those there are. One trip for all."""

    def find(self, kind: type[Record], index: str, key: str) -> list[Record]:
        """The records whose indexed key equals `key`, oldest first. Costs what it returns."""

    def ids_found(self, kind: type, index: str, key: str) -> Sequence[str]:
        """The ids of what `find` would return, oldest first, for reading it a part at a time."""

    def count_found(self, kind: type, index: str, key: str) -> int:
        """How many records `find` would return. Costs the same however many."""

    def count(self, kind: type) -> int:
        """How many records of this kind there are. Costs the same however many."""

    def between(self, kind: type[Record], index: str, low: str, high: str) -> Iterator[Record]:
        """The records whose ordered key is in [low, high), in order of the key."""

    def page(
        self, kind: type[Record], index: str, bounds: tuple[str, str], *, start: int, most: int
    ) -> tuple[Iterator[Record], int]:
        """At most `most` of the records whose ordered key is in [low, high), from number `start`
        on, and the count of all of them. Costs what it returns.
        """

    def firsts(self, kinds: Sequence[type], index: str) -> list[Any]:
        """The first record of each kind in the ordered index, or None. Costs one look."""

    def after(self, kind: type[Record], index: str, place: Place) -> Iterator[tuple[Place, Record]]:
        """The records behind a place in the ordered index, each with its own place, to go on from
        there another time. Costs what it returns.
        """

    def commit(self, unit: Unit) -> None:
        """Store a unit: atomic, seen by reads at once, durable on return.

        Raises ConflictError if any version is not the next one, EpochEndedError if the epoch is
        over.
        """

    def commit_unflushed(self, unit: Unit) -> Flush:
        """Store a unit without waiting for the disk: it is durable no later than any that is saved
        after it, unless it is taken back, of which what is returned says. Raises ConflictError,
        EpochEndedError.
        """

    def wait_durable(self) -> None:
        """Return when all that stands is durable: no power cut takes back what is answered."""

    def pause(self, failures: int) -> None:
        """Let others have their turn, so that long work may go on, or a change that conflicted
        `failures` times be tried again. Raises EpochEndedError.
        """


class Clock(Protocol):
    """World time of one sandbox."""

    def now(self) -> datetime:
        """The present, aware, UTC."""

    def wait(self, span: timedelta) -> None:
        """Return when `span` of world time has passed."""


class SandboxClock(Clock, Protocol):
    """The clock of one sandbox, which can be set and moved. A wait may raise EpochEndedError."""

    turn: AbstractContextManager[object]
    """Held while the clock is set or moved: by one caller at a time."""

    @property
    def setting(self) -> ClockSetting:
        """How it stands."""

    @property
    def is_halting(self) -> bool:
        """Whether someone waits for an advance that is under way to stop."""

    def halting(self) -> AbstractContextManager[object]:
        """Entered by one who waits for an advance that is under way to stop."""

    def real(self) -> datetime:
        """The present of the real clock below it."""

    def put(self, setting: ClockSetting) -> None:
        """Go on with another setting, which is stored, from what is shown; waiters look again."""

    def moving(self) -> AbstractContextManager[None]:
        """Entered by an advance: what it shows on the way may be taken back."""

    def take_back(self, stored: ClockSetting) -> None:
        """Go on with the stored setting, from what was shown before an advance that is not."""

    def reach(self, instant: datetime) -> None:
        """Show this instant or a later one from here on, wherever the real clock stands."""

    def next_waited_for(self) -> datetime | None:
        """The earliest instant a waiter waits for, or None."""


class InFlightCounter(BeingStored, Protocol):
    """Counts what is in flight in one sandbox: each piece of work enters, and leaves at its end.

    Work that enters again within itself counts once.
    """

    def __enter__(self) -> None:
        """One more is under way."""

    def __exit__(self, *error: object) -> None:
        """One less is under way."""

    def begin(self) -> None:
        """One more is under way, in no greenlet of its own."""

    def end(self) -> None:
        """What began is over."""

    def admit(self) -> None:
        """Let another request begin. Raises CrowdedSandboxError."""

    def place_to_wait(self) -> AbstractContextManager[None]:
        """A place for a request that waits for what others do; it is not in flight. Raises
        CrowdedSandboxError.
        """

    def alone(self, name: str, timeout_s: float) -> AbstractContextManager[None]:
        """One piece of work of this name at a time: the next one begins when it ends, or after so
        much wire time.
        """

    def quiesce(self, timeout_s: float) -> bool:
        """Whether, within so much wire time, nothing but waiters for the clock was under way."""

    def drain(self, timeout_s: float, is_idle: Callable[[], bool] = lambda: True) -> bool:
        """Whether, within so much wire time, nothing at all was under way, and `is_idle` so."""


class Ids(Protocol):
    """The only source of chance."""

    def record(self) -> str:
        """A new id of a record or an entity: 32 lowercase hex digits, the first an 8."""

    def hex(self, count: int) -> str:
        """`count` random lowercase hex digits."""

    def short(self) -> str:
        """A short id, NNNN.NNNN.NNNN."""

    def trace(self) -> int:
        """A system trace audit number, 1 to 999999."""


class Vault(Protocol):
    """Keeps secrets: sealed under the id of the record that holds them."""

    def seal_card(self, identity: str, number: str) -> SealedCard:
        """The number sealed for the record `identity`, and its fingerprint, by which to compare."""

    def fingerprint(self, secret: str) -> str:
        """A text that is equal for equal secrets, which reveals nothing else of them."""

    def seal(self, identity: str, secret: str) -> str:
        """Any other secret, sealed for the record `identity`."""

    def open(self, identity: str, sealed: str) -> str:
        """The secret again. Raises TamperedSecretError if it was sealed for another record or
        altered.
        """


class Codes(Protocol):
    """Security codes that wait in memory for a shopper who confirms a form, and are stored nowhere.
    Choice: D-42.
    """

    def keep(self, checkout: str, sealed: str, codes: Mapping[str, str]) -> None:
        """Keep the codes of the form that is kept for a checkout now, sealed as this text."""

    def find(self, checkout: str, sealed: str) -> Mapping[str, str]:
        """The codes of that form; none where they are gone, as after a restart."""

    def erase(self, checkout: str) -> None:
        """Forget the codes of a checkout."""


class ServerVault(Protocol):
    """Keeps the key of each sandbox, sealed with the server's own. Choice: D-110."""

    def new_key(self, identity: str) -> str:
        """A new key for the sandbox `identity`, sealed."""

    def vault_of(self, identity: str, sealed_key: str) -> Vault:
        """The vault with that key. Raises TamperedSecretError if another server sealed it."""

    def moved_key(self, identity: str, sealed_key: str, other: str) -> str:
        """The same key, sealed for the sandbox `other`. Raises TamperedSecretError."""

    def locked(self, identity: str, sealed_key: str, passphrase: str) -> str:
        """The same key under a passphrase, to be taken elsewhere. Raises TamperedSecretError."""

    def unlocked(self, identity: str, locked_key: str, passphrase: str) -> str:
        """A locked key, sealed with the server's own. Raises TamperedSecretError."""


class Names(Protocol):
    """Generated names, the same for the same key."""

    def merchant(self, key: str) -> str:
        """The name of a company."""

    def channel(self, key: str) -> str:
        """The name of a shop."""


class Addresses(Protocol):
    """Where the gateway is reached from outside: links to its own pages begin there."""

    # Whether the address of the ACS was given: browsers then find it there alone.
    is_acs_given: bool

    def base(self, host: Host) -> str:
        """The base address of `host`, which ends with a slash. Source: Hosts."""


class Meter(Protocol):
    """Counts what the server does, for its operators. It gets known words only, no id or secret."""

    def mark(self) -> float:
        """A mark from which an answer is timed."""

    def answered(self, since: float, operation: str, status: object, code: str | None) -> None:
        """An exchange was answered, with this result code if it had one."""

    def settled(self, kind: str, state: str) -> None:
        """A payment came to a state."""


class HasSandbox(Protocol):
    @property
    def sandbox(self) -> Sandbox: ...


class HasChoices(Protocol):
    @property
    def choices(self) -> Choices: ...


class HasStore(Protocol):
    @property
    def store(self) -> Store: ...


class HasClock(Protocol):
    @property
    def clock(self) -> SandboxClock: ...


class HasScheduler(Protocol):
    @property
    def scheduler(self) -> Scheduler: ...


class HasInFlight(Protocol):
    @property
    def in_flight(self) -> InFlightCounter: ...


class HasIds(Protocol):
    @property
    def ids(self) -> Ids: ...


class HasVault(Protocol):
    @property
    def vault(self) -> Vault: ...


class HasCodes(Protocol):
    @property
    def codes(self) -> Codes: ...


class HasAddresses(Protocol):
    @property
    def addresses(self) -> Addresses: ...


class HasMeter(Protocol):
    @property
    def meter(self) -> Meter: ...
