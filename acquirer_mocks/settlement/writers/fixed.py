"""SGFIX: records of 200 ASCII characters. Layout: docs/reference/settlement-files.md."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import BinaryIO
from zoneinfo import ZoneInfo

from acquirer_mocks.settlement.lines import BATCH, FileBatch, FileHead, FileLine
from simulator.domain.ports.clearing import SettlementOrderError

WIDTH = 200
VERSION = "SGFIX01"


def write_fixed(target: BinaryIO, head: FileHead, batches: Iterable[FileBatch]) -> None:
    """Write the file of a day, record by record."""
    target.write(_record("01", VERSION, _text(head.institute, 32), _date(head.day),
        _date(head.settlement_date), _time(head.made), _digits(head.number, 4),
        _text(head.zone, 32)))  # fmt: skip
    zone, records, count, control = ZoneInfo(head.zone), 2, 0, head.error
    for batch in batches:
        _write_batch(target, batch, head, zone)
        count += 1
        records += batch.lines_count + 2
        control += _debits(batch) + batch.sums.credits
    target.write(_record("99", _digits(count, 6), _digits(records, 10), _digits(control, 20)))


def _write_batch(target: BinaryIO, batch: FileBatch, head: FileHead, zone: ZoneInfo) -> None:
    target.write(_record("10", _text(batch.number, 10), _text(batch.merchant_number, 32),
        batch.currency, _date(head.settlement_date)))  # fmt: skip
    for line in batch.lines:
        target.write(_line(line, zone))
    net = batch.sums.credits - _debits(batch)
    target.write(_record("80", _text(batch.number, 10), _digits(batch.lines_count, 8),
        _digits(_debits(batch), 18), _digits(batch.sums.credits, 18),
        _sign(net >= 0), _digits(abs(net), 18)))  # fmt: skip


def _debits(batch: FileBatch) -> int:
    return batch.sums.debits + batch.sums.event_fees


def _line(line: FileLine, zone: ZoneInfo) -> bytes:
    if line.is_moving:
        return _transaction(line, zone)
    return _payout(line) if line.type == BATCH else _fee(line)


def _transaction(line: FileLine, zone: ZoneInfo) -> bytes:
    time = " " * 14 if line.instant is None else _time(line.instant.astimezone(zone))
    # One expression for all fields: there are a million of these. Amounts fit (`FileLine.fits`).
    return _record(
        f"20{line.number:08d}{line.id:<24.24}{line.type:<2.2}{line.reference:<12.12}"
        f"{line.auth_code:<6.6}{line.last4:<4.4}{line.brand:<16.16}{time}{_sign(line.is_credit)}"
        f"{line.amount:013d}{line.currency}{line.gross:013d}{line.rate:012d}"
        f"{_date(line.settlement_date)}{line.reason:<11.11}{line.reason_text:<28.28}"
        f"{line.entry_mode:<3.3}{'P' if line.is_part else ' '}{line.acquirer_reference:<19.19}"
    )


def _fee(line: FileLine) -> bytes:
    return _record("30", _digits(line.number, 8), _text(line.id, 24), _text(line.type, 20),
        _text(line.brand, 16), _digits(line.count, 8), _sign(line.is_credit),
        _digits(line.gross, 13), _date(line.settlement_date))  # fmt: skip


def _payout(line: FileLine) -> bytes:
    return _record("40", _digits(line.number, 8), _text(line.id, 24), _text(line.batch, 10),
        _sign(line.is_credit), _digits(line.gross, 15), "S" if line.is_success else "F",
        _date(line.settlement_date))  # fmt: skip


def _record(*fields: str) -> bytes:
    return ("".join(fields).ljust(WIDTH) + "\n").encode("ascii", "replace")


def _text(value: str, width: int) -> str:
    return value[:width].ljust(width)


def _digits(value: int, width: int) -> str:
    text = str(value).rjust(width, "0")
    if len(text) > width:
        raise SettlementOrderError(
            f"expected a sum of at most {width} digits; received {len(text)}: settle it in parts"
        )
    return text


def _sign(is_credit: bool) -> str:
    return "C" if is_credit else "D"


def _date(day: date) -> str:
    return f"{day.year:04d}{day.month:02d}{day.day:02d}"


def _time(at: datetime) -> str:
    return f"{_date(at)}{at.hour:02d}{at.minute:02d}{at.second:02d}"
