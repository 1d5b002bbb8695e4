"""What becomes of a settled payment later: a reversal, a chargeback of a refund, and what takes one
back each have the line that the ledger moved.
"""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.domain.core.records import Payment
from simulator.service.settlement.settled import reconciliation_id
from simulator.tests.settlement.agreement.merchant import Merchant

COLUMNS = ("ReconciliationType", "PaymentType", "Cashflow", "Amount", "MatchingStatus")


def shown(records: Sequence[SettledRecord]) -> list[tuple[str, ...]]:
    """What the lines say that are no fees."""
    return [
        tuple(record[name] for name in COLUMNS)
        for record in records
        if record["ReconciliationType"] != "FEE"
    ]


def settled(merchant: Merchant) -> list[SettledRecord]:
    return [record for file in merchant.files() for record in read_records(file)]


def id_of_settlement(merchant: Merchant, payment: str) -> str | None:
    found = merchant.store.get(Payment, payment)
    return reconciliation_id(merchant.context.ports, found)


@pytest.mark.parametrize("first", ["DB", "DB of a bank account"])
def test_a_debit_that_is_reversed_in_its_bank_day_has_no_line(
    merchant: Merchant, first: str
) -> None:
    sale = merchant.pay(first)
    reversal = merchant.refer(sale, "RV", "")

    merchant.begin_day(2)

    assert reversal is not None
    assert shown(settled(merchant)) == []
    assert {row["PaymentType"] for row in settled(merchant)} == {"CANCEL_FEE", "BATCH"}
    assert id_of_settlement(merchant, sale) is None


@pytest.mark.parametrize("is_settled_before", [True, False])
def test_a_debit_that_is_reversed_after_the_cut_off_is_taken_back_by_a_line_of_the_next_day(
    merchant: Merchant, *, is_settled_before: bool
) -> None:
    sale = merchant.pay("DB")
    merchant.pass_cut_off()
    if is_settled_before:
        merchant.settle()
    reversal = merchant.refer(sale, "RV", "")

    merchant.begin_day(2)

    taken, given_back = settled_movements(merchant)
    assert shown([taken, given_back]) == [
        ("SETTLED", "DEBIT", "POS", "16.00", "MATCHED"),
        ("SETTLED", "DEBIT", "NEG", "16.00", "MATCHED"),
    ]
    assert (taken["UniqueID"], given_back["UniqueID"]) == (sale, reversal)
    assert taken["SettlementDate"] < given_back["SettlementDate"]
    assert given_back["AccountNumberLast4"] == taken["AccountNumberLast4"]
    assert id_of_settlement(merchant, sale) != id_of_settlement(merchant, reversal)
    assert merchant.balances()["merchant"] == 0


@pytest.mark.parametrize("is_after_cut_off", [True, False])
def test_an_authorization_and_its_reversal_have_a_fee_each(
    merchant: Merchant, *, is_after_cut_off: bool
) -> None:
    held = merchant.pay("PA")
    if is_after_cut_off:
        merchant.pass_cut_off()
    merchant.refer(held, "RV", "")

    merchant.begin_day(2)

    assert {row["PaymentType"] for row in settled(merchant)} == {"AUTH_FEE", "CANCEL_FEE", "BATCH"}


def test_a_chargeback_of_a_refund_gives_the_merchant_back_what_it_refunded(
    merchant: Merchant,
) -> None:
    refund = merchant.refer(merchant.pay("DB"), "RF", "4.00")
    chargeback = merchant.refer(refund, "CB", "4.00")
    merchant.refer(chargeback, "CR", "4.00")

    merchant.begin_day(2)

    assert shown(settled(merchant)) == [
        ("SETTLED", "DEBIT", "POS", "16.00", "MATCHED"),
        ("SETTLED", "REFUND", "NEG", "4.00", "MATCHED"),
        ("CHARGEBACK", "DEBIT", "POS", "4.00", "MATCHED"),
        ("CHARGEBACK REVERSAL", "DEBIT", "NEG", "4.00", "MATCHED"),
    ]


@pytest.mark.parametrize("is_next_day", [True, False])
def test_a_refund_of_a_credit_gives_the_merchant_the_money_back(
    merchant: Merchant, *, is_next_day: bool
) -> None:
    refund = merchant.refer(merchant.pay("CD"), "RF", "6.00")
    if is_next_day:
        merchant.begin_day(1)
    chargeback = merchant.refer(refund, "CB", "4.00")
    merchant.refer(chargeback, "CR", "1.00")
    assert is_next_day or merchant.balances()["merchant"] == Decimal("-13.00")

    merchant.begin_day(2)

    assert shown(settled(merchant)) == [
        ("SETTLED", "CREDIT", "NEG", "16.00", "MATCHED"),
        ("SETTLED", "REFUND", "POS", "6.00", "MATCHED"),
        ("CHARGEBACK", "DEBIT", "NEG", "4.00", "MATCHED"),
        ("CHARGEBACK REVERSAL", "DEBIT", "POS", "1.00", "MATCHED"),
    ]
    assert merchant.balances()["merchant"] == 0


@pytest.mark.parametrize("is_next_day", [True, False])
def test_a_chargeback_reversal_names_the_chargeback_that_it_takes_back(
    merchant: Merchant, *, is_next_day: bool
) -> None:
    chargeback = merchant.refer(merchant.pay("DB"), "CB", "4.00")
    if is_next_day:
        merchant.begin_day(1)
    merchant.refer(chargeback, "CR", "4.00")

    merchant.begin_day(2)

    lines = [row for row in settled(merchant) if row["ReconciliationType"].startswith("CHARGE")]
    assert [line["ChargebackId"] for line in lines] == [chargeback, chargeback]


# SGFIX has no line for a chargeback of a payment that was refunded.
@pytest.mark.parametrize("merchant", ["Sandgate Clearing", "Sandgate Bank"], indirect=True)
def test_a_chargeback_that_a_line_makes_has_the_amount_of_the_line(merchant: Merchant) -> None:
    sale = merchant.pay("DB")
    merchant.refer(sale, "RF", "4.00")
    merchant.arm("counts: {chargeback_late: 2}")

    merchant.begin_day(2)

    (line,) = [row for row in settled(merchant) if row["ReconciliationType"] == "CHARGEBACK"]
    made = merchant.store.get(Payment, line["ChargebackId"])
    assert (line["Amount"], str(made.money)) == ("4.00", "4.00 EUR")


def settled_movements(merchant: Merchant) -> list[SettledRecord]:
    return [row for row in settled(merchant) if row["ReconciliationType"] != "FEE"]
