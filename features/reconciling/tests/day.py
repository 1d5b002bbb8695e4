"""A day with each of the twenty faults once: what the merchant knows, its file, and the key.

What is settled in another currency is paid at 2.00; a fee is 1 % of the settled amount.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

FEE = Decimal("0.01")
RATE = Decimal("2.000000")
RATE_OF_YESTERDAY = Decimal("2.100000")
CENT = Decimal("0.01")
DATE, HOLIDAY = "2030-01-03", "2030-01-01"
CLEAN_COUNT = 30


@dataclass(frozen=True)
class OwnPayment:
    """A payment as the merchant stored it; `captures` are those it was captured by."""

    id: str
    amount: Decimal
    currency: str = "EUR"
    age_days: int = 1
    captures: tuple[str, ...] = ()


@dataclass(frozen=True)
class SettledLine:
    """A line of the CSV, with what a merchant's program compares."""

    id: str
    payment: str
    amount: Decimal
    currency: str
    settled: Decimal
    fee: Decimal
    rate: Decimal
    date: str = DATE
    kind: str = "SETTLED"


@dataclass(frozen=True)
class Day:
    """What the merchant knows, what its files hold, and the rows of the key."""

    own: Mapping[str, OwnPayment]
    lines: tuple[SettledLine, ...]
    key: tuple[Mapping[str, object], ...]

    def write_key(self, path: Path) -> Path:
        """The key as a file of JSON lines."""
        path.write_text("".join(json.dumps(row) + "\n" for row in self.key), encoding="utf-8")
        return path


def clean_line(payment: OwnPayment, number: int) -> SettledLine:
    """The line of a payment with which nothing is wrong."""
    rate = Decimal("1.000000") if payment.currency == "EUR" else RATE
    settled = (payment.amount * rate).quantize(CENT)
    fee = (settled * FEE).quantize(CENT)
    return SettledLine(
        f"tx-{number:04}", payment.id, payment.amount, payment.currency, settled, fee, rate
    )


def clean_day() -> Day:
    """Thirty payments, each settled by a line of its own."""
    own = [OwnPayment(f"pay-{number}", Decimal(f"{number}.50")) for number in range(CLEAN_COUNT)]
    lines = [clean_line(each, number) for number, each in enumerate(own)]
    return Day(
        {each.id: each for each in own},
        tuple(lines),
        tuple(key_line(each, (each.payment,)) for each in lines),
    )


def faulty_day() -> Day:
    """The clean day, and each fault once."""
    day = clean_day()
    own, lines, key = dict(day.own), list(day.lines), list(day.key)
    for number, fault in enumerate(FAULTED, start=100):
        payment = OwnPayment(f"pay-{number}", Decimal("200.00"), CURRENCIES.get(fault, "EUR"))
        line = clean_line(payment, number)
        wrong = FAULTED[fault](line)
        own[payment.id] = payment
        lines.append(wrong)
        key.append(key_line(wrong, (payment.id,), fault))
    return Day(own | odd_payments(), (*lines, *odd_lines()), (*key, *odd_key()))


def key_line(
    line: SettledLine, payments: tuple[str, ...], planted: str | None = None, file: str = "day.csv"
) -> dict[str, object]:
    """A line of the key; what cannot be matched says so."""
    truth = {"status": "MATCHED" if payments else "NOT_MATCHED", "payments": list(payments)}
    return {"kind": "line", "file": file, "line": 1, "settlementTxId": line.id, "truth": truth,
            "planted": planted, "why": f"planted: {planted}" if planted else ""}  # fmt: skip


CURRENCIES = {"fx_rounding": "USD", "fx_yesterday": "USD", "exponent_jpy": "JPY",
              "exponent_kwd": "KWD"}  # fmt: skip
# Faults of one line, and what is wrong with it.
FAULTED = {
    "amount_cent": lambda line: replace(line, amount=line.amount + CENT),
    "amount_large": lambda line: replace(line, amount=line.amount + 37),
    "fee_wrong": lambda line: replace(line, fee=line.fee + 1),
    "tariff_changed": lambda line: replace(line, fee=line.fee * 2),
    "fx_rounding": lambda line: replace(line, settled=line.settled - CENT),
    "fx_yesterday": lambda line: replace(
        line, rate=RATE_OF_YESTERDAY, settled=(line.amount * RATE_OF_YESTERDAY).quantize(CENT)
    ),
    "exponent_jpy": lambda line: replace(line, amount=line.amount * 100),
    "exponent_kwd": lambda line: replace(line, amount=line.amount / 10),
    "currency_swapped": lambda line: replace(line, currency="USD"),
    "date_holiday": lambda line: replace(line, date=HOLIDAY),
}  # fmt: skip


def odd_payments() -> dict[str, OwnPayment]:
    """The payments of the faults that are about more than one line."""
    found = (
        OwnPayment("missing", Decimal("11.00")),
        OwnPayment("late-file", Decimal("12.00"), age_days=3),
        OwnPayment("twice", Decimal("13.00")),
        OwnPayment("settled-twice", Decimal("14.00")),
        OwnPayment("other", Decimal("15.00")),
        OwnPayment("really", Decimal("15.00")),
        OwnPayment("capture-1", Decimal("7.00")),
        OwnPayment("capture-2", Decimal("9.00")),
        OwnPayment("early", Decimal("16.00"), age_days=0),
        OwnPayment("old", Decimal("17.00"), age_days=130),
    )
    return {each.id: each for each in found}


def odd_lines() -> tuple[SettledLine, ...]:
    """The lines of those faults, as the merchant gets them."""
    own = odd_payments()
    twice = clean_line(own["twice"], 200)
    first = clean_line(own["settled-twice"], 201)
    summed = clean_line(OwnPayment("capture-1", Decimal("16.00")), 206)
    return (
        twice, twice, first, replace(first, id="tx-0202"),
        clean_line(own["other"], 203), replace(clean_line(own["really"], 204), payment="other"),
        replace(clean_line(own["missing"], 205), payment="nowhere"), summed,
        replace(clean_line(own["early"], 207), kind="CHARGEBACK"),
        replace(clean_line(own["old"], 208), kind="CHARGEBACK"),
    )  # fmt: skip


def odd_key() -> tuple[dict[str, object], ...]:
    """What is true of them, with what is not in the file."""
    by_id = {each.id: each for each in odd_lines()}
    hidden = replace(by_id["tx-0200"], id="tx-0209")
    return (
        key_line(by_id["tx-0200"], ("twice",)),
        key_line(by_id["tx-0200"], ("twice",), "line_twice"),
        key_line(by_id["tx-0201"], ("settled-twice",)),
        key_line(by_id["tx-0202"], ("settled-twice",), "settled_twice"),
        key_line(by_id["tx-0203"], ("other",)),
        key_line(by_id["tx-0204"], ("really",), "reference_other"),
        key_line(by_id["tx-0205"], (), "reference_unknown"),
        key_line(by_id["tx-0206"], ("capture-1", "capture-2"), "captures_summed"),
        key_line(by_id["tx-0207"], ("early",), "chargeback_early"),
        key_line(by_id["tx-0208"], ("old",), "chargeback_late"),
        key_line(hidden, (), "other_merchant", file=""),
        {"kind": "absent", "payment": "missing", "planted": "missing", "why": "left out"},
        {"kind": "file", "file": "other.xml", "planted": "file_trouble", "why": "cut off"},
        {"kind": "file", "file": "institute.xml", "planted": None, "why": ""},
        {"kind": "payout", "date": DATE, "amount": "100.00", "currency": "EUR", "why": ""},
    )  # fmt: skip
