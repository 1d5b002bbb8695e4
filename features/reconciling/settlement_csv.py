"""The suite's own reader of the reconciliation file, written from the specification's table alone.

It takes the columns as the file has to name them, and amounts as exact decimals.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import BinaryIO

from features.spec.tables import SpecificationRow, rows

SECTION = "Reconciliation record"
DELIMITER = ";"
# A value as it is, or all of it in quotation marks, doubled inside; behind it another, or nothing.
VALUE = re.compile(r'(?:"((?:[^"]|"")*)"|([^";\r]*));')
LINE_BYTES_MAX = 64 * 1024
MARK = b"\xef\xbb\xbf"
QUOTATION = "quotation marks around all of a value that needs them, and doubled inside"


class SettlementCsvError(ValueError):
    """The file is none of its kind; the message says where, what was expected and what came."""


class StrayQuoteError(SettlementCsvError):
    """A value whose quotation marks, or those it lacks, leave open where it ends."""

    def __init__(self, where: str, number: int, column: str, came: str):
        super().__init__(f"{where}: {column}: expected {QUOTATION}, got {came!r}")
        self.number, self.column, self.came = number, column, came


@dataclass(frozen=True, slots=True)
class SettledRecord:
    """One line of the file: its number from 2 on, for the header is line 1, and its columns."""

    number: int
    columns: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.columns[name]

    def amount(self, name: str) -> Decimal:
        """The amount in a column; nought where it is empty, or no amount."""
        try:
            return Decimal(self.columns[name] or 0)
        except InvalidOperation:
            return Decimal(0)

    @property
    def is_batch(self) -> bool:
        """Whether it is the bank transfer of a batch."""
        return self["PaymentType"] == "BATCH"

    @property
    def matched(self) -> tuple[str, ...]:
        """The payments it is matched to."""
        return tuple(filter(None, self["MatchedTransactions"].split(",")))


def header() -> str:
    """The first line of a file, without its end."""
    return DELIMITER.join(column.name for column in columns())


@cache
def columns() -> tuple[SpecificationRow, ...]:
    """The columns in their order: the rows of the table without its mappings of the API."""
    return tuple(row for row in rows() if row.section == SECTION and row.direction == "column")


def read_records(path: Path) -> Iterator[SettledRecord]:
    """The lines of a file, one after another. Raises SettlementCsvError, StrayQuoteError for a line
    in which the end of a value is unclear, OSError.
    """
    names = [column.name for column in columns()]
    with path.open("rb") as file:
        lines = _lines_of(file, path)
        first = next(lines, "")
        if first != header():
            raise SettlementCsvError(f"{path.name}:1: expected the header {names}, got {first!r}")
        for number, line in enumerate(lines, 2):
            cells = _cells_of(line, number, path)
            if len(cells) != len(names):
                raise SettlementCsvError(
                    f"{path.name}:{number}: expected {len(names)} columns, got {len(cells)}"
                )
            yield SettledRecord(number, dict(zip(names, cells, strict=True)))


def _cells_of(line: str, number: int, path: Path) -> list[str]:
    """The values of a line. Raises StrayQuoteError."""
    if '"' not in line and "\r" not in line:
        return line.split(DELIMITER)
    # One more delimiter, so that an empty value at the end is one.
    line, cells, at = line + DELIMITER, list[str](), 0
    while at < len(line):
        found = VALUE.match(line, at)
        if found is None:
            names = [*(column.name for column in columns()), *("a column too many" for _ in cells)]
            came = line[at:].partition(DELIMITER)[0]
            raise StrayQuoteError(f"{path.name}:{number}", number, names[len(cells)], came)
        cells.append(found[2] if found[1] is None else found[1].replace('""', '"'))
        at = found.end()
    return cells


def _lines_of(file: BinaryIO, path: Path) -> Iterator[str]:
    for number, line in enumerate(iter(lambda: file.readline(LINE_BYTES_MAX + 1), b""), 1):
        where = f"{path.name}:{number}"
        if number == 1 and line.startswith(MARK):
            raise SettlementCsvError(f"{where}: expected UTF-8 without a byte order mark")
        if len(line) > LINE_BYTES_MAX or not line.endswith(b"\r\n"):
            raise SettlementCsvError(
                f"{where}: expected at most {LINE_BYTES_MAX} bytes that end with CR LF"
            )
        try:
            yield line.decode("utf-8").removesuffix("\r\n")
        except UnicodeDecodeError:
            raise SettlementCsvError(f"{where}: expected UTF-8, got other bytes") from None
