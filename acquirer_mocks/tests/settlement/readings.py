"""An independent reading of the three formats: lines as plain dictionaries, amounts as decimals.

It follows docs/reference/settlement-files.md and shares nothing with the writers.
"""

import csv
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree

EXPONENTS = {"EUR": 2, "USD": 2, "JPY": 0, "KWD": 3, "IDR": 2}
ZERO = Decimal(0)


class Read(NamedTuple):
    """A line: what it is, what it moves (gross, with its sign), what its fee is."""

    id: str
    merchant: str
    type: str
    gross: Decimal
    fee: Decimal
    amount: Decimal
    currency: str
    status: str
    date: str
    batch: str


def read(path: Path) -> list[Read]:
    """All lines of a settlement file, by its ending."""
    return list({".sgfix": _fixed, ".csv": _table, ".xml": _camt}[path.suffix](path))


def _fixed(path: Path) -> Iterator[Read]:
    merchant = currency = batch = ""
    for row in path.read_text("ascii").splitlines():
        kind = row[:2]
        if kind == "10":
            batch, merchant, currency = row[2:12], row[12:44].strip(), row[44:47]
        common: dict[str, Any] = {"id": row[10:34].strip(), "merchant": merchant, "fee": ZERO}
        if kind == "20":
            yield Read(type=row[34:36], gross=_units(row[105:118], currency, row[88]),
                amount=_units(row[89:102], row[102:105]), currency=row[102:105],
                status="SUCCESS", date=row[130:138], batch=batch, **common)  # fmt: skip
        if kind == "30":
            gross = _units(row[79:92], currency, row[78])
            yield Read(type=row[34:54].strip(), gross=gross, amount=-gross, currency=currency,
                status="SUCCESS", date=row[92:100], batch=batch, **common)  # fmt: skip
        if kind == "40":
            gross = _units(row[45:60], currency, row[44])
            status = {"S": "SUCCESS", "F": "FAILED"}[row[60]]
            yield Read(type="BATCH", gross=gross, amount=abs(gross), currency=currency,
                status=status, date=row[61:69], batch=row[34:44], **common)  # fmt: skip


def _units(digits: str, currency: str, sign: str = "C") -> Decimal:
    return Decimal(digits).scaleb(-EXPONENTS[currency]) * (1 if sign == "C" else -1)


def table_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV between its names and its end."""
    text = path.read_bytes().decode("utf-8-sig")
    assert text.endswith("\r\n<END>\r\n")
    return list(csv.DictReader(StringIO(text.removesuffix("<END>\r\n"), newline="")))


def _table(path: Path) -> Iterator[Read]:
    for row in table_rows(path):
        gross = Decimal(row["GrossCredit"] or 0) - Decimal(row["GrossDebit"] or 0)
        yield Read(id=row["SettlementId"], merchant=row["MerchantNumber"], type=row["Type"],
            gross=gross, fee=Decimal(row["Fee"] or 0),
            amount=Decimal(row["Debit"] or row["Credit"]), currency=row["Currency"],
            status=row["Status"], date=row["SettlementDate"], batch=row["Batch"])  # fmt: skip


def _camt(path: Path) -> Iterator[Read]:
    for statement in etree.parse(path).iterfind(".//{*}Stmt"):
        merchant = statement.findtext("{*}Acct/{*}Id/{*}Othr/{*}Id")
        for entry in statement.iterfind("{*}Ntry"):
            status = entry.findtext("{*}AddtlNtryInf", "SUCCESS")
            for details in entry.iterfind("{*}NtryDtls/{*}TxDtls"):
                yield _details(details, merchant, status)


def _details(details: Any, merchant: str, status: str) -> Read:
    kind = details.findtext("{*}BkTxCd/{*}Prtry/{*}Cd")
    sign = 1 if details.findtext("{*}CdtDbtInd") == "CRDT" else -1
    amount = details.find("{*}AmtDtls/{*}TxAmt/{*}Amt")
    references = {
        each.findtext("{*}Tp"): each.findtext("{*}Ref")
        for each in details.iterfind("{*}Refs/{*}Prtry")
    }
    return Read(
        id=details.findtext("{*}Refs/{*}AcctSvcrRef"),
        merchant=merchant,
        type=kind,
        # A payout leaves this account.
        gross=Decimal(details.findtext("{*}Amt")) * (-sign if kind == "BATCH" else sign),
        fee=Decimal(details.findtext("{*}Chrgs/{*}TtlChrgsAndTaxAmt", "0")),
        amount=Decimal(amount.text),
        currency=amount.get("Ccy"),
        status=status,
        date=details.findtext("{*}RltdDts/{*}IntrBkSttlmDt"),
        batch=references.get("BATCH", ""),
    )
