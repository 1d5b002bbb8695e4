"""What belongs to an endpoint or a registration is changed in slices: others have their turn.

Of many deliveries that wait, only those that are due are read.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from msgspec.structs import replace

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.flushes import Flush
from simulator.domain.core.ports import Unit, unit_of
from simulator.domain.core.slices import SLICE_DELIVERIES, SLICE_RECORDS, change_in_slices
from simulator.domain.webhooks.records import Delivery
from simulator.service.webhooks.deliveries import dispatch_due, replay_event
from simulator.tests.adapters.webhooks.bench import DispatcherBench

MANY = 100


class Watched:
    """Ports whose store counts what is stored at once, and the turns that others got."""

    def __init__(self, store: object):
        self._store, self.store = store, self
        self.sizes: list[int] = []
        self.turns = self.read = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def between(self, *asked: object) -> Iterator[object]:
        for record in self._store.between(*asked):
            self.read += 1
            yield record

    def commit_unflushed(self, unit: Unit) -> None:
        self.sizes.append(len(unit.puts))
        self._store.commit_unflushed(unit)

    def pause(self, failures: int) -> None:
        self.turns += 1


def test_others_have_their_turn_between_slices_of_what_is_changed(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log")
    made = bench.events(MANY, bench.endpoint("http://127.0.0.1:9/"))
    kept, *changed = [each.id for each in made]
    ports = Watched(bench.store)

    def change(delivery: Delivery) -> Delivery | None:
        return None if delivery.id == kept else replace(delivery, error="gone")

    change_in_slices(ports, Delivery, [kept, *changed, "of no delivery"], change)

    assert max(ports.sizes) <= SLICE_RECORDS and sum(ports.sizes) == len(changed)
    assert ports.turns == len(ports.sizes)
    assert [bench.now(each).error for each in made] == [""] + ["gone"] * len(changed)
    bench.dispatcher.stop()
    bench.store.close()


def test_a_retry_that_is_due_reads_none_that_waits_longer(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log")
    made = bench.events(MANY, bench.endpoint("http://127.0.0.1:9/"))
    now = made[0].began_at
    for number, each in enumerate(made):
        waiting = replace(bench.now(each), under_way=None, due=now + timedelta(seconds=number))
        bench.store.commit(unit_of(waiting))
    store, sent = Watched(bench.store), list[Delivery]()
    ports = SimpleNamespace(
        clock=SimpleNamespace(now=lambda: now + timedelta(seconds=2)),
        dispatcher=SimpleNamespace(enqueue=sent.extend),
        store=store,
    )

    dispatch_due(ports, bench.now(made[0]))

    assert [each.id for each in sent] == [each.id for each in made[:3]]
    assert store.read == 4
    bench.dispatcher.stop()
    bench.store.close()


def test_of_many_that_are_due_a_slice_is_dispatched_at_a_time(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path / "1.log")
    made = bench.events(MANY, bench.endpoint("http://127.0.0.1:9/"))
    due = made[0].began_at
    for each in made:
        bench.store.commit(unit_of(replace(bench.now(each), under_way=None, due=due)))
    store, sent = Watched(bench.store), list[Delivery]()
    ports = SimpleNamespace(
        clock=SimpleNamespace(now=lambda: due),
        dispatcher=SimpleNamespace(enqueue=sent.extend),
        store=store,
    )

    dispatch_due(ports, bench.now(made[0]))

    assert len(sent) == SLICE_DELIVERIES
    bench.dispatcher.stop()
    bench.store.close()


class LaterDurable:
    """A store whose units are durable some time after they are stored."""

    def __init__(self, store: DocumentStore):
        self._store = store
        self.flush: Flush | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def commit(self, unit: Unit) -> None:
        self.flush = self._store.commit_unflushed(unit)


def test_an_event_that_is_sent_again_is_sent_once_that_is_durable(tmp_path: Path) -> None:
    bench = DispatcherBench(tmp_path, store=DocumentStore(tmp_path / "1.log"))
    (made,) = bench.events(1, bench.endpoint("http://127.0.0.1:9/"))
    bench.store.commit(unit_of(replace(bench.now(made), under_way=None)))
    store, sent = LaterDurable(bench.store), list[bool]()
    ports = SimpleNamespace(
        clock=bench.clock,
        dispatcher=SimpleNamespace(enqueue=lambda _: sent.append(store.flush.is_over)),
        store=store,
    )

    replay_event(ports, made.event_id)

    assert sent == [True]
    bench.dispatcher.stop()
    bench.store.close()
