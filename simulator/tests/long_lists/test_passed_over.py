"""What is read and not shown: others have their turn between long records of that too."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import SLICE_RECORDS
from simulator.domain.payments.trees import referring_to
from simulator.domain.schedules.schedules import Schedule
from simulator.domain.settlement.runs import SettlementRun, aggregation_of
from simulator.domain.settlement.sums import AccountSums
from simulator.service.console.lists import list_ledger
from simulator.service.reporting import report_transactions
from simulator.service.settlement.aggregations import report_aggregations
from simulator.service.settlement.history import last_runs
from simulator.tests.kit.gateway import Gateway
from simulator.tests.long_lists.reading import ReadInTurns
from simulator.web.console import webhooks
from simulator.web.console.books import LOOKED, SHOWN, show_schedules

DAY = {"date.from": "2000-01-01", "date.to": "2999-12-31"}
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = datetime(2090, 1, 1, tzinfo=UTC)
FRIDAY = date(2026, 11, 20)
LONG = {f"customParameters[key{number}]": "x" for number in range(640)}
COUNT = 40


@pytest.fixture
def ports(gateway: Gateway) -> Any:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    return gateway.ports(str(sandbox))


@pytest.fixture
def payment(gateway: Gateway, ports: Any) -> Payment:
    """The last of some long payments."""
    made = [gateway.post(**LONG).json["id"] for _ in range(5)]
    return ports.store.get(Payment, made[-1])


def in_context(watched: ReadInTurns, payment: Payment) -> Any:
    """What a report of the merchant of a payment is made with."""
    return SimpleNamespace(
        ports=SimpleNamespace(store=watched), stamp=payment.stamp, host=payment.host
    )


@pytest.mark.parametrize(("types", "count"), [("CB", 0), ("DB", 5)])
def test_a_report_gives_turns_between_what_its_filter_does_not_admit(
    ports: Any, payment: Payment, types: str, count: int
) -> None:
    watched = ReadInTurns(ports.store)
    report = report_transactions(in_context(watched, payment), {**DAY, "paymentTypes": types})
    assert len(list(report.payments)) == count
    assert watched.most == 1


def test_a_page_of_the_ledger_gives_turns_between_long_payments(
    ports: Any, payment: Payment
) -> None:
    watched = ReadInTurns(ports.store)
    found: Any = SimpleNamespace(store=watched)
    assert len(list_ledger(found, 1).records) == 5
    # To put them in order one more is read than was taken.
    assert watched.most <= 2


def test_the_page_of_schedules_gives_turns_and_keeps_those_it_shows(
    ports: Any, payment: Payment
) -> None:
    store_schedules(ports, payment)
    watched = ReadInTurns(ports.store)
    visit: Any = SimpleNamespace(
        ports=lambda: SimpleNamespace(store=watched), sandbox=lambda: None, host="test"
    )
    shown = show_schedules(visit).values
    assert (len(shown["schedules"]), shown["has_more"]) == (SHOWN, True)
    assert watched.most == 1
    visit.host = "live"
    shown = show_schedules(visit).values
    assert (len(shown["schedules"]), shown["has_more"]) == (0, False)
    assert SHOWN + 10 < LOOKED


def store_schedules(ports: Any, payment: Payment) -> None:
    """More long schedules than a page shows."""
    schedules = [
        Schedule(id=f"{number:032x}", stamp=payment.stamp, created_at=NOON, ndc="n",
                 registration="r", sent=LONG, due=LATER, began=NOON)
        for number in range(SHOWN + 10)
    ]  # fmt: skip
    ports.store.commit(unit_of(*schedules))


def test_of_long_payments_that_refer_to_one_a_single_one_is_read_at_once(
    gateway: Gateway, ports: Any
) -> None:
    top = gateway.post(paymentType="PA", **LONG).json["id"]
    for _ in range(5):
        gateway.refer(top, "CP", amount="1.00", currency="EUR", **LONG)
    watched = ReadInTurns(ports.store)
    found: Any = SimpleNamespace(store=watched)
    assert len([*referring_to(found, ports.store.get(Payment, top))]) == 5
    assert watched.most == 1


def test_runs_and_their_sums_are_read_in_slices(ports: Any, payment: Payment) -> None:
    sums = AccountSums(
        merchant=payment.stamp.merchant, merchant_account="1", currency="EUR", lines=1,
        settlement_date=FRIDAY,
    )  # fmt: skip
    runs = [
        SettlementRun(id=f"{number}", institute="i", day=FRIDAY, state="delivered")
        for number in range(COUNT)
    ]
    ports.store.commit(unit_of(*runs, *(aggregation_of(each, sums, {}) for each in runs)))
    watched = ReadInTurns(ports.store)
    assert len(last_runs(in_context(watched, payment).ports, 500)) == COUNT
    assert watched.most <= SLICE_RECORDS
    watched = ReadInTurns(ports.store)
    asked = {"date.from": "2000-01-01", "currency": "JPY"}
    assert list(report_aggregations(in_context(watched, payment), asked)) == []
    assert watched.most <= SLICE_RECORDS


class HeldMessage:
    """A message of which it is known whether it is still held."""

    held = most = 0

    def __init__(self) -> None:
        HeldMessage.held += 1
        HeldMessage.most = max(HeldMessage.most, HeldMessage.held)

    def __del__(self) -> None:
        HeldMessage.held -= 1


def test_the_page_of_the_inbox_keeps_what_it_shows() -> None:
    def messages(*_: object) -> Iterator[HeldMessage]:
        return (HeldMessage() for _ in range(10 * webhooks.EVENTS_SHOWN))

    ports = SimpleNamespace(inbox=SimpleNamespace(wait=messages))
    visit: Any = SimpleNamespace(
        ports=lambda: ports, sandbox=lambda: None, aside=lambda _, read: len(read)
    )
    shown = webhooks.show_inbox(visit).values
    assert (shown["count"], shown["messages"]) == (500, webhooks.EVENTS_SHOWN)
    assert HeldMessage.most <= webhooks.EVENTS_SHOWN + 2
