"""SGFIX: records of 200 characters. Layout: docs/reference/settlement-files.md."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import BinaryIO

from simulator.adapters.settlement.fields import Record
from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import BATCH, SettlementLine, from_units

LENGTH = 200
FORM = "SGFIX01"
MOVEMENTS = "20"


@dataclass(slots=True)
class _Batch:
    """What a batch has had so far; sums in the smallest unit of its currency."""

    number: str
    merchant_number: str
    currency: str
    records: int = 0
    debits: int = 0
    credits: int = 0
    paid: int | None = None

    def count(self, units: int, *, is_credit: bool) -> None:
        """Add an amount to its side."""
        if is_credit:
            self.credits += units
        else:
            self.debits += units


@dataclass(slots=True)
class _Totals:
    """What a file has had so far."""

    records: int = 0
    batches: int = 0
    control: int = 0
    lines: int = 0
    open: _Batch | None = field(default=None)


def parse_fixed(source: BinaryIO, name: str, zone: tzinfo) -> Iterator[SettlementLine]:
    """The lines of a file, one after another; its sums are right once the last has come.

    Raises SettlementFileError.
    """
    totals, is_ended = _Totals(), False
    for number, text in enumerate(_records(source, name), 1):
        record, kind = Record(name, number), text[:2]
        totals.records = number
        if is_ended:
            record.refuse("the end of the file", kind)
        if number == 1:
            record.demand("the header", expected=f"01{FORM}", got=text[:9])
        elif kind == "99":
            _close_file(record, text, totals)
            is_ended = True
        elif kind == "10":
            totals.open = _open_batch(record, text, totals)
        else:
            batch = totals.open
            if batch is None:
                record.refuse("10 or 99", kind)
            if kind == "80":
                _close_batch(record, text, batch, totals)
            else:
                totals.lines += 1
                yield _line(record, text, batch, place=totals.lines, zone=zone)
    if not is_ended:
        Record(name, 0).refuse("a file trailer 99", "the end of the file")


def _records(source: BinaryIO, name: str) -> Iterator[str]:
    number = 0
    while data := source.read(LENGTH + 1):
        number += 1
        if len(data) != LENGTH + 1 or not data.endswith(b"\n") or not data.isascii():
            Record(name, number).refuse("200 ASCII characters and a line feed", data[:20])
        yield data[:-1].decode("ascii")


def _open_batch(record: Record, text: str, totals: _Totals) -> _Batch:
    if totals.open is not None:
        record.refuse("the batch trailer 80 before another batch", text[:2])
    currency = record.currency_in("the settlement currency", text[44:47])
    return _Batch(text[2:12], text[12:44].rstrip(), currency)


def _close_batch(record: Record, text: str, batch: _Batch, totals: _Totals) -> None:
    net = batch.credits - batch.debits
    numbers = {
        "batch": (text[2:12], batch.number),
        "records": (text[12:20], f"{batch.records:08}"),
        "debits": (text[20:38], f"{batch.debits:018}"),
        "credits": (text[38:56], f"{batch.credits:018}"),
        "net": (text[56:75], f"{'C' if net >= 0 else 'D'}{abs(net):018}"),
    }
    if batch.paid is not None:
        record.demand("the net that is paid", expected=net, got=batch.paid)
    for name, (stated, counted) in numbers.items():
        record.demand(name, expected=counted, got=stated)
    totals.batches += 1
    totals.control += batch.debits + batch.credits
    totals.open = None


def _close_file(record: Record, text: str, totals: _Totals) -> None:
    if totals.open is not None:
        record.refuse("the batch trailer 80", "99")
    record.demand("batches", expected=f"{totals.batches:06}", got=text[2:8])
    record.demand("records", expected=f"{totals.records:010}", got=text[8:18])
    record.demand("control total", expected=f"{totals.control:020}", got=text[18:38])


def _line(record: Record, text: str, batch: _Batch, *, place: int, zone: tzinfo) -> SettlementLine:
    batch.records += 1
    if text[2:10] != f"{batch.records:08}":
        record.demand("line of the batch", expected=f"{batch.records:08}", got=text[2:10])
    kind = record.choice_in("a record", text[:2], (MOVEMENTS, "30", "40"))
    if kind == MOVEMENTS:
        return _movement(record, text, batch, place=place, zone=zone)
    return _fee(record, text, batch, place) if kind == "30" else _payout(record, text, batch, place)


def _movement(
    record: Record, text: str, batch: _Batch, *, place: int, zone: tzinfo
) -> SettlementLine:
    is_credit = record.choice_in("the sign", text[88], ("C", "D")) == "C"
    currency = record.currency_in("the currency", text[102:105])
    gross = record.number_in("the settlement amount", text[105:118])
    batch.count(gross, is_credit=is_credit)
    return SettlementLine(
        place=place,
        id=text[10:34].rstrip(),
        batch=batch.number,
        merchant_number=batch.merchant_number,
        type=text[34:36],
        is_credit=is_credit,
        money=Money(from_units(record.number_in("the amount", text[89:102]), currency), currency),
        gross=_money(gross, batch),
        rate=record.rate_in("the rate", f"{text[118:124]}.{text[124:130]}"),
        settlement_date=record.date_in("the settlement date", text[130:138]),
        requested_at=_instant(record, text[74:88], zone),
        reference=text[36:48].rstrip(),
        auth_code=text[48:54].rstrip(),
        acquirer_reference=text[181:200].rstrip(),
        brand=text[58:74].rstrip(),
        last4=text[54:58].rstrip(),
        reason=text[138:149].rstrip(),
        reason_text=text[149:177].rstrip(),
        is_part=text[180] == "P",
    )


def _fee(record: Record, text: str, batch: _Batch, place: int) -> SettlementLine:
    units = record.number_in("the fee", text[79:92])
    batch.count(units, is_credit=False)
    return SettlementLine(
        place=place,
        id=text[10:34].rstrip(),
        batch=batch.number,
        merchant_number=batch.merchant_number,
        type=text[34:54].rstrip(),
        is_credit=False,
        money=_money(units, batch),
        gross=_money(units, batch),
        rate=Decimal(1),
        settlement_date=record.date_in("the settlement date", text[92:100]),
        brand=text[54:70].rstrip(),
    )


def _payout(record: Record, text: str, batch: _Batch, place: int) -> SettlementLine:
    units = record.number_in("the net", text[45:60])
    is_credit = record.choice_in("the sign", text[44], ("C", "D")) == "C"
    if text[34:44] == batch.number:
        batch.paid = (batch.paid or 0) + (units if is_credit else -units)
    return SettlementLine(
        place=place,
        id=text[10:34].rstrip(),
        batch=text[34:44],
        merchant_number=batch.merchant_number,
        type=BATCH,
        is_credit=is_credit,
        money=_money(units, batch),
        gross=_money(units, batch),
        rate=Decimal(1),
        settlement_date=record.date_in("the settlement date", text[61:69]),
        is_success=record.choice_in("the status", text[60], ("S", "F")) == "S",
    )


def _money(units: int, batch: _Batch) -> Money:
    return Money(from_units(units, batch.currency), batch.currency)


def _instant(record: Record, text: str, zone: tzinfo) -> datetime:
    try:
        # Python takes ten times as long to read it by a pattern.
        iso = f"{text[:8]}T{text[8:]}" if text.isascii() and text.isdigit() else ""
        return datetime.fromisoformat(iso).replace(tzinfo=zone)
    except ValueError:
        record.refuse("the order time in 14 digits", text)
