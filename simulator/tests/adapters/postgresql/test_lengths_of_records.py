"""Every read of PostgreSQL finds what the embedded store finds, however long the records are that
stand before, between and behind.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from simulator.adapters.postgresql.engine import PostgresEngine
from simulator.adapters.postgresql.store import PART
from simulator.adapters.postgresql.tables import (
    FOUND_EACH,
    FOUND_FIRST,
    FOUND_PART,
    LONG_BYTES,
    ONE_BYTES,
    SHORT_BYTES,
)
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.ports import Store, unit_of
from simulator.tests.adapters.store.engines import a_sandbox
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, a_parcel

# The body of a parcel whose text is empty.
REST = 95
SHORT = 0
# What questions are bounded by; each also a little less, and a little more.
BOUNDS = [FOUND_EACH, ONE_BYTES, SHORT_BYTES, LONG_BYTES]
NEAR = [bound - REST + more for bound in BOUNDS for more in range(-8, 9, 4)]


def orders_of(lengths: Sequence[int], counts: Sequence[int]) -> list[tuple[int, ...]]:
    return [order for count in counts for order in product(lengths, repeat=count)]


ORDERS = {
    "two lengths": orders_of([SHORT, FOUND_EACH], range(1, 6)),
    "all but the longest": orders_of([SHORT, *BOUNDS[:3]], range(1, 4)),
    "the longest": orders_of([SHORT, LONG_BYTES], range(1, 4)),
    "near the bounds": [(SHORT, near, SHORT, near, SHORT) for near in NEAR],
}
# PostgreSQL cannot compress it.
TEXT = "".join(random.Random(1).choices("0123456789abcdefghijklmnopqrstuvwxyz", k=LONG_BYTES))
ONE = "one"


class Both(NamedTuple):
    """The two stores, with the same records."""

    kept: Store
    asked: Store


class StoresOf:
    """Makes both stores with one parcel of each length, in this order."""

    def __init__(self, engine: PostgresEngine, folder: Path):
        self._engine, self._folder, self.made = engine, folder, 0

    def __call__(self, lengths: Sequence[int]) -> Both:
        self.made += 1
        log = self._folder / f"{self.made}.log"
        kept = DocumentStore(log, kinds=KINDS, durability=Durability.MEMORY)
        both = Both(kept, self._engine.store_of(a_sandbox()))
        parcels = [
            a_parcel(name, 0, due=name, sender=ONE, labels={"text": TEXT[:length]})
            for name, length in zip(names_of(lengths), lengths, strict=True)
        ]
        for store in both:
            store.commit(unit_of(*parcels))
        return both


@pytest.fixture
def stores_of(address: str, tmp_path: Path) -> Iterator[StoresOf]:
    engine = PostgresEngine(address, "ours", kinds=KINDS)
    yield StoresOf(engine, tmp_path)
    engine.close()


def names_of(lengths: Sequence[int]) -> list[str]:
    return [f"{number:04d}" for number, _ in enumerate(lengths)]


def got(store: Store, lengths: Sequence[int]) -> object:
    return [store.get(Parcel, name) for name in names_of(lengths)]


def many(store: Store, lengths: Sequence[int]) -> object:
    return store.get_many(Parcel, names_of(lengths))


def found(store: Store, lengths: Sequence[int]) -> object:
    return [store.find(Parcel, "sender", ONE), list(store.ids_found(Parcel, "sender", ONE))]


def between(store: Store, lengths: Sequence[int]) -> object:
    return [*store.between(Parcel, "due", "", "~")]


def after(store: Store, lengths: Sequence[int]) -> object:
    return [record for _, record in store.after(Parcel, "due", None)]


def paged(store: Store, lengths: Sequence[int]) -> object:
    sizes = {1, 2, len(lengths) - 1, len(lengths), PART, PART + 1}
    starts = {0, 1, len(lengths) - 1, len(lengths)}
    return [
        (start, most, [*page], count)
        for start in sorted(starts)
        for most in sorted(sizes)
        for page, count in [store.page(Parcel, "due", ("", "~"), start=start, most=most)]
    ]


def firsts(store: Store, lengths: Sequence[int]) -> object:
    return store.firsts([Parcel, Parcel], "due")


READS = [got, many, found, between, after, paged, firsts]


def assert_read_alike(
    both: Both, lengths: Sequence[int], reads: Sequence[Callable[..., object]]
) -> None:
    for read in reads:
        same = read(both.asked, lengths) == read(both.kept, lengths)
        assert same, f"{read.__name__} of records of {lengths}"


@pytest.mark.parametrize("orders", ORDERS.values(), ids=ORDERS)
def test_a_read_finds_what_is_stored_whatever_its_lengths(
    stores_of: StoresOf, orders: Sequence[Sequence[int]]
) -> None:
    for lengths in orders:
        assert_read_alike(stores_of(lengths), lengths, READS)


@pytest.mark.parametrize("count", [FOUND_FIRST, PART, FOUND_PART, FOUND_FIRST + FOUND_PART])
@pytest.mark.parametrize("length", [FOUND_EACH, SHORT_BYTES])
def test_a_long_one_among_as_many_as_a_question_brings_hides_none(
    stores_of: StoresOf, count: int, length: int
) -> None:
    for total in (count - 1, count, count + 1):
        for place in (0, 1, FOUND_FIRST - 2, total - 2, total - 1):
            lengths = [SHORT] * total
            lengths[place] = length
            assert_read_alike(stores_of(lengths), lengths, [many, found, between])
