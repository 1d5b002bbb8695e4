"""The journal of a terminal: its payments, what is to be reversed or uploaded, and its numbers.

Everything is written before the step that it names, so that after a power cut the journal says what
is to be done. It has nothing secret in clear: of a card the last four digits.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from threading import RLock
from typing import TypeVar

import msgspec

from pos_emulator.terminal.memory.journal_file import (
    BrokenFile,
    DamagedError,
    JournalFile,
    Record,
)
from pos_emulator.terminal.records import COUNTED, OrderError, OrderKind, TerminalEntry, Totals

NUMBERS = "numbers"
DIGITS = 6
NUMBER_MAX = 10**DIGITS - 1
BATCH_DIGITS = 4
BATCHES_KEPT = 10
RECEIPT_MAX = 9_999
DROPS_MAX = 1_000


@dataclass(frozen=True, kw_only=True)
class Reversal:
    """A payment that must not stand: the gateway may have it, and the till was answered no.

    `type` is its payment type, `asked_at` when the gateway was asked, `payment` its id at the
    gateway once that is known. One that `is_closed` was unknown there for a day, and is asked for
    at the end of each day.
    """

    transaction: str
    type: str
    batch: str
    receipt: str
    amount: Decimal
    currency: str
    asked_at: datetime
    reason: str
    payment: str = ""
    is_closed: bool = False


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A payment that was approved offline, to be uploaded. `sealed` has account and chip data,
    `message` what was sent of it, sealed too.
    """

    transaction: str
    batch: str
    receipt: str
    amount: Decimal
    currency: str
    at: datetime
    sealed: str = field(repr=False)
    sent_at: datetime | None = None
    message: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A payment that the gateway did not know, so many times, at last then."""

    transaction: str
    batch: str
    receipt: str
    answers: int
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Late:
    """A payment that counts otherwise since its batch was closed, which no totals have said yet."""

    batch: str
    receipt: str


@dataclass(frozen=True, kw_only=True)
class Printing:
    """Copies of a receipt that are not printed yet."""

    batch: str
    receipt: str


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The batch that is open, the last receipt number, and the last trace number."""

    opened_at: datetime
    batch: int = 1
    receipt: int = 0
    trace: int = 0


@dataclass(frozen=True, kw_only=True)
class Closing:
    """The totals of a batch that was closed. `is_reported` is false from the line that begins the
    next batch until they are handed to who closed it.
    """

    totals: Totals
    is_reported: bool = False


Kept = TerminalEntry | Reversal | Stored | Unknown | Late | Printing | Numbers | Closing
T = TypeVar("T", TerminalEntry, Reversal, Stored, Unknown, Late, Printing, Numbers, Closing)


class TerminalJournal:
    """The records of a terminal by kind. Each change is durable when the method returns; threads
    may read while another writes. Raises StorageError: DamagedError for a file it cannot read.
    """

    def __init__(self, file: JournalFile | BrokenFile, now: datetime):
        self._file, self._lock = file, RLock()
        with ExitStack() as failed:
            failed.callback(file.close)
            self._open = {_key(each) for each in self._checked() if each.is_open}
            if file.get(NUMBERS) is None:
                self.write(Numbers(opened_at=now))
            failed.pop_all()

    def close(self) -> None:
        """Let another process open it."""
        self._file.close()

    @property
    def numbers(self) -> Numbers:
        return _read(self._file.get(NUMBERS) or {}, Numbers)

    @property
    def batch(self) -> str:
        """The number of the open batch."""
        return f"{self.numbers.batch:0{BATCH_DIGITS}d}"

    def write(self, *puts: Kept, drop: Iterable[Kept] = ()) -> None:
        """Keep and drop records, all or none."""
        with self._lock:
            late = [
                Late(batch=each.batch, receipt=each.receipt)
                for each in puts
                if isinstance(each, TerminalEntry) and self._is_late(each)
            ]
            records = {_key(each): msgspec.to_builtins(each) for each in (*puts, *late)}
            self._file.write(records, [_key(each) for each in drop])
            for each in puts:
                if isinstance(each, TerminalEntry):
                    (self._open.add if each.is_open else self._open.discard)(_key(each))

    def next_trace(self) -> str:
        """A new trace number; after the highest the first follows."""
        with self._lock:
            numbers = self.numbers
            numbers = replace(numbers, trace=numbers.trace % NUMBER_MAX + 1)
            self.write(numbers)
            return f"{numbers.trace:0{DIGITS}d}"

    def next_receipt(self) -> tuple[str, Numbers]:
        """A new receipt number, and the numbers to be written with its payment; after the highest
        the first follows. One that could mean another payment is passed over. Raises OrderError.
        """
        numbers = self.numbers
        for _ in range(RECEIPT_MAX):
            following = numbers.receipt + 1 if numbers.receipt < RECEIPT_MAX else 1
            numbers = replace(numbers, receipt=following)
            receipt = f"{following:0{DIGITS}d}"
            if self.entry(self.batch, receipt) is None and not self.reservations(receipt):
                return receipt, numbers
        raise OrderError("expected a receipt number that is free: close the batch")

    def entries(self, batch: str = "") -> tuple[TerminalEntry, ...]:
        """The payments of a batch, the oldest first; of all without one."""
        return tuple(self._find(f"entry/{batch}", TerminalEntry))

    def reservations(self, receipt: str) -> tuple[TerminalEntry, ...]:
        """The pre-authorizations with this number that were approved, of all batches that are
        kept; also those that were captured or voided since.
        """
        last = self.numbers.batch
        batches = range(last - BATCHES_KEPT, last + 1)
        found = (self.entry(f"{batch:0{BATCH_DIGITS}d}", receipt) for batch in batches)
        return tuple(each for each in found if each is not None and _is_reservation(each))

    def open_entries(self) -> tuple[TerminalEntry, ...]:
        """The payments that the terminal still has work with, of all batches."""
        with self._lock:
            found = [self._file.get(key) for key in sorted(self._open)]
        return tuple(_read(each, TerminalEntry) for each in found if each is not None)

    def entry(self, batch: str, receipt: str) -> TerminalEntry | None:
        """One payment."""
        with self._lock:
            found = self._file.get(f"entry/{batch}-{receipt}")
        return None if found is None else _read(found, TerminalEntry)

    def reversals(self, *, is_closed: bool = False) -> tuple[Reversal, ...]:
        """What is to be reversed, or was unknown for a day; the oldest first."""
        found = [each for each in self._find("reversal/", Reversal) if each.is_closed is is_closed]
        return tuple(sorted(found, key=lambda each: each.asked_at))

    def unknown(self, transaction: str = "") -> tuple[Unknown, ...]:
        """What the gateway did not know: the payment with this name, or all of them."""
        found = self._find(f"unknown/{transaction}", Unknown)
        return tuple(each for each in found if transaction in ("", each.transaction))

    def late(self) -> tuple[Late, ...]:
        """What counts otherwise since its batch was closed."""
        return tuple(self._find("late/", Late))

    def stored(self) -> tuple[Stored, ...]:
        """What is to be uploaded, the oldest first."""
        return tuple(sorted(self._find("stored/", Stored), key=lambda each: each.at))

    def printing(self) -> tuple[Printing, ...]:
        """The receipts that are not printed yet."""
        return tuple(self._find("printing/", Printing))

    def closings(self) -> tuple[Closing, ...]:
        """The last batches that were closed, the oldest first."""
        return tuple(self._find("closing/", Closing))

    def start_batch(self, closing: Closing, now: datetime) -> None:
        """Begin the next batch and keep the totals of this one, in one line; then forget old ones
        without open payments, and compact the file.
        """
        with self._lock:
            batch = self.numbers.batch + 1
            numbers = replace(self.numbers, batch=batch, opened_at=now)
            self.write(closing, numbers, drop=self.late()[:DROPS_MAX])
            old = self._before(batch - BATCHES_KEPT)
            for start in range(0, len(old), DROPS_MAX):
                self.write(drop=old[start : start + DROPS_MAX])
            self._file.compact()

    def _before(self, oldest: int) -> list[Kept]:
        """What is forgotten of the batches before this one."""
        entries = [each for each in self.entries() if int(each.batch) < oldest and not each.is_open]
        closings = [each for each in self.closings() if int(each.totals.batch) < oldest]
        asked: list[Reversal | Unknown] = [*self.reversals(is_closed=True), *self.unknown()]
        ended = [each for each in asked if int(each.batch) < oldest and not self._is_open(each)]
        return [*entries, *ended, *(each for each in closings if each.is_reported)]

    def _is_open(self, asked: Reversal | Unknown) -> bool:
        return f"entry/{asked.batch}-{asked.receipt}" in self._open

    def _is_late(self, entry: TerminalEntry) -> bool:
        before = None if entry.batch == self.batch else self.entry(entry.batch, entry.receipt)
        if before is None:
            return False
        return (before.ending in COUNTED) is not (entry.ending in COUNTED)

    def _checked(self) -> tuple[TerminalEntry, ...]:
        """The payments, once every record of the file was read. Raises DamagedError."""
        for read in (
            self.reversals,
            self.stored,
            self.unknown,
            self.late,
            self.printing,
            self.closings,
        ):
            read()
        if self._file.get(NUMBERS) is not None:
            _ = self.numbers
        return self.entries()

    def _find(self, prefix: str, kind: type[T]) -> list[T]:
        with self._lock:
            return [_read(each, kind) for each in self._file.find(prefix)]


def broken_journal(reason: str, now: datetime) -> TerminalJournal:
    """A journal in place of one that cannot be read: it is empty, and nothing can be written."""
    numbers = msgspec.to_builtins(Numbers(opened_at=now))
    return TerminalJournal(BrokenFile(reason, {NUMBERS: numbers}), now)


def _is_reservation(entry: TerminalEntry) -> bool:
    is_hold = entry.order.operation is OrderKind.PRE_AUTHORIZATION
    return is_hold and entry.ending in COUNTED


def _key(record: Kept) -> str:
    match record:
        case TerminalEntry():
            return f"entry/{record.name}"
        case Printing():
            return f"printing/{record.batch}-{record.receipt}"
        case Reversal():
            return f"reversal/{record.transaction}"
        case Stored():
            return f"stored/{record.transaction}"
        case Unknown():
            return f"unknown/{record.transaction}"
        case Late():
            return f"late/{record.batch}-{record.receipt}"
        case Closing():
            return f"closing/{record.totals.batch}"
        case Numbers():
            return NUMBERS


def _read(record: Record, kind: type[T]) -> T:
    try:
        return msgspec.convert(record, kind)
    except msgspec.ValidationError:
        raise DamagedError(f"the journal has a malformed {kind.__name__.lower()}") from None
