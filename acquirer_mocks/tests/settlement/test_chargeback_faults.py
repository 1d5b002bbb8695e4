"""Chargebacks that are planted take no more than is left of their payment."""

from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from acquirer_mocks.tests.settlement.movements import DAY, file_of, key_of, movement, run
from acquirer_mocks.tests.settlement.readings import read
from acquirer_mocks.tests.settlement.test_faults import one, planted, planted_run
from simulator.domain.ports.clearing import CarriedOver, SettlementFaults


@pytest.mark.parametrize("fault", ["chargeback_early", "chargeback_late"])
def test_nothing_is_charged_back_where_nothing_is_left(tmp_path: Path, fault: str) -> None:
    entries = [
        movement(1, left=Decimal(0)),
        movement(2, "RF", "10.00 EUR", about=f"{1:032x}", left=Decimal(0)),
    ]

    lines, key = planted_run(tmp_path, fault, entries)

    assert [line.type for line in lines] == ["DB", "RF"]
    assert planted(key) == []


def test_a_chargeback_is_of_no_more_than_is_left(tmp_path: Path) -> None:
    refund = movement(2, "RF", "10.00 EUR", about=f"{1:032x}", left=Decimal("4.00"))

    lines, _ = planted_run(tmp_path, "chargeback_late", [refund])

    assert [(line.type, line.amount) for line in lines] == [
        ("RF", Decimal("10.00")),
        ("CB", Decimal("4.00")),
    ]


def test_a_file_charges_a_payment_back_once(tmp_path: Path) -> None:
    refunds = [movement(number, "RF", "2.00 EUR", about=f"{1:032x}") for number in (2, 3)]
    faults = SettlementFaults(counts={"chargeback_late": 2})

    written = run(tmp_path, refunds, faults=faults)

    assert planted(key_of(tmp_path, written)) == ["chargeback_late"]


def test_a_late_chargeback_looks_up_what_is_left_by_then(tmp_path: Path) -> None:
    first = run(tmp_path, [movement(1)], faults=one("chargeback_late"))
    (late,) = first.carried.entries
    assert late.entry.left == late.entry.money.amount
    gone = replace(late, entry=replace(late.entry, left=Decimal(0)))

    due = DAY + timedelta(days=120)
    written = run(tmp_path, [], day=due, carried=replace(first.carried, entries=(gone,)))

    assert read(file_of(tmp_path, written)) == []
    assert written.carried == CarriedOver()


@pytest.mark.parametrize("fault", ["chargeback_early", "chargeback_late"])
def test_a_file_that_is_late_charges_nothing_back(tmp_path: Path, fault: str) -> None:
    """What is left of a payment may be less by the time that it comes."""
    refund = movement(2, "RF", "10.00 EUR", about=f"{1:032x}")
    faults = SettlementFaults(counts={fault: 2}, file="late")

    written = run(tmp_path, [movement(1), refund], faults=faults)

    assert planted(key_of(tmp_path, written)) == ["file_trouble"]
    assert written.carried.entries == ()


def test_a_chargeback_that_is_due_in_a_late_file_comes_in_the_next_one(tmp_path: Path) -> None:
    first = run(tmp_path, [movement(1)], faults=one("chargeback_late"))
    due = DAY + timedelta(days=120)

    second = run(tmp_path, [], day=due, carried=first.carried, faults=SettlementFaults(file="late"))
    third = run(tmp_path, [], day=due + timedelta(days=3), carried=second.carried)

    assert second.carried.entries == first.carried.entries
    assert [line.type for line in read(file_of(tmp_path, third))] == ["CB", "BATCH"]
