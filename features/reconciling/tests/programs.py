"""A merchant's reconciliation program: careful in every respect, or with one check left out."""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from features.reconciling.tests.day import (
    CENT,
    FEE,
    HOLIDAY,
    RATE,
    Day,
    OwnPayment,
    SettledLine,
)

HEADER = ("settlementTxId", "payments", "verdict", "difference")
Row = tuple[str, str, str, str]


def run_program(day: Day, path: Path, *, without: str = "") -> Path:
    """The result of the program for a day; `without` names the fault it does not look for."""
    rows = [*_of_lines(day, without), *_of_missing(day, without)]
    if without == "other_merchant":
        rows.append(("tx-0209", "", "NOT_MATCHED", ""))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows([HEADER, *rows])
    return path


def _of_lines(day: Day, without: str) -> Iterator[Row]:
    seen, settled = Counter(each.id for each in day.lines), Counter[str]()
    for line in dict.fromkeys(day.lines):
        own = day.own.get(line.payment)
        if own is None:
            is_skipped = without == "reference_unknown"
            yield (line.id, "", "MATCHED" if is_skipped else "NOT_MATCHED", "")
            continue
        settled[line.payment] += 1
        found = _differences(line, own, count=seen[line.id], settled=settled[line.payment])
        wrong = [fault for fault in found if fault != without]
        yield (line.id, line.payment, "MATCHED", " ".join(wrong))


def _differences(line: SettledLine, own: OwnPayment, *, count: int, settled: int) -> Iterator[str]:
    yield from _of_money(line, own)
    if count > 1:
        yield "line_twice"
    if settled > 1:
        yield "reference_other" if line.payment == "other" else "settled_twice"
    if line.date == HOLIDAY:
        yield "date_holiday"
    if line.kind == "CHARGEBACK" and own.age_days < 1:
        yield "chargeback_early"
    if line.kind == "CHARGEBACK" and own.age_days > 120:
        yield "chargeback_late"


def _of_money(line: SettledLine, own: OwnPayment) -> Iterator[str]:
    if line.currency != own.currency:
        yield "currency_swapped"
    if line.amount != own.amount:
        yield _amount_fault(line, own)
    expected = (line.settled * FEE).quantize(CENT)
    if line.fee != expected and line.rate in (1, RATE):
        if line.fee == expected * 2:
            yield "tariff_changed"
        elif abs(line.fee - expected) > CENT:
            yield "fee_wrong"
    if line.rate not in (1, RATE):
        yield "fx_yesterday"
    elif line.amount == own.amount and line.settled != (line.amount * line.rate).quantize(CENT):
        yield "fx_rounding"


def _amount_fault(line: SettledLine, own: OwnPayment) -> str:
    if line.amount == own.amount * 100:
        return "exponent_jpy"
    if line.amount * 10 == own.amount:
        return "exponent_kwd"
    if own.id.startswith("capture"):
        return "captures_summed"
    return "amount_cent" if abs(line.amount - own.amount) <= CENT else "amount_large"


def _of_missing(day: Day, without: str) -> Iterator[Row]:
    settled = {line.payment for line in day.lines} | {"capture-2", "really"}
    for payment in sorted(set(day.own) - settled):
        fault = "file_trouble" if payment == "late-file" else "missing"
        if fault != without:
            yield ("", payment, "MISSING", "")
