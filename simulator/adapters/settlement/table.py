"""SGCSV: commas, with a summary beside the file. Layout: docs/reference/settlement-files.md."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from simulator.adapters.settlement.fields import Record
from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import BATCH, SettlementLine

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

END = "<END>"
MARK = b"\xef\xbb\xbf"
LINE_BYTES_MAX = 8 * 1024
COLUMNS = (
    "Line", "SettlementId", "Batch", "MerchantNumber", "Type", "PaymentId",
    "MerchantTransactionId", "Reference", "AuthCode", "AcquirerReference", "Brand", "Last4",
    "EntryMode", "OrderTime", "Currency", "Debit", "Credit", "SettlementCurrency", "Rate",
    "GrossDebit", "GrossCredit", "Interchange", "Scheme", "Markup", "Fee", "NetDebit", "NetCredit",
    "SettlementDate", "Status", "ReasonCode", "ReasonText", "Part",
)  # fmt: skip
SUMMARY_COLUMNS = (
    "File", "Sha256", "Batch", "MerchantNumber", "SettlementCurrency", "Lines", "Debit", "Credit",
    "Fee", "Net",
)  # fmt: skip
# fmt: off
LENGTHS = {
    "SettlementId": 24, "Batch": 10, "MerchantNumber": 32, "Type": 20, "PaymentId": 32,
    "MerchantTransactionId": 255, "Reference": 12, "AuthCode": 6, "AcquirerReference": 19,
    "Brand": 16, "Last4": 4, "EntryMode": 3, "ReasonCode": 11, "ReasonText": 128,
}
# fmt: on
ZERO = Decimal(0)
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
Cells = Mapping[str, str]


@dataclass(slots=True)
class _Sums:
    """What the batch of a merchant number has had so far, without its payouts; `batch` is its
    number once a line says it, as a payout may name another one, that it repeats.
    """

    batch: str = ""
    lines: int = 0
    debit: Decimal = ZERO
    credit: Decimal = ZERO
    fee: Decimal = ZERO


def summary_of(path: Path) -> Path:
    """The summary that lies beside a file."""
    return path.with_suffix(".summary.csv")


def parse_table(source: BinaryIO, path: Path) -> Iterator[SettlementLine]:
    """The lines of a file, one after another; its sums and its hash are compared with those of the
    summary once the last has come. Raises SettlementFileError.
    """
    digest, sums = sha256(), defaultdict[tuple[str, str], _Sums](_Sums)
    for place, (record, cells) in enumerate(_rows(source, path.name, COLUMNS, digest), 1):
        line = _line(record, cells, place)
        batch = sums[line.merchant_number, line.gross.currency]
        if line.type != BATCH:
            batch.batch = batch.batch or line.batch
            record.demand("one batch of a merchant number", expected=batch.batch, got=line.batch)
        _count(batch, line)
        if cells["Line"] != str(batch.lines):
            record.demand("Line of the batch", expected=str(batch.lines), got=cells["Line"])
        yield line
    _compare(path, digest.hexdigest(), sums)


def _count(batch: _Sums, line: SettlementLine) -> None:
    batch.lines += 1
    if line.type == BATCH:
        return
    if line.is_credit:
        batch.credit += line.gross.amount
    else:
        batch.debit += line.gross.amount
    batch.fee += line.fee or ZERO


def _compare(path: Path, digest: str, sums: Mapping[tuple[str, str], _Sums]) -> None:
    summary, found = summary_of(path), set()
    try:
        source = summary.open("rb")
    except FileNotFoundError:
        Record(path.name, 0).refuse(f"{summary.name} beside it", "no such file")
    with source:
        for record, cells in _rows(source, summary.name, SUMMARY_COLUMNS, sha256()):
            record.demand("file", expected=path.name, got=cells["File"])
            record.demand("hash", expected=digest, got=cells["Sha256"])
            currency = record.currency_in("the currency", cells["SettlementCurrency"])
            key = cells["MerchantNumber"], currency
            batch = sums.get(key)
            if batch is None or key in found or batch.batch not in ("", cells["Batch"]):
                record.refuse("each batch of the file once", cells["Batch"])
            found.add(key)
            _demand_sums(record, cells, batch, currency)
    if len(found) != len(sums):
        Record(summary.name, 0).refuse(f"{len(sums)} batches", len(found))


def _demand_sums(record: Record, cells: Cells, batch: _Sums, currency: str) -> None:
    record.demand("lines", expected=str(batch.lines), got=cells["Lines"])
    net = batch.credit - batch.debit - batch.fee
    counted = {"Debit": batch.debit, "Credit": batch.credit, "Fee": batch.fee, "Net": net}
    for name, amount in counted.items():
        stated = record.amount_in(name, cells[name], currency)
        record.demand(name, expected=amount, got=stated)


def _rows(
    source: BinaryIO, name: str, columns: tuple[str, ...], digest: "Hash"
) -> Iterator[tuple[Record, Cells]]:
    lines = _lines(source, name, digest)
    rows = csv.reader(lines, strict=True)
    is_ended, number = False, 0
    try:
        for number, cells in enumerate(rows):
            record = Record(name, number)
            if is_ended:
                record.refuse("the end of the file", cells)
            if number == 0:
                Record(name, 0).demand("columns", expected=list(columns), got=cells)
            elif cells == [END]:
                is_ended = True
            else:
                record.demand("number of columns", expected=len(columns), got=len(cells))
                yield record, dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        Record(name, number + 1).refuse("commas and quotes", error)
    if not is_ended:
        Record(name, 0).refuse(f"{END} as the last line", "the end of the file")


def _lines(source: BinaryIO, name: str, digest: "Hash") -> Iterator[str]:
    number = 0
    while data := source.readline(LINE_BYTES_MAX + 1):
        digest.update(data)
        record = Record(name, number)
        if number == 0:
            record.demand("a byte order mark", expected=MARK, got=data[:3])
            data = data[3:]
        if len(data) > LINE_BYTES_MAX or not data.endswith(b"\r\n"):
            record.refuse(f"a line of at most {LINE_BYTES_MAX} bytes that ends with CR LF", data)
        try:
            yield data.decode("utf-8")
        except UnicodeDecodeError:
            record.refuse("UTF-8", data)
        number += 1


def _line(record: Record, cells: Cells, place: int) -> SettlementLine:
    for name, longest in LENGTHS.items():
        if len(cells[name]) > longest:
            record.text_in(name, cells[name], longest)
    currency = record.currency_in("Currency", cells["Currency"])
    settled = record.currency_in("SettlementCurrency", cells["SettlementCurrency"])
    is_credit = bool(cells["Credit"])
    amount, gross = (
        _one_of(record, cells, names, currency=unit, is_credit=is_credit)
        for names, unit in (
            (("Debit", "Credit"), currency),
            (("GrossDebit", "GrossCredit"), settled),
        )
    )
    return SettlementLine(
        place=place,
        id=cells["SettlementId"],
        batch=cells["Batch"],
        merchant_number=cells["MerchantNumber"],
        type=cells["Type"],
        is_credit=is_credit,
        money=Money(amount, currency),
        gross=Money(gross, settled),
        rate=record.rate_in("Rate", cells["Rate"]),
        settlement_date=record.date_in("SettlementDate", cells["SettlementDate"]),
        fee=record.amount_in("Fee", cells["Fee"], settled) if cells["Fee"] else None,
        requested_at=_instant(record, cells["OrderTime"]),
        payment=cells["PaymentId"],
        merchant_transaction_id=cells["MerchantTransactionId"],
        reference=cells["Reference"],
        auth_code=cells["AuthCode"],
        acquirer_reference=cells["AcquirerReference"],
        brand=cells["Brand"],
        last4=cells["Last4"],
        reason=cells["ReasonCode"],
        reason_text=cells["ReasonText"],
        is_part=record.choice_in("Part", cells["Part"], ("", "P")) == "P",
        is_success=record.choice_in("Status", cells["Status"], ("SUCCESS", "FAILED")) == "SUCCESS",
    )


def _one_of(
    record: Record, cells: Cells, names: tuple[str, str], *, currency: str, is_credit: bool
) -> Decimal:
    filled, empty = names[is_credit], names[not is_credit]
    if cells[empty]:
        record.refuse(f"{empty} empty beside {filled}", cells[empty])
    return record.amount_in(filled, cells[filled], currency)


def _instant(record: Record, text: str) -> datetime | None:
    if not text:
        return None
    try:
        return datetime.fromisoformat(text if INSTANT.fullmatch(text) else "")
    except ValueError:
        record.refuse("OrderTime such as 2030-01-02T10:11:12Z", text)
