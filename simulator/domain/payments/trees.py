"""Payments and what refers to them: a payment, its captures, their refunds."""

from collections.abc import Callable, Iterator
from datetime import datetime
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import read_in_slices, with_pauses


def lineage(get: Callable[[str], Payment | None], payment: Payment) -> Iterator[Payment]:
    """The payment, what it refers to, and so on up to the first one; `get` finds one by its id."""
    each: Payment | None = payment
    while each is not None:
        yield each
        each = None if each.referenced is None else get(each.referenced)


def top_of(ports: HasStore, payment: Payment) -> Payment:
    """The first payment that the payment refers to, by way of others or at once; or itself."""
    *_, top = lineage(lambda identity: ports.store.get(Payment, identity), payment)
    return top


def tree_below(ports: HasStore, top: Payment) -> Iterator[Payment]:
    """The payment, and what refers to it by way of others or at once, the oldest first, each after
    what it refers to; read as they are asked for. Others have their turn meanwhile.
    """
    return with_pauses(ports, _walked(ports, top))


class TreeBranch(NamedTuple):
    """What refers to one payment, and is not shown yet: the first of it, and the others. Of those
    of one instant the branch that was found first comes first.
    """

    at: datetime
    number: int
    first: Payment
    others: Iterator[Payment]


def _walked(ports: HasStore, top: Payment) -> Iterator[Payment]:
    branches = [TreeBranch(top.created_at, 0, top, iter(()))]
    for number in count(1):
        if not branches:
            return
        _, found, payment, others = heappop(branches)
        yield payment
        _enter(branches, found, others)
        _enter(branches, number, referring_to(ports, payment))


def _enter(branches: list[TreeBranch], number: int, payments: Iterator[Payment]) -> None:
    first = next(payments, None)
    if first is not None:
        heappush(branches, TreeBranch(first.created_at, number, first, payments))


def referring_to(ports: HasStore, payment: Payment) -> Iterator[Payment]:
    """What refers to the payment at once, the oldest first; others have their turn meanwhile."""
    found = ports.store.ids_found(Payment, "referenced", payment.id)
    return read_in_slices(ports, Payment, found)
