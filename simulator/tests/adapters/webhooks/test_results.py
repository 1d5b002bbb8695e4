"""The result writer: batches, retries after a fault, and a limit of completed deliveries."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path

import gevent
import pytest

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.adapters.vault import KeyVault
from simulator.adapters.webhooks.dispatcher import WebhookDispatcher
from simulator.adapters.webhooks.inbox import StoredInbox
from simulator.adapters.webhooks.results import BATCH_MAX, COMPLETED_MAX, PRUNE_BATCH
from simulator.domain.core.errors import DiskError
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.slices import SLICE_DELIVERIES
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.webhooks.envelopes import encode_payload
from simulator.domain.webhooks.records import (
    Delivery,
    Endpoint,
    InboxMessage,
    WebhookEvent,
    give_up_delivery,
)
from simulator.tests.adapters.webhooks.bench import (
    MINUTE,
    DispatcherBench,
    RefusingStore,
    numbers_in,
)
from simulator.tests.kit.sinks import sink, status
from simulator.tests.kit.twins import HandClock, SeededIds


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[DispatcherBench]:
    made = DispatcherBench(tmp_path / "1.log")
    yield made
    made.dispatcher.stop()
    made.store.close()


def test_a_result_is_stored_while_the_next_attempt_waits(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log", response_timeout_s=30)
    with sink(lambda number: status(200) if number == 1 else gevent.sleep(30)) as server:
        first, second = bench.events(2, bench.endpoint(server.url))
        bench.dispatcher.enqueue([first, second])
        server.wait(2)
        with gevent.Timeout(5):
            while bench.now(first).under_way:
                gevent.sleep(0.005)
        assert (bench.now(first).state, bench.now(second).state) == ("delivered", "under way")
    bench.dispatcher.stop()


def test_an_inbox_that_cannot_be_stored_is_a_failed_attempt(tmp_path: Path) -> None:
    store = RefusingStore(DocumentStore(tmp_path / "1.log", durability=Durability.OS), InboxMessage)
    bench = DispatcherBench(tmp_path / "1.log", store=store)
    (delivery,) = bench.events(1, bench.endpoint("inbox"))
    store.refusals = 1
    bench.send([delivery])
    after = bench.now(delivery)
    assert (after.state, after.error) == ("waiting", "the inbox could not be stored")
    assert bench.now(delivery).due == bench.clock.now() + MINUTE
    store.close()


def test_an_internal_fault_while_preparing_requeues_the_delivery(
    bench: DispatcherBench,
) -> None:
    faults = iter([True])
    whole = bench.ports.ids.hex

    def hex_once_broken(count: int) -> str:
        if next(faults, False):
            raise RuntimeError("an internal fault")
        return whole(count)

    bench.ids.hex = hex_once_broken
    with sink() as server:
        deliveries = bench.events(3, bench.endpoint(server.url))
        bench.send(deliveries)
    assert numbers_in(server) == [1, 2, 0]
    assert {bench.now(each).state for each in deliveries} == {"delivered"}


def test_an_internal_fault_within_an_attempt_repeats_it(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log")
    faults = iter([True])

    def append(attempt: WebhookAttempt) -> None:
        if next(faults, False):
            raise RuntimeError("an internal fault")
        bench.journal.append(attempt)

    bench.dispatcher = WebhookDispatcher(
        bench.ports._replace(journal=append), bench.in_flight, pause_s=0.01
    )
    with sink() as server:
        deliveries = bench.events(2, bench.endpoint(server.url))
        bench.send(deliveries)
    assert numbers_in(server) == [0, 1, 0]
    assert {bench.now(each).state for each in deliveries} == {"delivered"}
    bench.dispatcher.stop()


def test_an_internal_fault_while_storing_a_result_sends_nothing_twice(tmp_path: Path) -> None:
    store = RefusingStore(
        DocumentStore(tmp_path / "1.log", durability=Durability.OS),
        Delivery,
        RuntimeError("an internal fault"),
    )
    bench = DispatcherBench(tmp_path / "1.log", store=store)
    with sink() as server:
        deliveries = bench.events(2, bench.endpoint(server.url))
        store.refusals = 1
        bench.send(deliveries)
    assert {bench.now(each).state for each in deliveries} == {"delivered"}
    assert numbers_in(server) == [0, 1]
    store.close()


def test_while_results_cannot_be_stored_few_attempts_are_made(tmp_path: Path) -> None:
    store = RefusingStore(DocumentStore(tmp_path / "1.log", durability=Durability.OS), Delivery)
    bench = DispatcherBench(tmp_path / "1.log", store=store)
    results = bench.dispatcher._results
    with sink() as server:
        deliveries = bench.events(4 * BATCH_MAX, bench.endpoint(server.url))
        store.refusals = 10**6
        bench.dispatcher.enqueue(deliveries)
        with gevent.Timeout(10):
            while not (
                results._written_batch
                and (batch := results._open_batch)
                and len(batch.attempts) >= BATCH_MAX
            ):
                gevent.sleep(0.001)
        made = len(server.requests)
        server.wait(made + 1, seconds=0.05)
        # The first batch may be a little over the limit before it is written.
        assert len(server.requests) == made <= 2 * BATCH_MAX + 10
        store.refusals = 0
        assert bench.in_flight.drain(10)
    assert numbers_in(server) == list(range(4 * BATCH_MAX))
    store.close()


def test_a_full_disk_loses_no_result(tmp_path: Path) -> None:
    store = RefusingStore(DocumentStore(tmp_path / "1.log", durability=Durability.OS))
    bench = DispatcherBench(tmp_path / "1.log", store=store)
    with sink() as server:
        deliveries = bench.events(2, bench.endpoint(server.url))
        store.refusals = 1
        bench.send(deliveries)
    assert {bench.now(each).state for each in deliveries} == {"delivered"}
    store.close()


def test_completed_deliveries_are_kept_up_to_a_limit_with_their_events(
    bench: DispatcherBench,
) -> None:
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        made = COMPLETED_MAX + PRUNE_BATCH + 50
        bench.send(bench.events(made, endpoint), seconds=60)
    kept = list(bench.store.between(Delivery, "settled", "", "9999"))
    left = list(bench.store.between(WebhookEvent, "date", "", "9999"))
    assert COMPLETED_MAX <= len(kept) < COMPLETED_MAX + PRUNE_BATCH
    assert {each.event_id for each in kept} == {each.id for each in left}
    assert len(server.requests) == made


def test_deliveries_that_were_given_up_without_an_attempt_count_towards_the_limit(
    bench: DispatcherBench,
) -> None:
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        bench.send(bench.events(1, endpoint))
        pending = map(bench.now, bench.events(COMPLETED_MAX + PRUNE_BATCH, endpoint))
        bench.store.commit(
            unit_of(*(give_up_delivery(each, at=bench.clock.now()) for each in pending))
        )
        bench.send(bench.events(1, endpoint))
    kept = list(bench.store.between(Delivery, "settled", "", "9999"))
    assert COMPLETED_MAX <= len(kept) < COMPLETED_MAX + PRUNE_BATCH


class WatchedStore:
    """A store that counts the deliveries which units remove, and others' turns in between."""

    def __init__(self, store: DocumentStore):
        self._store = store
        self.removed: list[int] = []
        self.turns: list[int] = []
        self.is_full = False
        self.while_paused: Callable[[], object] = lambda: gevent.sleep(0)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        self._count(unit)
        self._store.commit(unit)

    def commit_unflushed(self, unit: Unit) -> Flush:
        self._count(unit)
        return self._store.commit_unflushed(unit)

    def pause(self, failures: int) -> None:
        self.turns.append(sum(self.removed))
        self.while_paused()

    def _count(self, unit: Unit) -> None:
        removed = sum(isinstance(each, Delivery) for each in unit.removes)
        if removed and self.is_full:
            raise DiskError(Path("1.log"), "no space left on device")
        if removed:
            self.removed.append(removed)


def with_surplus(path: Path, surplus: int) -> tuple[DispatcherBench, WatchedStore, Endpoint]:
    """A bench with so many completed deliveries beyond the limit, and an endpoint that answers."""
    store = WatchedStore(DocumentStore(path, durability=Durability.OS))
    bench = DispatcherBench(path, store=store)
    now, records = bench.clock.now(), []
    for number in range(COMPLETED_MAX + surplus):
        event = WebhookEvent(
            id=f"event {number}", type="PAYMENT", payload=encode_payload({}), created_at=now
        )
        delivery = Delivery(id=f"{number}", event_id=event.id, began_at=now, settled_at=now)
        records += [event, delivery]
    bench.store.commit(unit_of(*records))
    return bench, store, bench.endpoint("inbox")


def test_many_completed_deliveries_are_removed_in_slices(tmp_path: Path) -> None:
    bench, store, endpoint = with_surplus(tmp_path / "1.log", 400)
    bench.send(bench.events(1, endpoint))

    assert max(store.removed) <= SLICE_DELIVERIES
    assert store.turns == list(accumulate(store.removed))
    assert len(list(bench.store.between(Delivery, "settled", "", "9999"))) == COMPLETED_MAX
    assert len(list(bench.store.between(WebhookEvent, "date", "", "9999"))) == COMPLETED_MAX
    bench.store.close()


def test_results_are_stored_before_all_completed_deliveries_are_removed(tmp_path: Path) -> None:
    bench, store, endpoint = with_surplus(tmp_path / "1.log", 400)
    first, second = bench.events(2, endpoint)
    removed_before = []

    def deliver() -> None:
        bench.dispatcher.enqueue([second])
        while len(bench.journal) < 2:
            gevent.sleep(0)
        if bench.now(second).delivered:
            removed_before.append(sum(store.removed))

    store.while_paused = deliver
    bench.send([first])

    assert removed_before[0] <= 4 * SLICE_DELIVERIES
    assert sum(store.removed) == 402
    bench.store.close()


def test_a_disk_that_refuses_to_remove_deliveries_holds_up_no_result(tmp_path: Path) -> None:
    bench, store, endpoint = with_surplus(tmp_path / "1.log", 400)
    first, second = bench.events(2, endpoint)

    store.is_full = True
    bench.send([first])
    assert bench.now(first).delivered and not store.removed
    store.is_full = False
    bench.send([second])

    assert bench.now(second).delivered
    assert sum(store.removed) == 402
    bench.store.close()


def test_many_completed_deliveries_are_removed_some_at_a_time(bench: DispatcherBench) -> None:
    most = COMPLETED_MAX + PRUNE_BATCH
    with sink() as server:
        endpoint = bench.endpoint(server.url)
        pending = map(bench.now, bench.events(COMPLETED_MAX + 9 * PRUNE_BATCH, endpoint))
        bench.store.commit(
            unit_of(*(give_up_delivery(each, at=bench.clock.now()) for each in pending))
        )
        store = bench.dispatcher._results._store = WatchedStore(bench.store)
        bench.send(bench.events(1, endpoint))
        with gevent.Timeout(10):
            while bench.store.page(Delivery, "settled", ("", "9999"), start=0, most=0)[1] >= most:
                gevent.sleep(0.005)
    assert max(store.removed) <= PRUNE_BATCH
    assert len(store.turns) >= 7


def test_the_inbox_counts_messages_that_arrive_while_others_are_stored(tmp_path: Path) -> None:
    store = DocumentStore(tmp_path / "1.log")
    inbox = StoredInbox(store, HandClock(), ids=SeededIds(1), vault=KeyVault(bytes(32)))
    inbox.receive({}, b"first")

    def receive(count: int) -> None:
        for _ in range(count):
            inbox.receive({}, b"more")

    together = [gevent.spawn(receive, 2), gevent.spawn_later(0, receive, 1)]
    gevent.joinall([*together, *(gevent.spawn(receive, 5) for _ in range(8))], raise_error=True)

    assert inbox._count_messages().messages == len(list(inbox.wait(0, 0))) == 44
    store.close()
