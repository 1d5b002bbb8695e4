"""What a store costs when it is not used, and what its records cost."""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel

IDLE_BYTES_MAX = 5000


def bytes_kept_by(make: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        kept = make()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] if kept is not None else 0
    finally:
        tracemalloc.stop()


def test_an_unused_store_costs_little(tmp_path):
    count = 100

    used = bytes_kept_by(
        lambda: [DocumentStore(tmp_path / f"{number}.log", kinds=KINDS) for number in range(count)]
    )

    assert used / count < IDLE_BYTES_MAX


@pytest.mark.cost
def test_a_store_that_sleeps_costs_little(tmp_path):
    count = 20
    asleep(tmp_path / "warm up.log")

    used = bytes_kept_by(lambda: [asleep(tmp_path / f"{number}.log") for number in range(count)])

    assert used / count < IDLE_BYTES_MAX


def test_the_garbage_collector_does_not_look_at_records(tmp_path):
    store = DocumentStore(tmp_path / "a.log", kinds=KINDS)
    store.commit(Unit(puts=(a_parcel("first"),)))
    gc.collect()
    before = len(gc.get_objects())

    store.commit(Unit(puts=tuple(some_parcels(2000))))
    gc.collect()

    assert len(store.find(Parcel, "sender", "Jane")) == 1000
    assert len(gc.get_objects()) - before < 100


def asleep(path: Path) -> DocumentStore:
    store = DocumentStore(path, kinds=KINDS)
    store.commit(Unit(puts=tuple(some_parcels(50))))
    assert store.sleep()
    return store


def some_parcels(count: int) -> list[Parcel]:
    return [
        a_parcel(str(number), sender="Jane" if number % 2 else None, due=str(number))
        for number in range(count)
    ]
