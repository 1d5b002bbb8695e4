"""What a merchant's own reconciliation found: any CSV or JSON, its columns named by the caller.

A row is about a line of the settlement file, named by its SettlementTxId, or about a payment that
has no line. It says which payments the line is for, a verdict, and what differs.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from simulator.client.files.bounded import read_within

BYTES_MAX = 2 * 1024**3
JSON_BYTES_MAX = 256 * 1024**2
ROWS_MAX = 3_000_000
FIELD_LENGTH_MAX = 64 * 1024
PAYMENTS_MAX = 1000
VERDICTS = ("MATCHED", "MULTIPLE_MATCHES", "NOT_MATCHED", "MISSING")


class ResultFormatError(Exception):
    """The result cannot be read; the message says where, what was expected and what came."""


@dataclass(frozen=True, slots=True)
class ResultColumns:
    """The names that the columns of the result have."""

    line: str = "settlementTxId"
    payments: str = "payments"
    verdict: str = "verdict"
    difference: str = "difference"


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row: `line` is empty where it is about a payment that has no line."""

    line: str
    payments: frozenset[str]
    verdict: str
    difference: str

    @property
    def is_alarm(self) -> bool:
        """Whether the merchant says that something is wrong."""
        return bool(self.difference) or self.verdict in ("NOT_MATCHED", "MISSING")


def read_result(path: Path, columns: ResultColumns) -> Iterator[ResultRow]:
    """The rows of a result, as they are read. Raises ResultFormatError, OSError."""
    size = path.stat().st_size
    is_json = path.suffix.lower() == ".json"
    size_max = JSON_BYTES_MAX if is_json else BYTES_MAX
    if size > size_max:
        raise ResultFormatError(f"{path}: expected at most {size_max} bytes, got {size}")
    rows = _json_rows(path) if is_json else _csv_rows(path, columns)
    for number, row in enumerate(rows, start=1):
        if number > ROWS_MAX:
            raise ResultFormatError(f"{path}: expected at most {ROWS_MAX} rows, got more")
        yield _finding(row, columns, f"{path}, row {number}")


def _csv_rows(path: Path, columns: ResultColumns) -> Iterator[Mapping[str, Any]]:
    csv.field_size_limit(FIELD_LENGTH_MAX)
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            head = file.readline(FIELD_LENGTH_MAX)
            delimiter = max(",;\t|", key=head.count)
            names = next(csv.reader([head], delimiter=delimiter), [])
            _demand_columns(names, columns, path)
            yield from csv.DictReader(file, fieldnames=names, delimiter=delimiter)
        except (csv.Error, UnicodeDecodeError) as error:
            raise ResultFormatError(f"{path}: expected CSV in UTF-8, got: {error}") from None


def _json_rows(path: Path) -> Iterable[Mapping[str, Any]]:
    try:
        return msgspec.json.decode(read_within(path, JSON_BYTES_MAX), type=list[dict[str, Any]])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ResultFormatError(f"{path}: expected a JSON list of objects, got: {error}") from None


def _demand_columns(names: Iterable[str], columns: ResultColumns, path: Path) -> None:
    known = list(names)
    if columns.line not in known or columns.verdict not in known:
        raise ResultFormatError(
            f"{path}: expected the columns {columns.line} and {columns.verdict}, got: "
            f"{', '.join(known)[:200]}; --line-column and --verdict-column give other names"
        )


def _finding(row: Mapping[str, Any], columns: ResultColumns, where: str) -> ResultRow:
    verdict = _text(row.get(columns.verdict)).upper().replace(" ", "_")
    if verdict not in VERDICTS:
        raise ResultFormatError(
            f"{where}: {columns.verdict}: expected {', '.join(VERDICTS)}, got {verdict[:40]!r}"
        )
    payments = _payments(row.get(columns.payments))
    if len(payments) > PAYMENTS_MAX:
        raise ResultFormatError(f"{where}: {columns.payments}: expected at most {PAYMENTS_MAX}")
    found = ResultRow(
        _text(row.get(columns.line)), payments, verdict, _text(row.get(columns.difference))
    )
    if not found.line and not found.payments:
        raise ResultFormatError(f"{where}: expected {columns.line} or {columns.payments}, got none")
    return found


def _payments(value: Any) -> frozenset[str]:
    listed = value if isinstance(value, list) else _text(value).replace(",", " ").split()
    return frozenset(_text(each) for each in listed) - {""}


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
