"""Lines that come in the file of another bank day than that of their payment, at each institute:
one whose files name no payment is found by its reference.
"""

from decimal import Decimal

import pytest

from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.domain.core.records import Payment
from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.agreement.trees import WHOLE

# Days that begin eight days after one another: a chargeback that is late comes after 120.
SOON, LATE = range(2, 6), range(2, 20)


def movements(merchant: Merchant) -> list[SettledRecord]:
    """The lines that are no fees, in the order of the files."""
    found = [record for file in merchant.files() for record in read_records(file)]
    return [each for each in found if each["ReconciliationType"] != "FEE"]


def shown(merchant: Merchant) -> list[tuple[str, str, str]]:
    names = ("ReconciliationType", "UniqueID", "MatchingStatus")
    return [tuple(record[name] for name in names) for record in movements(merchant)]


@pytest.mark.parametrize(
    ("plan", "days", "kinds"),
    [
        ("counts: {deferred: 1}", SOON, ("SETTLED",)),
        ("file: late", SOON, ("SETTLED",)),
        ("counts: {settled_twice: 1}", SOON, ("SETTLED", "SETTLED")),
        ("counts: {chargeback_early: 1}", SOON, ("CHARGEBACK", "SETTLED")),
        ("counts: {chargeback_late: 1}", LATE, ("SETTLED", "CHARGEBACK")),
    ],
)
def test_a_line_of_another_day_is_matched_with_its_payment(
    merchant: Merchant, plan: str, days: range, kinds: tuple[str, ...]
) -> None:
    merchant.arm(plan)
    sale = merchant.pay("DB")

    for day in days:
        merchant.begin_day(day)

    assert shown(merchant) == [(kind, sale, "MATCHED") for kind in kinds]


def test_a_late_chargeback_leaves_nothing_that_could_be_refunded(merchant: Merchant) -> None:
    merchant.arm("counts: {chargeback_late: 1}")
    sale = merchant.pay("DB")

    for day in LATE:
        merchant.begin_day(day)

    (line,) = [each for each in movements(merchant) if each["ReconciliationType"] != "SETTLED"]
    assert merchant.store.get(Payment, sale).chargeback == line["ChargebackId"] != ""
    assert merchant.refer(sale, "RF", WHOLE) is None


def test_a_deferred_line_is_of_the_payment_that_has_its_reference(merchant: Merchant) -> None:
    """Another one of that amount, card and date is of the bank day of the file."""
    merchant.arm("counts: {deferred: 1}")
    sale = merchant.pay("DB")
    merchant.pass_cut_off()
    later = merchant.pay("DB")

    merchant.begin_day(2)

    found = [record["UniqueID"] for record in movements(merchant)]
    assert sorted(found) == sorted([sale, later])
    assert sum((Decimal(each["Amount"]) for each in movements(merchant)), Decimal(0)) == 32
