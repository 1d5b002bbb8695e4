"""What a run reads of those before it, and which days are left: the last one, and those that were
interrupted; more than settle at once.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import LedgerEntry
from simulator.domain.ports.clearing import CarriedOver
from simulator.domain.settlement.runs import Aggregation, DeliveredCsv, SettlementRun, run_id
from simulator.domain.settlement.sums import AccountSums
from simulator.grammar.payment_types import BANK
from simulator.service.settlement.history import last_runs, open_days, run_before, runs_behind
from simulator.service.settlement.runs import settle_until
from simulator.service.settlement.settling import settle_institutes
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY, FRIDAY, INSTITUTES, Settled

INSTITUTE = "Sandgate Clearing"


class Counting:
    """A store that counts the records that are read."""

    def __init__(self, store: object):
        self._store, self.reads = store, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def get(self, kind: type, identity: str) -> object:
        self.reads += 1
        return self._store.get(kind, identity)

    def between(self, *given: object) -> Iterator[object]:
        return self._counted(self._store.between(*given))

    def page(self, *given: object, **more: int) -> tuple[Iterator[object], int]:
        found, count = self._store.page(*given, **more)
        return self._counted(found), count

    def _counted(self, records: Iterator[object]) -> Iterator[object]:
        for each in records:
            self.reads += 1
            yield each


@pytest.fixture
def settled(tmp_path: Path) -> Settled:
    return Settled(tmp_path, INSTITUTE)


def a_run(day: date, institute: str = INSTITUTE, **more: object) -> SettlementRun:
    """One that is finished, if nothing else is said."""
    left = msgspec.json.encode(CarriedOver()).decode()
    given = {"institute": institute, "day": day, "state": "delivered", "left": left, **more}
    return SettlementRun(id=run_id(institute, day), **given)


def an_aggregation(settled: Settled, day: date) -> Aggregation:
    channel = settled.context.ports.sandbox.merchants[0].channels[0]
    merchant, run = settled.context.ports.sandbox.merchants[0].id, run_id(INSTITUTE, day)
    identity = f"{run}.{channel.merchant_account}"
    return Aggregation(
        id=identity, merchant=merchant, merchant_account=channel.merchant_account, run=run,
        institute=INSTITUTE, settlement_date=day, currency="EUR",
        history=f"{merchant}/{day.isoformat()}/{identity}",
        sums=AccountSums(merchant_account=channel.merchant_account),
    )  # fmt: skip


def reads_of_a_day(settled: Settled, earlier: int) -> int:
    """How many records the run of a day reads after so many days before it."""
    for number in range(1, earlier + 1):
        day = FRIDAY - number * DAY
        files = (DeliveredCsv(merchant="m", merchant_account="a", name=f"{number}.csv"),)
        settled.store.commit(
            unit_of(
                a_run(day, delivered=files),
                a_run(day, "Sandgate Bank"),
                an_aggregation(settled, day),
            )
        )
    paid(settled.context, "DB")
    settled.clock.advance(DAY)
    store = Counting(settled.store)
    (run,) = settle_until(replace(settled.context.ports, store=store), INSTITUTE, None)
    assert (run.state, run.day) == ("delivered", FRIDAY)
    return store.reads


def test_a_run_reads_as_much_after_a_hundred_days_as_after_one(tmp_path: Path) -> None:
    after_one, after_many = (
        reads_of_a_day(Settled(tmp_path / f"{days}", INSTITUTE), days) for days in (1, 100)
    )

    assert after_one == after_many


def test_the_last_runs_are_read_alone(settled: Settled) -> None:
    for number in range(20):
        settled.store.commit(unit_of(a_run(FRIDAY - number * DAY)))
    store = Counting(settled.store)

    found = last_runs(replace(settled.context.ports, store=store), 3)

    assert [run.day for run in found] == [FRIDAY - number * DAY for number in (2, 1, 0)]
    assert store.reads == 3


def test_the_run_before_a_day_is_one_of_its_institute(settled: Settled) -> None:
    days = [FRIDAY - timedelta(days=number) for number in (3, 2, 1)]
    settled.store.commit(unit_of(*map(a_run, days), a_run(FRIDAY, "Sandgate Bank")))
    ports = settled.context.ports

    assert run_before(ports, INSTITUTE, None).day == days[2]
    assert run_before(ports, INSTITUTE, days[2]).day == days[1]
    assert run_before(ports, INSTITUTE, days[0]) is None
    assert run_before(ports, "Sandgate", None) is None


def test_runs_that_were_interrupted_come_first_and_refused_ones_where_asked_for(
    settled: Settled,
) -> None:
    states = ("booked", "refused", "written", "delivered")
    days = [FRIDAY - (4 - number) * DAY for number in range(4)]
    runs = [a_run(day, state=state) for day, state in zip(days, states, strict=True)]
    settled.store.commit(unit_of(*runs, a_run(days[1], "Sandgate Bank", state="written")))
    settled.clock.advance(DAY)
    ports = settled.context.ports

    assert list(open_days(ports, INSTITUTE, None)) == [days[0], days[2], FRIDAY]
    assert list(open_days(ports, INSTITUTE, days[1])) == [days[0], days[1], days[2]]


def test_a_refused_run_is_asked_for_again_where_no_other_day_is_over(settled: Settled) -> None:
    last = FRIDAY - DAY
    settled.store.commit(unit_of(a_run(last - DAY), a_run(last, state="refused")))
    ports = settled.context.ports

    assert list(open_days(ports, INSTITUTE, None)) == [last]
    assert list(open_days(ports, INSTITUTE, last - DAY)) == []
    settled.clock.advance(DAY)
    assert list(open_days(ports, INSTITUTE, None)) == [FRIDAY]


def test_the_run_of_a_payout_is_found_after_any_number_of_runs_and_accounts(
    settled: Settled,
) -> None:
    paid(settled.context, "DB", "92.00")
    run = settled.next_day()
    entries = [*settled.store.between(LedgerEntry, "date", "", "~")]
    payouts = [each for each in entries if each.credit == BANK]
    for number in range(1, 120):
        settled.store.commit(unit_of(a_run(FRIDAY + number * 7 * DAY)))
    ports = settled.context.ports
    counting = replace(ports, store=Counting(ports.store))

    found = runs_behind(counting, entries)

    assert payouts and {found[each.payment] for each in entries} == {run.id}
    assert counting.store.reads == 1


def test_of_each_institute_some_days_settle_at_once_and_the_same_request_goes_on(
    tmp_path: Path,
) -> None:
    settled = Settled(tmp_path, INSTITUTES[0])
    paid(settled.context, "DB")
    settled.clock.advance(5 * DAY)
    monday, tuesday = FRIDAY + 3 * DAY, FRIDAY + 4 * DAY

    first, second, third = (
        settle_institutes(settled.context.ports, INSTITUTES, None, most=2) for _ in range(3)
    )

    of_each = [(name, day) for name in INSTITUTES for day in (FRIDAY, monday)]
    assert [(run.institute, run.day) for run in first.runs] == of_each
    assert [(run.institute, run.day) for run in second.runs] == [
        (name, tuesday) for name in INSTITUTES
    ]
    assert (first.more, second.more, third) == (INSTITUTES, (), ((), ()))


def test_days_after_the_one_asked_for_are_not_those_that_are_left(tmp_path: Path) -> None:
    settled = Settled(tmp_path, INSTITUTES[0])
    paid(settled.context, "DB")
    settled.clock.advance(5 * DAY)
    ports, monday = settled.context.ports, FRIDAY + 3 * DAY

    assert settle_institutes(ports, INSTITUTES, monday, most=2).more == ()
    assert settle_institutes(ports, INSTITUTES, None, most=1).more == ()
