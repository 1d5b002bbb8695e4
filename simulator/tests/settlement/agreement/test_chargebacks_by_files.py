"""Chargebacks that the institute brings, of payments that were refunded, reversed or charged back
before: it takes no more than the merchant still has, and the gateway makes the same chargeback.
"""

from datetime import timedelta
from decimal import Decimal

import pytest

from simulator.domain.core.money import ZERO
from simulator.domain.core.records import Payment
from simulator.service.settlement.runs import settle_until
from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.agreement.test_ledger_and_files import moved_in, settled
from simulator.tests.settlement.agreement.trees import WHOLE, make_over_days, shapes

EARLY, LATE = ("shares: {chargeback_early: 1}", "shares: {chargeback_late: 1}")
# What moves no money but to another line or another day.
DEFERRED, SUMMED = ("shares: {deferred: 1}", "shares: {captures_summed: 1}")
NEXT_DAYS, LATE_DAYS = timedelta(days=8), timedelta(days=130)


def pass_late_days(merchant: Merchant, plan: str) -> None:
    """Everything that is deferred at the institute comes: on the next bank days, and what is late
    months later.
    """
    merchant.clock.advance(LATE_DAYS if plan == LATE else NEXT_DAYS)
    merchant.runs += settle_until(merchant.context.ports, merchant.institute, None)


def is_settled(merchant: Merchant) -> bool:
    """Whether the last run of each institute leaves nothing open."""
    return not any({run.institute: run.open for run in merchant.runs}.values())


def sums(merchant: Merchant) -> tuple[Decimal, Decimal]:
    """What all lines say, and what the ledger moved by all payments."""
    entries = moved_in(merchant.store)
    posted = merchant.store.between(Payment, "posted", "", "~")
    return sum(settled(merchant).values(), ZERO), sum((entries[each.id] for each in posted), ZERO)


@pytest.mark.parametrize("plan", [EARLY, LATE])
@pytest.mark.parametrize("refunded", ["4.00", WHOLE])
@pytest.mark.parametrize("is_later", [True, False])
def test_a_chargeback_takes_what_refunds_have_left(
    merchant: Merchant, plan: str, refunded: str, *, is_later: bool
) -> None:
    """`is_later`: the cut-off has passed, and nothing is settled yet."""
    merchant.arm(plan)
    sale = merchant.pay("DB")
    if is_later:
        merchant.pass_cut_off()
    merchant.refer(sale, "RF", refunded)

    pass_late_days(merchant, plan)

    lines, entries = sums(merchant)
    assert is_settled(merchant)
    assert lines == entries >= 0


@pytest.mark.parametrize("merchant", ["Sandgate Clearing", "Sandgate Bank"], indirect=True)
@pytest.mark.parametrize("plan", [EARLY, LATE])
def test_what_refunds_have_left_is_charged_back(merchant: Merchant, plan: str) -> None:
    merchant.arm(plan.replace("shares", "counts"))
    sale = merchant.pay("DB")
    merchant.refer(sale, "RF", "4.00")

    pass_late_days(merchant, plan)

    (made,) = [
        each for each in merchant.store.find(Payment, "referenced", sale) if each.type == "CB"
    ]
    assert (str(made.money), sums(merchant)[0]) == ("12.00 EUR", 0)


@pytest.mark.parametrize("plan", [EARLY, LATE])
@pytest.mark.parametrize("charged_back", ["4.00", WHOLE])
@pytest.mark.parametrize("is_later", [True, False])
@pytest.mark.parametrize("is_taken_back", [True, False])
def test_what_the_merchant_charged_back_is_not_charged_back_again(
    merchant: Merchant, plan: str, charged_back: str, *, is_later: bool, is_taken_back: bool
) -> None:
    """`is_later`: the cut-off has passed, and nothing is settled yet."""
    merchant.arm(plan)
    sale = merchant.pay("DB")
    if is_later:
        merchant.pass_cut_off()
    chargeback = merchant.refer(sale, "CB", charged_back)
    if is_taken_back:
        merchant.refer(chargeback or "", "CR", charged_back)

    pass_late_days(merchant, plan)

    lines, entries = sums(merchant)
    assert is_settled(merchant)
    assert lines == entries >= 0


@pytest.mark.parametrize("plan", [EARLY, LATE])
@pytest.mark.parametrize("kind", ["RF", "CB", "CR"])
@pytest.mark.parametrize("amount", ["4.00", WHOLE])
def test_what_is_given_back_while_a_file_is_late_is_not_charged_back_in_it(
    merchant: Merchant, plan: str, kind: str, amount: str
) -> None:
    merchant.arm(f"{plan}\nfile: late")
    sale = merchant.pay("DB")
    merchant.begin_day(1)
    given = merchant.refer(sale, "RF" if kind == "RF" else "CB", amount)
    if kind == "CR":
        merchant.refer(given or "", "CR", amount)

    pass_late_days(merchant, plan)

    lines, entries = sums(merchant)
    assert merchant.runs[0].state == "late"
    assert is_settled(merchant)
    assert lines == entries >= 0


@pytest.mark.parametrize("plan", [EARLY, LATE, DEFERRED, SUMMED])
def test_every_tree_agrees_where_each_payment_has_the_fault(merchant: Merchant, plan: str) -> None:
    wanted = shapes(Merchant(merchant.folder / "trial", merchant.institute), 1)
    merchant.arm(plan)

    def begin_day(number: int) -> None:
        merchant.begin_day(number)
        if number < 3:
            merchant.arm(plan)

    made = make_over_days(merchant, wanted, begin_day)
    pass_late_days(merchant, plan)

    lines, entries = sums(merchant)
    assert len(made) > 20
    assert lines == entries
    assert is_settled(merchant)
