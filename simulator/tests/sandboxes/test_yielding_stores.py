"""Services on a store that lets others run at every call: nothing is missed, nothing done twice."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.sandboxes.in_flight import GreenletCounter
from simulator.adapters.sandboxes.scheduler import DueWorkScheduler
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.sender import Connector
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment
from simulator.domain.webhooks.records import INBOX, Endpoint
from simulator.tests.adapters.sandboxes.yielding import YieldingStore, open_yielding
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON
from simulator.tests.kit.twins import HandClock, SeededIds

APPROVED = "000.100.110"
WAIT_S_MAX = 10


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path / "data", open_engine=open_yielding)
    yield made
    made.close()


def scheduler_of(*, next_due: object, run: object) -> DueWorkScheduler:
    clock = MovableClock(RealClock(), ClockSetting)
    return DueWorkScheduler(clock, GreenletCounter(lambda: 0), next_due=next_due, run=run)


def an_endpoint(identity: str) -> Endpoint:
    return Endpoint(
        id=identity, entity="e", url=INBOX, types=("PAYMENT",), fields="ALL", format="hex",
        secret="", created_at=NOON, active=True,
    )  # fmt: skip


def test_captures_at_once_never_exceed_the_authorization(gateway: Gateway) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    captures = [
        gevent.spawn(gateway.refer, paid, "CP", amount="10.00", currency="EUR") for _ in range(16)
    ]
    codes = [each.get(timeout=WAIT_S_MAX).json["result"]["code"] for each in captures]
    assert codes.count(APPROVED) == 9


def test_a_clock_that_is_advanced_pays_each_execution_once(gateway: Gateway) -> None:
    kept = gateway.post(
        path="/v1/registrations", paymentType=None, amount=None, currency=None
    ).json["id"]
    sent = {
        "entityId": gateway.merchant.entity_id, "registrationId": kept, "paymentType": "DB",
        "amount": "9.99", "currency": "EUR", "job.hour": "12",
    }  # fmt: skip
    assert gateway.send("/scheduling/v1/schedules", sent).status_code == 200
    box = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    gateway.control("PUT", f"/sandboxes/{box}/clock", {"mode": "frozen"})

    moved = gateway.control("POST", f"/sandboxes/{box}/clock/advance", {"by": "5d"})
    assert moved.status_code == 200
    found = gateway.ports(box).store.find(Payment, "registration", kept)
    assert len([each for each in found if each.schedule is not None]) == 5


def test_work_that_is_stored_while_the_scheduler_looks_is_done() -> None:
    due, done = [], []

    def next_due() -> object:
        found = min(due, default=None)
        gevent.sleep(0)
        return found

    def run() -> None:
        done.extend(due)
        due.clear()

    scheduler = scheduler_of(next_due=next_due, run=run)
    scheduler.wake()
    gevent.sleep(0)
    # It has looked, and does not know yet that there is nothing.
    due.append(RealClock().now() - timedelta(seconds=1))
    scheduler.wake()
    with gevent.Timeout(WAIT_S_MAX):
        while not done:
            gevent.sleep(0)


def test_a_job_runs_once_at_a_time_and_is_in_flight() -> None:
    clock = MovableClock(RealClock(), ClockSetting)
    in_flight = GreenletCounter(lambda: clock.waiting)
    scheduler = DueWorkScheduler(clock, in_flight, next_due=lambda: None, run=lambda: None)
    begun, is_over = [], gevent.event.Event()

    def job() -> None:
        begun.append(1)
        is_over.wait()

    for _ in range(3):
        scheduler.run_job("a", job)
    assert (len(begun), in_flight.count) == (1, 1)
    is_over.set()
    assert in_flight.drain(WAIT_S_MAX)


def test_work_within_work_waits_for_the_clock_once() -> None:
    clock = MovableClock(HandClock(), ClockSetting)
    in_flight = GreenletCounter(lambda: clock.waiting)

    def work() -> None:
        with in_flight, in_flight:
            clock.wait(timedelta(seconds=1))

    waiting = gevent.spawn(work)
    gevent.sleep(0)
    assert in_flight.count == 1
    assert in_flight.quiesce(WAIT_S_MAX)
    waiting.kill()
    assert in_flight.count == 0


def test_a_clock_that_is_set_while_it_is_read_stays_as_it_was_set() -> None:
    later = ClockSetting(mode="offset", world=NOON, real=NOON)

    def read() -> ClockSetting:
        gevent.sleep(0)
        return ClockSetting()

    clock = MovableClock(RealClock(), read)
    reading = gevent.spawn(lambda: clock.setting)
    gevent.sleep(0)
    clock.put(later)
    assert reading.get(timeout=WAIT_S_MAX) is later
    assert clock.setting is later


def test_a_clock_that_is_set_while_it_is_read_again_stays_as_it_was_set() -> None:
    before = ClockSetting(version=1, mode="offset", world=NOON, real=NOON)
    later = ClockSetting(version=2, mode="frozen", world=NOON, real=NOON, rate=0.0)

    def read() -> ClockSetting:
        gevent.sleep(0)
        return before

    clock = MovableClock(RealClock(), read)
    clock.put(before)
    reading = gevent.spawn(clock.read_again)
    gevent.sleep(0)
    clock.put(later)
    reading.get(timeout=WAIT_S_MAX)
    assert clock.setting is later


def test_an_endpoint_that_is_added_while_they_are_read_is_known() -> None:
    store = YieldingStore(MemoryStore())
    ports = SimpleNamespace(store=store, wake=lambda: None, connector=Connector())
    dispatcher = WebhookDispatcher(ports, GreenletCounter(lambda: 0))
    store.commit(unit_of(an_endpoint("a")))
    reading = gevent.spawn(lambda: dispatcher.endpoints)
    gevent.sleep(0)
    store.commit(unit_of(an_endpoint("b")))
    dispatcher.reload_endpoints()
    reading.get(timeout=WAIT_S_MAX)
    assert [each.id for each in dispatcher.endpoints["e"]] == ["a", "b"]


def test_messages_that_come_at_once_are_counted_and_waited_for() -> None:
    store = YieldingStore(MemoryStore())
    inbox = StoredInbox(store, HandClock(), ids=SeededIds(1), vault=SimpleNamespace())
    waiting = gevent.spawn(lambda: list(inbox.wait(20, WAIT_S_MAX)))
    received = [gevent.spawn(inbox.receive, {}, b"text") for _ in range(20)]
    gevent.joinall(received, raise_error=True)
    assert len(waiting.get(timeout=WAIT_S_MAX / 2)) == 20
    assert inbox._count_messages().messages == 20
    assert inbox.clear() == 20
    assert inbox._count_messages().messages == 0
