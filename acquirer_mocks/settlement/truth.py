"""The answer key: for each line of a merchant what is true of it, and what was planted.

Amounts in it have two decimals, as a merchant's own records have, rates six. Choice: D-387.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import msgspec

from acquirer_mocks.settlement.fx import decimal_text, in_cents
from acquirer_mocks.settlement.kinds import record_type, transaction_type
from acquirer_mocks.settlement.lines import FileLine

RATE_DECIMALS = 6


class Note(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What was planted in a line, or in the place of one: the fault, its words, and the line as it
    should have been. `payments` are those the money is of. Without a fault
    it says what a reader cannot find out, or why there is no line.
    """

    planted: str | None
    why: str
    true: FileLine
    payments: tuple[str, ...] = ()
    status: str = "MATCHED"


class SpooledLine(msgspec.Struct, frozen=True, array_like=True):
    """A line on its way to the file, with what was planted in it. A `line` of None is one that
    should be there and is not.
    """

    line: FileLine | None
    note: Note | None = None


def line_of_key(spooled: SpooledLine, number: int, result_file: str) -> dict[str, Any]:
    """The entry of one line; `number` is its place in the merchant's part of the file."""
    line, note = spooled.line, spooled.note
    if line is None:
        return _absent(note)
    return {
        "kind": "line",
        "file": "" if note is not None and note.planted == "other_merchant" else result_file,
        "line": number,
        "settlementTxId": line.id,
        "truth": _truth(line if note is None else note.true, note),
        "planted": None if note is None else note.planted,
        "why": "" if note is None else note.why,
    }


def payout_of_key(units: int, currency: str, *, day: date, payments: int) -> dict[str, Any]:
    """What the bank transfer of a batch should be."""
    return {
        "kind": "payout",
        "date": day.isoformat(),
        "amount": in_cents(abs(units), currency),
        "currency": currency,
        "cashflow": "NEG" if units < 0 else "POS",
        "payments": payments,
        "planted": None,
        "why": "",
    }


def file_of_key(name: str, planted: str | None, why: str) -> dict[str, Any]:
    """What is wrong with the institute's file itself, if anything."""
    return {"kind": "file", "file": name, "planted": planted, "why": why}


def encoded(entries: Iterable[Mapping[str, Any]]) -> bytes:
    """The entries as JSON, one a line."""
    return b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)


def _absent(note: Note | None) -> dict[str, Any]:
    assert note is not None, "a line that is not there has a note that says why"
    return {
        "kind": "absent",
        "payment": note.true.payment,
        "amount": in_cents(note.true.amount, note.true.currency),
        "currency": note.true.currency,
        "planted": note.planted,
        "why": note.why,
    }


def _truth(line: FileLine, note: Note | None) -> dict[str, Any]:
    # A fee of the merchant account itself and a payout are as expected, and are of no payment.
    payments, status = [line.payment] if line.payment else [], "MATCHED"
    if note is not None:
        payments, status = list(note.payments) or payments, note.status
    return {
        "status": status,
        "payments": payments,
        "recordType": record_type(line.type),
        "transactionType": transaction_type(line.type),
        "amount": in_cents(line.amount, line.currency),
        "currency": line.currency,
        "settlementAmount": in_cents(line.gross, line.settlement_currency),
        "settlementCurrency": line.settlement_currency,
        "fee": in_cents(line.fee.total, line.settlement_currency),
        "feeParts": {
            name: in_cents(units, line.settlement_currency)
            for name, units in line.fee._asdict().items()
        },
        "rate": decimal_text(line.rate, RATE_DECIMALS),
        "date": line.settlement_date.isoformat(),
    }
