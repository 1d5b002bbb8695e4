"""A run agrees only where its lines are what the ledger moved in its bank day, to the cent."""

from datetime import timedelta
from decimal import Decimal

import pytest
from msgspec.structs import replace

from features.reconciling.settlement_csv import read_records
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, State
from simulator.domain.settlement.numbers import number_of
from simulator.domain.settlement.sums import AccountSums
from simulator.service.settlement.comparing import LedgerOfDay
from simulator.service.settlement.proof import sums_of
from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.agreement.test_ledger_and_files import settled
from simulator.tests.settlement.test_runs import INSTITUTES


def sums(merchant: Merchant) -> list[AccountSums]:
    """Those of each run of the institute, by day."""
    account = merchant.context.channel.merchant_account
    runs = [run for run in merchant.runs if run.institute == merchant.institute]
    return [sums_of(merchant.context.ports, run, account) for run in runs]


def differences(merchant: Merchant) -> list[Decimal]:
    """How much the lines of each run are above the ledger; each agrees where that is nothing."""
    found = [Decimal(each.differs.get("EUR", 0)) for each in sums(merchant)]
    assert [each.agrees for each in sums(merchant)] == [not each for each in found]
    return found


@pytest.mark.parametrize(
    ("fault", "first", "later"),
    [
        ("missing", "-16.00", "0"),
        ("amount_cent", "0.01", "0"),
        ("amount_large", "144.00", "0"),
        ("line_twice", "16.00", "0"),
        ("settled_twice", "0", "16.00"),
        # The line comes the next day.
        ("deferred", "-16.00", "0"),
        ("chargeback_early", "-16.00", "0"),
        # The amounts are as they should be.
        ("reference_unknown", "0", "0"),
        ("fee_wrong", "0", "0"),
        ("date_holiday", "0", "0"),
    ],
)
def test_a_planted_fault_shows_where_the_ledger_says_otherwise(
    merchant: Merchant, fault: str, first: str, later: str
) -> None:
    merchant.arm(f"counts: {{{fault}: 1}}")
    merchant.pay("DB")

    merchant.begin_day(2)

    found = differences(merchant)
    assert found[:2] == [Decimal(first), Decimal(later)]
    assert set(found[2:]) <= {Decimal(0)}


def test_a_late_chargeback_that_a_line_makes_agrees(merchant: Merchant) -> None:
    merchant.arm("counts: {chargeback_late: 1}")
    merchant.pay("DB")
    merchant.begin_day(2)
    for day in range(3, 20):
        merchant.begin_day(day)

    assert set(differences(merchant)) == {Decimal(0)}
    made = list(merchant.store.between(Payment, "posted", "2030-04", "~"))
    assert [each.type for each in made] == ["CB"]


def test_a_file_that_is_late_agrees_once_it_comes(merchant: Merchant) -> None:
    merchant.arm("file: late")
    merchant.pay("DB")

    merchant.begin_day(2)

    own = [run.state for run in merchant.runs if run.institute == merchant.institute]
    assert own[:3] == ["late", "delivered", "delivered"]
    assert set(differences(merchant)) == {Decimal(0)}


def test_an_amount_of_a_currency_without_cents_agrees_as_it_is_settled(merchant: Merchant) -> None:
    merchant.pay("DB", "92.50", currency="JPY")
    merchant.pay("DB", "7.50", currency="KWD")

    merchant.begin_day(2)

    assert all(each.agrees for each in sums(merchant))


@pytest.mark.parametrize(("first", "kind"), [("PA", "CP"), ("DB", "RF")])
def test_parts_that_are_rounded_up_settle_for_the_whole_at_most(
    merchant: Merchant, first: str, kind: str
) -> None:
    whole = merchant.pay(first, "10.00", currency="JPY")
    parts = {merchant.refer(whole, kind, "0.50", "JPY") for _ in range(20)}

    merchant.begin_day(2)

    lines = settled(merchant)
    assert sum(abs(lines[part]) for part in parts if part is not None) == 10
    assert all(each.agrees for each in sums(merchant))


@pytest.mark.parametrize("plan", ["chargeback_early", "chargeback_late"])
def test_what_files_settle_is_what_rounded_refunds_and_chargebacks_leave(
    merchant: Merchant, plan: str
) -> None:
    merchant.arm(f"shares: {{{plan}: 1}}")
    whole = merchant.pay("DB", "10.00", currency="JPY")
    merchant.refer(whole, "RF", "0.50", "JPY")

    merchant.clock.advance(timedelta(days=130))
    merchant.settle()

    sale = merchant.store.get(Payment, whole)
    assert sale is not None
    assert sum(settled(merchant).values()) == sale.moved.amount - sale.taken


SEPA = {"DB": {}, "DB of a bank account": {"paymentBrand": "SEPA"}}


def pay_what_settles_at_zero(merchant: Merchant, first: str) -> dict[str | None, str]:
    """The payments by their ids, each with the Cashflow that its line should have."""
    unit = {"amount": "1.00", "currency": "HUF"}
    sale, reversed_later = (merchant.pay(first, **unit) for _ in range(2))
    refund = merchant.refer(merchant.pay(first, "9.00", currency="HUF"), "RF", **unit)
    back = merchant.refer(refund, "CB", **unit)
    chargeback = merchant.refer(merchant.pay(first, **unit), "CB", **unit)
    again = merchant.refer(chargeback, "CR", **unit)
    credit = merchant.pay(first.replace("DB", "CD"), **unit, **SEPA[first])
    merchant.pass_cut_off()
    reversal = merchant.refer(reversed_later, "RV", "")
    taken = dict.fromkeys((refund, credit, chargeback, reversal), "NEG")
    return taken | dict.fromkeys((sale, reversed_later, back, again), "POS")


@pytest.mark.parametrize(
    ("merchant", "first"),
    [(each, "DB") for each in INSTITUTES] + [("Sandgate Bank", "DB of a bank account")],
    indirect=["merchant"],
)
def test_what_settles_at_zero_goes_the_way_of_its_payment(merchant: Merchant, first: str) -> None:
    """A refund of HUF 1.00 at a bank came as money for the merchant, and the run differed by 2."""
    ways = pay_what_settles_at_zero(merchant, first)

    merchant.begin_day(3)

    records = [each for file in merchant.files() for each in read_records(file)]
    lines = [each for each in records if each["ReconciliationType"] != "FEE"]
    assert ways.items() <= {each["UniqueID"]: each["Cashflow"] for each in lines}.items()
    assert {each["SettlementAmount"] for each in lines} == {"0.00", "0.02"}
    account = merchant.context.channel.merchant_account
    every = [sums_of(merchant.context.ports, run, account) for run in merchant.runs]
    assert all(each.agrees for each in every)
    assert merchant.balances()["merchant"] == 0


def test_a_payment_that_cannot_be_settled_shows(merchant: Merchant) -> None:
    merchant.pay("DB", "9999999999.99", currency="KWD")

    merchant.begin_day(2)

    assert dict(sums(merchant)[0].differs) == {"KWD": Decimal("-9999999999.99")}


def test_a_reversal_that_has_no_line_shows(merchant: Merchant) -> None:
    """As where the institute pays out a debit that the gateway has reversed."""
    sale = merchant.pay("DB")
    merchant.refer(sale, "RV", "")
    reversed_one = merchant.store.get(Payment, sale)
    # The state alone says whether a payment was reversed: without it the institute knows no better.
    merchant.store.commit(unit_of(replace(reversed_one, state=State.COMPLETED)))

    merchant.begin_day(2)

    assert differences(merchant)[0] == Decimal("16.00")


def test_the_ledger_counts_payments_of_each_host_apart(merchant: Merchant) -> None:
    payment = merchant.store.get(Payment, merchant.pay("DB"))
    assert payment is not None
    ledger = LedgerOfDay(merchant.context.ports)
    for host in HOSTS:
        ledger.add(replace(payment, host=host))
    assert [*ledger.amounts.stored()] == [number_of(replace(payment, host=each)) for each in HOSTS]
