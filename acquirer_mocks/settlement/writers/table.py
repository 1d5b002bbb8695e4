"""SGCSV: commas, with a summary file beside it. Layout: docs/reference/settlement-files.md."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from hashlib import sha256
from io import StringIO, TextIOWrapper
from itertools import islice
from typing import BinaryIO

from acquirer_mocks.settlement.fx import decimal_text, written
from acquirer_mocks.settlement.lines import FileBatch, FileHead, FileLine

ENCODING = "utf-8-sig"
QUOTE, LINE_END = '"', "\r\n"
END = f"<END>{LINE_END}"
# Lines that are encoded, hashed and written together.
AT_ONCE = 100
COLUMNS = (
    "Line", "SettlementId", "Batch", "MerchantNumber", "Type", "PaymentId",
    "MerchantTransactionId", "Reference", "AuthCode", "AcquirerReference", "Brand", "Last4",
    "EntryMode", "OrderTime", "Currency", "Debit", "Credit", "SettlementCurrency", "Rate",
    "GrossDebit", "GrossCredit", "Interchange", "Scheme", "Markup", "Fee", "NetDebit", "NetCredit",
    "SettlementDate", "Status", "ReasonCode", "ReasonText", "Part",
)  # fmt: skip
SUMMARY = (
    "File", "Sha256", "Batch", "MerchantNumber", "SettlementCurrency", "Lines", "Debit", "Credit",
    "Fee", "Net",
)  # fmt: skip
RATE_DECIMALS = 6
# The characters of an instant up to its seconds.
SECONDS = 19


class _Hashed:
    """Writes what it is given, and hashes it."""

    def __init__(self, target: BinaryIO):
        self._target = target
        self.digest = sha256()

    def write(self, text: str) -> int:
        """Encode, hash and write; the number of bytes."""
        data = text.encode()
        self.digest.update(data)
        return self._target.write(data)


def write_table(target: BinaryIO, head: FileHead, batches: Iterable[FileBatch]) -> list[list[str]]:
    """Write the file of a day; what comes back are the lines of its summary."""
    output = _Hashed(target)
    output.write("\ufeff")
    output.write(_line(COLUMNS))
    ends = []
    for batch in batches:
        lines = map(_line, _rows(batch))
        while some := "".join(islice(lines, AT_ONCE)):
            output.write(some)
        ends.append((batch, _totals(batch, head.error)))
    output.write(END)
    digest = output.digest.hexdigest()
    return [
        [head.name, digest, batch.number, batch.merchant_number, batch.currency, *totals]
        for batch, totals in ends
    ]


def write_summary(target: BinaryIO, rows: Iterable[Iterable[str]]) -> None:
    """Write the summary file."""
    output = TextIOWrapper(target, encoding=ENCODING, newline="")
    lines = csv.writer(output, lineterminator=LINE_END)
    lines.writerow(SUMMARY)
    lines.writerows(rows)
    output.write(END)
    output.detach()


def _line(cells: Sequence[str]) -> str:
    """The cells as a line; few need quotes."""
    line = ",".join(cells)
    if QUOTE not in line and line.count(",") == len(cells) - 1 and line.isprintable():
        return line + LINE_END
    text = StringIO(newline="")
    csv.writer(text, lineterminator=LINE_END).writerow(cells)
    return text.getvalue()


def _totals(batch: FileBatch, error: int) -> list[str]:
    sums = batch.sums
    amounts = (sums.debits + sums.event_fees, sums.credits, sums.fees, sums.net + error)
    return [str(batch.lines_count), *(written(units, batch.currency) for units in amounts)]


def _rows(batch: FileBatch) -> Iterator[tuple[str, ...]]:
    for line in batch.lines:
        yield (
            str(line.number), line.id, line.batch or batch.number, batch.merchant_number, line.type,
            line.payment, line.merchant_transaction_id, line.reference, line.auth_code,
            line.acquirer_reference, line.brand, line.last4, line.entry_mode, _time(line),
            line.currency, *_amounts(line), line.settlement_date.isoformat(),
            "SUCCESS" if line.is_success else "FAILED", line.reason, line.reason_text,
            "P" if line.is_part else "",
        )  # fmt: skip


def _amounts(line: FileLine) -> tuple[str, ...]:
    """From Debit to NetCredit."""
    currency, is_moving = line.settlement_currency, line.is_moving
    net = line.signed - (line.fee.total if is_moving else 0)
    fee = (*line.fee, line.fee.total) if is_moving else ()
    return (
        *_sides(line.amount, line.is_credit, line.currency),
        currency,
        decimal_text(line.rate, RATE_DECIMALS),
        *_sides(line.gross, line.is_credit, currency),
        *([written(units, currency) for units in fee] or ("", "", "", "")),
        *_sides(abs(net), net > 0 or (net == 0 and line.is_credit), currency),
    )


def _sides(units: int, is_credit: bool, currency: str) -> tuple[str, str]:
    text = written(units, currency)
    return ("", text) if is_credit else (text, "")


def _time(line: FileLine) -> str:
    if line.instant is None:
        return ""
    return f"{line.instant.astimezone(UTC).isoformat()[:SECONDS]}Z"
