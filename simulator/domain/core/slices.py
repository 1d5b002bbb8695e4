"""Long work over records, done in slices: others have their turn between two of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from simulator.domain.core.long_work import LongWorkStore
from simulator.domain.core.ports import HasStore, Record, unit_of
from simulator.domain.core.transact import transact

Item = TypeVar("Item")
# About a millisecond: a request waits for the end of a slice at each of its own steps. One record
# that was sent with thousands of parameters takes as long as hundreds with forty.
SLICE_RECORDS, USUAL_PARAMETERS = 16, 40
# Deliveries are short, and each slice of them is a write of its own.
SLICE_DELIVERIES = 48


def with_pauses(ports: HasStore, items: Iterable[Item]) -> Iterator[Item]:
    """The items; others have their turn now and then, and sooner where records are long."""
    taken = 0
    for item in items:
        yield item
        taken += _length_of(item)
        if taken >= SLICE_RECORDS:
            taken = 0
            ports.store.pause(0)


def read_in_slices(
    ports: HasStore, kind: type[Record], identities: Sequence[str]
) -> Iterator[Record]:
    """The records with these ids that are still there when their turn comes, in this order; others
    have their turn now and then. Of long ones few are in memory at once: many may read them.
    """
    first, count = 0, 1
    while first < len(identities):
        if first:
            ports.store.pause(0)
        some = identities[first : first + count]
        found = ports.store.get_many(kind, some)
        yield from (found[each] for each in some if each in found)
        longest = max(map(_length_of, found.values()), default=1)
        first, count = first + len(some), max(1, min(2 * count, SLICE_RECORDS // longest))


def _length_of(record: object) -> int:
    """As many usual records are as long as this one."""
    return 1 + len(getattr(record, "sent", ())) // USUAL_PARAMETERS


def change_in_slices(
    ports: HasStore, kind: type[Any], identities: Sequence[str], change: Callable[[Any], Any]
) -> None:
    """Store what `change` makes of each of these records that is there; None leaves it as it is.
    All of it is durable on return. Raises DiskError, also where a write failed on the way: what is
    stored by then stays.
    """
    work = LongWorkStore(ports.store)

    def store(some: Sequence[str]) -> None:
        found = work.get_many(kind, some)
        changed = [after for each in found.values() if (after := change(each)) is not None]
        if changed:
            work.commit_unflushed(unit_of(*changed))

    for first in range(0, len(identities), SLICE_RECORDS):
        transact(work, partial(store, identities[first : first + SLICE_RECORDS]))
        work.pause(0)
    work.wait_durable()
