"""Sums that no line can hold are paid in several transfers, each in the format of its column."""

from decimal import Decimal

import pytest

from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.tests.settlement.agreement.merchant import Merchant, broken_in

LARGEST = "9999999999.99"


def transfers(records: list[SettledRecord]) -> list[tuple[str, str, Decimal]]:
    """Direction, status and amount of each bank transfer."""
    return [
        (record["Cashflow"], record["SettlementStatus"], record.amount("SettlementAmount"))
        for record in records
        if record.is_batch
    ]


def settled(merchant: Merchant) -> list[SettledRecord]:
    return [record for file in merchant.files() for record in read_records(file)]


@pytest.mark.parametrize(("kind", "cashflow"), [("DB", "POS"), ("CD", "NEG")])
def test_a_batch_whose_net_has_more_than_ten_digits_is_paid_in_several_transfers(
    merchant: Merchant, kind: str, cashflow: str
) -> None:
    for _ in range(5):
        merchant.pay(kind, LARGEST)

    merchant.begin_day(2)

    records = settled(merchant)
    paid = transfers(records)
    assert [str(rule) for rule in broken_rules(records)] == []
    assert len(paid) >= 5
    assert {(direction, status) for direction, status, _ in paid} == {(cashflow, "SUCCESS")}
    assert max(amount for *_, amount in paid) == Decimal(LARGEST)
    assert merchant.balances()["merchant"] == 0


def test_transfers_that_a_bank_rejects_are_repeated_one_by_one(merchant: Merchant) -> None:
    merchant.arm("payout: rejected")
    for _ in range(3):
        merchant.pay("DB", LARGEST)
    merchant.begin_day(2)

    records = settled(merchant)
    rejected = [amount for _, status, amount in transfers(records) if status == "FAILED"]
    repeated = [amount for _, status, amount in transfers(records) if status == "SUCCESS"]

    assert len(rejected) == 3
    assert rejected == repeated[:3]
    assert broken_in(merchant.files()) == []
    assert merchant.balances()["merchant"] == 0


@pytest.mark.parametrize("merchant", ["Sandgate Acquiring"], indirect=True)
def test_a_fee_of_the_day_that_has_more_than_ten_digits_has_several_lines(
    merchant: Merchant,
) -> None:
    for _ in range(140):
        merchant.pay("DB", LARGEST)

    merchant.begin_day(2)

    fees = [each for each in settled(merchant) if each["PaymentType"] == "CAPTURE_FEE"]
    assert len(fees) > 1
    assert [str(rule) for rule in broken_rules(settled(merchant))] == []
    assert merchant.balances()["merchant"] == 0
