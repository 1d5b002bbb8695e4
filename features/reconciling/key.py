"""The answer key of a settlement run: what each settled line is in truth, and what was planted.

A key is a file of JSON lines. Its `line`s stand for the lines of the merchant's CSV, its `absent`
payments should have a line and have none, its `payout`s are the bank transfers, its `file`s the
institute's files with which something is wrong.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

LINE_BYTES_MAX = 64 * 1024
LINES_MAX = 3_000_000
Name = Annotated[str, Meta(max_length=255)]
Words = Annotated[str, Meta(max_length=2000)]
# A line that is for no payment, such as a fee of the day, has no status.
Status = Literal["MATCHED", "MULTIPLE_MATCHES", "NOT_MATCHED", ""]
# Delivered a day later: no fault.
DEFERRED = "deferred"


class KeyFormatError(Exception):
    """The key cannot be read; the message says where, what was expected and what was received."""


class Truth(Struct, frozen=True, rename="camel"):
    """What a line is: how it matches, and the payments it is for. Amounts are of no use here."""

    status: Status
    payments: Annotated[tuple[Name, ...], Meta(max_length=1000)] = ()


class KeyLine(Struct, frozen=True, rename="camel", tag_field="kind", tag="line"):
    """A line of the CSV; `file` is empty where the line must appear in no CSV of the merchant."""

    settlement_tx_id: Name
    truth: Truth
    file: Name = ""
    planted: Name | None = None
    why: Words = ""


class KeyAbsent(Struct, frozen=True, tag_field="kind", tag="absent"):
    """A payment that should have a line and has none."""

    payment: Name
    planted: Name | None = None
    why: Words = ""


class KeyPayout(Struct, frozen=True, tag_field="kind", tag="payout"):
    """A bank transfer of the run."""

    date: Name
    amount: Name
    currency: Name
    planted: Name | None = None
    why: Words = ""


class KeyFile(Struct, frozen=True, tag_field="kind", tag="file"):
    """A file of the institute. Where something is wrong with it, the merchant has none: all that it
    can find out is that its payments are missing.
    """

    file: Name
    planted: Name | None = None
    why: Words = ""


@dataclass(frozen=True, slots=True)
class KeyedTruth:
    """What a merchant should find out about a line or an absent payment."""

    payments: frozenset[str]
    planted: str | None
    why: str
    is_alarming: bool


@dataclass(slots=True)
class AnswerKey:
    """A key by what a merchant's result names: lines by settlementTxId, absent payments by id.

    `hidden` are the lines that no CSV of the merchant may hold; `files` those of the institute with
    which something is wrong.
    """

    lines: dict[str, KeyedTruth] = field(default_factory=dict)
    absent: dict[str, KeyedTruth] = field(default_factory=dict)
    hidden: dict[str, KeyedTruth] = field(default_factory=dict)
    files: dict[str, KeyedTruth] = field(default_factory=dict)
    payouts: int = 0


_DECODER = msgspec.json.Decoder(KeyLine | KeyAbsent | KeyPayout | KeyFile)


def read_key(path: Path) -> AnswerKey:
    """The key in a file. Raises KeyFormatError, OSError."""
    key = AnswerKey()
    with path.open("rb") as file:
        for row in _rows_of(iter(lambda: file.readline(LINE_BYTES_MAX + 1), b""), path):
            _add(key, row)
    if not (key.lines or key.absent or key.hidden or key.files):
        raise KeyFormatError(f"{path}: expected lines of a settlement run, got none")
    return key


def _rows_of(
    lines: Iterable[bytes], path: Path
) -> Iterator[KeyLine | KeyAbsent | KeyPayout | KeyFile]:
    for number, line in enumerate(lines, start=1):
        if len(line) > LINE_BYTES_MAX:
            raise KeyFormatError(f"{path}:{number}: expected at most {LINE_BYTES_MAX} bytes a line")
        if number > LINES_MAX:
            raise KeyFormatError(f"{path}: expected at most {LINES_MAX} lines, got more")
        if not line.strip():
            continue
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise KeyFormatError(
                f"{path}:{number}: expected a line of an answer key, got: {error}"
            ) from None


def _add(key: AnswerKey, row: KeyLine | KeyAbsent | KeyPayout | KeyFile) -> None:
    if isinstance(row, KeyLine):
        # The hidden lines are a leak of another merchant: none of them may come up in a result.
        where = key.lines if row.file else key.hidden
        where[row.settlement_tx_id] = _merged(where.get(row.settlement_tx_id), row)
    elif isinstance(row, KeyAbsent):
        planted = row.planted or "missing"
        key.absent[row.payment] = KeyedTruth(frozenset({row.payment}), planted, row.why, True)
    elif isinstance(row, KeyFile):
        if row.planted:
            key.files[row.file] = KeyedTruth(frozenset(), row.planted, row.why, True)
    else:
        key.payouts += 1


def _merged(before: KeyedTruth | None, row: KeyLine) -> KeyedTruth:
    """A line that comes twice is one to a merchant, who names it by its id."""
    planted = None if row.planted == DEFERRED else row.planted
    is_alarming = planted is not None or row.truth.status == "NOT_MATCHED"
    found = KeyedTruth(frozenset(row.truth.payments), planted, row.why, is_alarming)
    if before is None or (before.planted is None and found.planted is not None):
        return found
    return before
