"""Long work over records, done in slices: others have their turn between two of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.transact import transact

Item = TypeVar("Item")
# About a millisecond: a request waits for the end of a slice at each of its own steps.
SLICE_RECORDS = 16


def with_pauses(ports: HasStore, items: Iterable[Item]) -> Iterator[Item]:
    """The items; others have their turn now and then."""
    for number, item in enumerate(items, 1):
        yield item
        if not number % SLICE_RECORDS:
            ports.store.pause(0)


def change_in_slices(
    ports: HasStore, kind: type[Any], identities: Sequence[str], change: Callable[[Any], Any]
) -> None:
    """Store what `change` makes of each of these records that is there; None leaves it as it is.
    What is stored is durable with the next change that is.
    """

    def store(some: Sequence[str]) -> None:
        found = ports.store.get_many(kind, some)
        changed = [after for each in found.values() if (after := change(each)) is not None]
        if changed:
            ports.store.commit_unflushed(unit_of(*changed))

    for first in range(0, len(identities), SLICE_RECORDS):
        transact(ports.store, partial(store, identities[first : first + SLICE_RECORDS]))
        ports.store.pause(0)
