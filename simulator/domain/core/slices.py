"""Long work over records, done in slices: others have their turn between two of them."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from simulator.domain.core.ports import HasStore

Item = TypeVar("Item")
# About a millisecond: a request waits for the end of a slice at each of its own steps.
SLICE_RECORDS = 16


def with_pauses(ports: HasStore, items: Iterable[Item]) -> Iterator[Item]:
    """The items; others have their turn now and then."""
    for number, item in enumerate(items, 1):
        yield item
        if not number % SLICE_RECORDS:
            ports.store.pause(0)
