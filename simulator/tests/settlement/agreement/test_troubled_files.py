"""Files that are late or refused: each day is settled once, as the run of its own day."""

from collections import Counter
from decimal import Decimal

import pytest
from msgspec.structs import replace

from features.reconciling.settlement_csv import SettledRecord, read_records
from simulator.domain.core.records import Payment
from simulator.domain.settlement.lines import SettlementFileError
from simulator.service.settlement.proof import sums_of
from simulator.service.settlement.runs import settle_until
from simulator.service.settlement.settled import reconciliation_id
from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.test_runs import DAY


def lines(merchant: Merchant) -> list[SettledRecord]:
    return [record for file in merchant.files() for record in read_records(file)]


def settled(merchant: Merchant) -> Counter[str]:
    """How often each payment has a line."""
    return Counter(row["UniqueID"] for row in lines(merchant) if row["PaymentType"] == "DEBIT")


def settled_day(merchant: Merchant, plan: str) -> str:
    """A payment of a bank day whose file this happens to."""
    sale = merchant.pay("DB")
    merchant.arm(plan)
    merchant.begin_day(1 if not merchant.runs else 2)
    return sale


def all_agree(merchant: Merchant) -> bool:
    account = merchant.context.channel.merchant_account
    sums = [sums_of(merchant.context.ports, run, account) for run in merchant.runs]
    return all(each.agrees for each in sums if each.lines)


@pytest.mark.parametrize(
    ("trouble", "planted"),
    [
        ("cut", "payout: rejected"),
        ("empty", "payout: rejected"),
        ("cut", "counts: {settled_twice: 1}"),
        ("trailer", "counts: {chargeback_early: 1}"),
    ],
)
def test_what_a_refused_file_would_have_left_is_in_no_later_one(
    merchant: Merchant, trouble: str, planted: str
) -> None:
    first = settled_day(merchant, f"file: {trouble}\n{planted}")
    second = merchant.pay("DB")

    merchant.begin_day(2)
    third = settled_day(merchant, "")

    assert settled(merchant) == {first: 1, second: 1, third: 1}
    assert merchant.balances()["merchant"] == 0
    own = [run for run in merchant.runs if run.institute == merchant.institute]
    assert [run.state for run in own][:3] == ["refused", "delivered", "delivered"]
    assert [run.number for run in own][:3] == [1, 2, 1]
    assert all_agree(merchant)


def test_a_rejected_payout_of_before_is_repeated_once_behind_a_refused_file(
    merchant: Merchant,
) -> None:
    settled_day(merchant, "payout: rejected")
    settled_day(merchant, "file: cut")
    settled_day(merchant, "")
    settled_day(merchant, "")

    paid = [row for row in lines(merchant) if row["PaymentType"] == "BATCH"]
    failed = [row["SettlementAmount"] for row in paid if row["SettlementStatus"] == "FAILED"]
    amounts = Counter(row["SettlementAmount"] for row in paid if row["Cashflow"] == "POS")
    bank = sum(
        Decimal(row["SettlementAmount"]) * (1 if row["Cashflow"] == "POS" else -1)
        for row in paid
        if row["SettlementStatus"] == "SUCCESS"
    )
    assert len(failed) == 1 and amounts[failed[0]] >= 2
    assert merchant.balances()["bank"] == bank
    assert merchant.balances()["merchant"] == 0


def test_a_refused_file_behind_a_late_one_is_sent_again(merchant: Merchant) -> None:
    first = settled_day(merchant, "file: late")
    second = settled_day(merchant, "file: cut")

    own = [run for run in merchant.runs if run.institute == merchant.institute]
    assert [(run.state, run.number) for run in own][:4] == [
        ("late", 1),
        ("delivered", 1),
        ("refused", 1),
        ("delivered", 2),
    ]
    assert own[2].day == own[3].day
    assert settled(merchant) == {first: 1, second: 1}
    assert merchant.balances()["merchant"] == 0
    assert all_agree(merchant)


def test_a_late_file_is_of_its_own_day(merchant: Merchant) -> None:
    first = settled_day(merchant, "file: late")
    (run,) = [each for each in merchant.runs if each.institute == merchant.institute]
    assert (run.state, run.files, run.lines) == ("late", (), 0)

    second = settled_day(merchant, "")

    assert settled(merchant) == {first: 1, second: 1}
    dates = {row["SettlementDate"] for row in lines(merchant)}
    assert len(dates) == 2
    ids = [
        reconciliation_id(merchant.context.ports, merchant.store.get(Payment, each))
        for each in (first, second)
    ]
    assert None not in ids and len(set(ids)) == 2
    assert all_agree(merchant)


def test_no_day_is_left_out_where_the_file_that_is_sent_again_is_refused_too(
    merchant: Merchant,
) -> None:
    sales = [settled_day(merchant, "file: cut")]
    for _ in range(8):
        sales.append(merchant.pay("DB"))
        merchant.clock.advance(DAY)
    ports = merchant.context.ports
    unreadable = replace(ports, settlement_files=UnreadableOnce(ports.settlement_files))

    (refused,) = settle_until(unreadable, merchant.institute, None)
    merchant.begin_day(2)

    assert (refused.state, refused.number) == ("refused", 2)
    assert settled(merchant) == dict.fromkeys(sales, 1)
    assert merchant.balances()["merchant"] == 0


class UnreadableOnce:
    """The files of settlement, of which the first cannot be read."""

    def __init__(self, files: object):
        self._files = files
        self._has_refused = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._files, name)

    def hash_of(self, institute: str, name: str) -> str:
        if not self._has_refused:
            self._has_refused = True
            raise SettlementFileError(name, 0, expected="a file", got="too many open ones")
        return self._files.hash_of(institute, name)
