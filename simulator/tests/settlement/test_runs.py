"""Runs of settlement: a payment's way from the institute's file to the merchant's."""

import csv
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment, State
from simulator.domain.payments.ledger import balances, entries_between
from simulator.domain.settlement.blocks import BLOCK_LINES, SettledBlock
from simulator.domain.settlement.matching import MATCHED
from simulator.domain.settlement.runs import ArmedFaults, SettlementRun
from simulator.service.settlement.history import last_runs
from simulator.service.settlement.runs import blocks_of, settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.payments.test_references import now, paid, refer

INSTITUTES = ("Sandgate Clearing", "Sandgate Acquiring", "Sandgate Bank")
FRIDAY = date(2026, 11, 20)
DAY = timedelta(days=1)


class Settled:
    """A sandbox whose one channel settles at an institute, with the folders of settlement."""

    def __init__(self, folder: Path, institute: str):
        self.folder, self.institute, self.clock = folder, institute, HandClock(NOON)
        files = SettlementFolders(folder, "sandbox", lambda: None)
        channel = {"clearing_institute": institute}
        self.context = a_context(profile="field", clock=self.clock, files=files, channel=channel)
        self.store = self.context.ports.store

    def run(self, last: date | None = None) -> list[SettlementRun]:
        return settle_until(self.context.ports, self.institute, last)

    def arm(self, plan: str) -> None:
        self.store.commit(unit_of(ArmedFaults(id=self.institute, plan=plan)))

    def next_day(self) -> SettlementRun:
        """The run of the day that ends within the next 24 hours."""
        self.clock.advance(DAY)
        (run,) = self.run()
        return run

    def rows(self, run: SettlementRun) -> list[dict[str, str]]:
        """What the merchant fetches of a run."""
        found = []
        for each in run.delivered:
            (path,) = (self.folder / "sandbox" / "outgoing").rglob(each.name)
            with path.open(encoding="utf-8", newline="") as file:
                found += list(csv.DictReader(file, delimiter=";"))
        return found

    def balances(self) -> dict[str, Decimal]:
        return balances(entries_between(self.store, "", "~"))


@pytest.fixture(params=INSTITUTES)
def settled(request: pytest.FixtureRequest, tmp_path: Path) -> Settled:
    return Settled(tmp_path, request.param)


def of_types(rows: Iterable[dict[str, str]], *kinds: str) -> list[dict[str, str]]:
    return [row for row in rows if row["PaymentType"] in kinds]


def total(rows: Iterable[dict[str, str]], column: str) -> Decimal:
    return sum((Decimal(row[column] or 0) for row in rows), Decimal(0))


def test_a_sale_settles_with_its_fee_and_is_paid_out(settled: Settled) -> None:
    sale = paid(settled.context, "DB", merchantTransactionId="order-0001")

    run = settled.next_day()

    rows = settled.rows(run)
    (line,) = of_types(rows, "DEBIT")
    assert (run.state, run.problem, run.day) == ("delivered", "", FRIDAY)
    assert (line["UniqueID"], line["MatchedTransactions"]) == (sale.id, sale.id)
    assert (line["MatchingStatus"], line["Amount"], line["Cashflow"]) == (
        "MATCHED", "100.00", "POS",
    )  # fmt: skip
    assert line["AccountNumberLast4"] == sale.card.last4Digits
    assert len(of_types(rows, "BATCH")) == 1


def test_the_file_the_ledger_and_the_payout_agree(settled: Settled) -> None:
    first = paid(settled.context, "DB")
    authorized = paid(settled.context)
    refer(settled.context, authorized.id, "CP", "60.00")
    refer(settled.context, authorized.id, "CP", "30.00")
    refer(settled.context, first.id, "RF", "25.50")
    refer(settled.context, paid(settled.context).id, "RV")
    refer(settled.context, paid(settled.context, "DB", "70.00").id, "CB")

    rows = settled.rows(settled.next_day())

    payouts = of_types(rows, "BATCH")
    lines = [row for row in rows if row not in payouts]
    into = total((row for row in lines if row["Cashflow"] == "POS"), "SettlementAmount")
    out = total((row for row in lines if row["Cashflow"] == "NEG"), "SettlementAmount")
    net = into - out - total(lines, "SettlementFee")
    accounts = settled.balances()
    assert net == total(payouts, "SettlementAmount") == accounts["bank"]
    assert accounts["merchant"] == 0
    assert sum(accounts.values()) == 0
    assert Counter(row["ReconciliationType"] for row in lines)["CHARGEBACK"] == 1


def test_a_currency_that_is_exchanged_leaves_nothing_with_the_merchant(settled: Settled) -> None:
    paid(settled.context, "DB", "50.00", currency="USD")
    rows = settled.rows(settled.next_day())

    held: dict[str, Decimal] = {}
    for entry in entries_between(settled.store, "", "~"):
        sign = {entry.credit: 1, entry.debit: -1}.get("merchant", 0)
        money = entry.money
        held[money.currency] = held.get(money.currency, Decimal(0)) + sign * money.amount

    assert set(held.values()) == {Decimal(0)}
    assert of_types(rows, "DEBIT")[0]["SettlementCurrency"] == "EUR"


def test_each_movement_settles_once_in_forty_days(settled: Settled) -> None:
    sales = []
    for _ in range(40):
        sales.append(paid(settled.context, "DB"))
        settled.clock.advance(DAY)
    settled.clock.advance(3 * DAY)

    runs = settled.run()

    matched = [row["UniqueID"] for run in runs for row in of_types(settled.rows(run), "DEBIT")]
    assert [run.day for run in runs] == sorted(run.day for run in runs)
    assert sorted(matched) == sorted(sale.id for sale in sales)
    assert settled.run() == []


def test_a_weekend_has_no_run(settled: Settled) -> None:
    settled.clock.advance(DAY)
    paid(settled.context, "DB")
    settled.clock.advance(DAY)

    assert settled.run() == []

    settled.clock.advance(2 * DAY)
    assert settled.run()[-1].day == FRIDAY + 3 * DAY


def test_a_chargeback_that_a_file_brings_is_made_once(settled: Settled) -> None:
    sale = paid(settled.context, "DB")
    settled.store.commit(
        unit_of(ArmedFaults(id=settled.institute, plan="counts: {chargeback_early: 1}"))
    )

    first = settled.next_day()
    settled.clock.advance(3 * DAY)
    later = [row for run in settled.run() for row in settled.rows(run)]

    (row,) = [each for each in settled.rows(first) if each["ReconciliationType"] == "CHARGEBACK"]
    made = settled.store.get(Payment, row["ChargebackId"])
    assert made is not None and made.referenced == sale.id
    assert row["ReasonCode"] and row["ReasonDesc"]
    assert now(settled.context, sale).state is State.CHARGED_BACK
    assert [each for each in later if each["ReconciliationType"] == "CHARGEBACK"] == []


def test_a_chargeback_that_was_reported_already_is_not_made_again(settled: Settled) -> None:
    sale = paid(settled.context, "DB")
    reported = refer(settled.context, sale.id, "CB")

    rows = settled.rows(settled.next_day())

    (row,) = [each for each in rows if each["ReconciliationType"] == "CHARGEBACK"]
    assert row["ChargebackId"] == reported.id
    assert settled.store.count_found(Payment, "referenced", sale.id) == 1


@pytest.mark.parametrize("trouble", ["empty", "cut", "trailer"])
def test_nothing_of_a_refused_file_is_booked_and_a_corrected_one_is(
    settled: Settled, trouble: str
) -> None:
    paid(settled.context, "DB")
    settled.arm(f"file: {trouble}")

    refused = settled.next_day()
    booked = list(settled.store.between(SettledBlock, "order", "", "~"))
    (corrected,) = settled.run(FRIDAY)

    assert (refused.state, refused.delivered, booked) == ("refused", (), [])
    assert "_001." in refused.problem
    assert (corrected.state, corrected.number) == ("delivered", 2)
    assert len(of_types(settled.rows(corrected), "DEBIT")) == 1


def test_a_file_that_comes_twice_is_reported_and_booked_once(settled: Settled) -> None:
    paid(settled.context, "DB")
    settled.arm("file: twice")

    run = settled.next_day()

    again = [name for name in run.files if "-again." in name and ".summary." not in name]
    assert run.state == "delivered"
    assert run.problem == f"{again[0]} is {again[0].replace('-again', '')} once more: " + (
        "nothing of it is booked"
    )
    assert len(of_types(settled.rows(run), "DEBIT")) == 1
    assert settled.balances()["merchant"] == 0


def test_days_without_movements_have_files_alike_which_is_no_problem(settled: Settled) -> None:
    """The second was once reported as the first one once more."""
    paid(settled.context, "DB")
    settled.clock.advance(10 * DAY)

    runs = settled.run()

    assert len(runs) >= 5
    assert {run.problem for run in runs} == {""}


def test_a_file_of_an_earlier_day_is_not_booked_again(settled: Settled) -> None:
    """The institute delivers yesterday's file under today's name."""
    paid(settled.context, "DB")
    first = settled.next_day()
    (name,) = (each for each in first.files if ".summary." not in each)
    files = settled.context.ports.settlement_files
    content = (Path(files.drop(settled.institute)) / name).read_bytes()
    settled.clock.advance(3 * DAY)
    ports = settled.context.ports

    class Swapping:
        """Institutes whose next file is that of the day before."""

        def __getattr__(self, attribute: str) -> object:
            return getattr(ports.clearing, attribute)

        def write_day(self, *given: object) -> object:
            written = ports.clearing.write_day(*given)
            (today,) = (each for each in written.files if ".summary." not in each)
            (Path(files.drop(settled.institute)) / today).write_bytes(content)
            return written

    (second,) = settle_until(replace(ports, clearing=Swapping()), settled.institute, None)

    assert f"is {name} once more" in second.problem
    assert (second.lines, second.delivered) == (0, ())


def test_a_chargeback_of_an_unknown_payment_is_not_matched_and_makes_none(
    settled: Settled,
) -> None:
    sale = paid(settled.context, "DB")
    refer(settled.context, sale.id, "CB")
    settled.arm("counts: {reference_unknown: 2}")

    rows = settled.rows(settled.next_day())

    (row,) = [each for each in rows if each["ReconciliationType"] == "CHARGEBACK"]
    assert (row["MatchingStatus"], row["ChargebackId"]) == ("NOT_MATCHED", "")
    assert row["ReasonCode"]
    assert settled.store.count_found(Payment, "referenced", sale.id) == 1


def test_captures_in_one_line_are_matched_with_the_one_it_names(settled: Settled) -> None:
    authorized = paid(settled.context)
    parts = [refer(settled.context, authorized.id, "CP", amount) for amount in ("30.00", "70.00")]
    settled.arm("counts: {captures_summed: 1}")

    (row,) = of_types(settled.rows(settled.next_day()), "DEBIT")

    # SGFIX names a payment by reference with amount alone, and no capture has this one.
    is_named = settled.institute != "Sandgate Acquiring"
    found = ("MATCHED", parts[0].id) if is_named else ("NOT_MATCHED", "")
    assert row["Amount"] == "100.00"
    assert (row["MatchingStatus"], row["UniqueID"]) == found


def test_a_payout_that_a_bank_rejects_is_repeated_with_the_next_file(settled: Settled) -> None:
    paid(settled.context, "DB")
    settled.arm("payout: rejected")
    rejected = settled.next_day()
    (failed,) = of_types(settled.rows(rejected), "BATCH")
    before = settled.balances()
    settled.clock.advance(3 * DAY)

    rows = [row for run in settled.run() for row in settled.rows(run)]

    payouts = of_types(rows, "BATCH")
    assert (failed["SettlementStatus"], failed["Cashflow"]) == ("FAILED", "POS")
    assert before.get("bank", 0) == 0
    assert [(row["SettlementStatus"], row["SettlementAmount"]) for row in payouts] == [
        ("SUCCESS", failed["SettlementAmount"])
    ]
    assert settled.balances()["bank"] == Decimal(failed["SettlementAmount"])
    assert settled.balances()["merchant"] == 0


class StoppedError(Exception):
    """The program was stopped."""


class Stopping:
    """A store that stops the program at a certain commit."""

    def __init__(self, store: object, left: int):
        self._store, self._left = store, left

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: object) -> None:
        self._count()
        self._store.commit(unit)

    def commit_unflushed(self, unit: object) -> object:
        self._count()
        return self._store.commit_unflushed(unit)

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise StoppedError


@pytest.mark.parametrize("settled", INSTITUTES[1:2], indirect=True)
@pytest.mark.parametrize("commits", range(5))
def test_a_run_that_was_stopped_goes_on_and_books_each_line_once(
    settled: Settled, commits: int
) -> None:
    # The files, a block, another one, the run, its delivery.
    sales = BLOCK_LINES + 1
    for _ in range(sales):
        paid(settled.context, "DB")
    settled.clock.advance(DAY)
    stopping = replace(settled.context.ports, store=Stopping(settled.store, commits))
    with pytest.raises(StoppedError):
        settle_until(stopping, settled.institute, None)

    (run,) = settled.run()

    rows = settled.rows(run)
    ids = [row["SettlementTxId"] for row in rows]
    assert len(run.delivered) == 1
    assert len(ids) == len(set(ids)) == run.lines
    assert len(of_types(rows, "DEBIT")) == sales
    assert settled.balances()["merchant"] == 0
    assert [each.id for each in last_runs(settled.context.ports, 2)] == [run.id]
    account = rows[0]["MerchantAccountId"]
    blocks = blocks_of(settled.context.ports, run, account)
    assert sum(len(each.records()) for each in blocks) == run.lines


@pytest.mark.parametrize(("amount", "currency"), [("100.50", "JPY"), ("999.99", "CLP")])
def test_a_payment_that_is_rounded_as_it_settles_is_matched(
    settled: Settled, amount: str, currency: str
) -> None:
    sale = paid(settled.context, "DB", amount=amount, currency=currency)
    (row,) = of_types(settled.rows(settled.next_day()), "DEBIT")
    assert (row["MatchingStatus"], row["UniqueID"]) == (MATCHED, sale.id)


def test_a_line_that_is_rounded_charges_the_whole_payment_back(tmp_path: Path) -> None:
    settled = Settled(tmp_path, INSTITUTES[0])
    settled.arm("counts: {chargeback_early: 1}")
    sale = paid(settled.context, "DB", amount="100.40", currency="JPY")
    settled.next_day()
    kept = settled.store.get(Payment, sale.id)
    made = settled.store.get(Payment, kept.chargeback)
    assert (kept.state, made.money) == (State.CHARGED_BACK, sale.money)
