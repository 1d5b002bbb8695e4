"""The payments that the lines of a file are about, read for some lines at once.

A database answers for all of them in one trip, and in one more for all that these refer to, and so
on: a refund of a capture takes three.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment
from simulator.domain.payments.trees import lineage
from simulator.domain.settlement.booking import last4_of

# Lines that are booked together as far as reading goes.
LINES_AT_ONCE = 64
Item = TypeVar("Item")


class LinePayments:
    """Those of the lines at hand, as they were when they were read."""

    def __init__(self, ports: HasStore):
        self._store = ports.store
        self._known: dict[str, Payment] = {}

    def read(self, identities: Iterable[str]) -> None:
        """Read those of the next lines and all that they refer to, and forget those of the last."""
        found = self._store.get_many(Payment, identities)
        self._known = dict(found)
        while about := {each.referenced for each in found.values() if each.referenced}:
            found = self._store.get_many(Payment, about - self._known.keys())
            self._known |= found

    def get(self, identity: str) -> Payment | None:
        """The payment with this id, or None."""
        found = self._known.get(identity)
        return self._store.get(Payment, identity) if found is None else found

    def payer_of(self, payment: Payment) -> Payment:
        """The payment with the card or bank account: this one, or what it refers to in the end."""
        for payer in lineage(self.get, payment):
            if last4_of(payer):
                break
        return payer


def in_parts(items: Iterable[Item]) -> Iterator[list[Item]]:
    """The items, some at once."""
    rest = iter(items)
    while part := list(islice(rest, LINES_AT_ONCE)):
        yield part
