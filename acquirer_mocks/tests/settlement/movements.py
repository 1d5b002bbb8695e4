"""Movements for tests: a day of two merchants, with every kind of movement."""

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from acquirer_mocks.settlement.day import write_day
from acquirer_mocks.settlement.institutes import institute_named
from simulator.domain.core.money import Money, read_amount
from simulator.domain.ports.clearing import (
    ClearingContract,
    ClearingEntry,
    DayOrder,
    SettlementFaults,
    WrittenDay,
)

DAY = date(2030, 1, 3)
NOON = datetime(2030, 1, 3, 12, 0, tzinfo=UTC)
ONE, TWO = "a1" * 16, "b2" * 16
CONTRACTS = {
    ONE: ClearingContract(merchant_number=ONE, result_file="one.csv"),
    TWO: ClearingContract(merchant_number=TWO, settlement_currency="USD"),
}
INSTITUTES = ("Sandgate Clearing", "Sandgate Acquiring", "Sandgate Bank")


def movement(
    number: int, kind: str = "DB", amount: str = "92.00 EUR", **more: Any
) -> ClearingEntry:
    """A movement of the first merchant, with references made of its number."""
    value, currency = amount.split()
    made = {
        "payment": f"{number:032x}",
        "merchant_number": ONE,
        "instant": NOON + timedelta(seconds=number),
        "reference": f"{number:012d}",
        "auth_code": f"{number % 1_000_000:06d}",
        "last4": "1111",
        "brand": "VISA",
        "merchant_transaction_id": f"order-{number}",
        "entry_mode": "812",
    }
    money = Money(read_amount(value), currency)
    return ClearingEntry(**(made | {"kind": kind, "money": money} | more))  # type: ignore[arg-type]


def every_kind() -> list[ClearingEntry]:
    """Each kind of movement, three currencies, two merchants."""
    return [
        movement(1),
        movement(2, "PA"),
        movement(3, "CP", "40.00 EUR", about=f"{2:032x}", is_part=True),
        movement(4, "CP", "30.00 EUR", about=f"{2:032x}", is_part=True),
        movement(5, "RF", "12.34 EUR", about=f"{1:032x}"),
        movement(6, "CD", "5.00 EUR", brand="MASTER"),
        movement(7, "RV"),
        movement(8, "CB", reason="000.100.203", reason_text="chargeback: not enough money"),
        movement(9, "CR"),
        movement(10, "RB", "1000.00 JPY"),
        movement(11, "DB", "7.50 KWD", sub_merchant="sub", facilitator="pf"),
        movement(12, "RC", "3.00 EUR", account="bank", brand="", last4="7890"),
        movement(13, "DB", "200.00 USD", merchant_number=TWO),
        movement(14, "DB", "10.01 EUR", merchant_number=TWO, brand="AMEX"),
    ]


def run(
    folder: Path,
    entries: Iterable[ClearingEntry] | None = None,
    *,
    institute: str = INSTITUTES[0],
    day: date = DAY,
    **more: Any,
) -> WrittenDay:
    """A run of a day whose files are in `folder`/drop and `folder`/keys."""
    drop, key = folder / "drop", folder / "keys"
    drop.mkdir(exist_ok=True, parents=True)
    key.mkdir(exist_ok=True, parents=True)
    faults = more.pop("faults", SettlementFaults())
    order = DayOrder(
        drop=str(drop), key=str(key), faults=faults, **({"contracts": CONTRACTS} | more)
    )
    found = every_kind() if entries is None else entries
    return write_day(institute_named(institute), day, found, order)


def file_of(folder: Path, written: WrittenDay) -> Path:
    """The settlement file of a run."""
    return folder / "drop" / written.files[-1]


def key_of(folder: Path, written: WrittenDay, merchant: str = ONE) -> list[dict[str, Any]]:
    """The answer key of a merchant."""
    name = next(name for name in written.keys if name.startswith(merchant))
    return [json.loads(line) for line in (folder / "keys" / name).read_text("utf-8").splitlines()]
