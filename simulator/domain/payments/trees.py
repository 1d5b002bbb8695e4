"""Payments and what refers to them: a payment, its captures, their refunds."""

from collections import deque
from collections.abc import Callable, Iterator

from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import with_pauses


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
    """The payment, and what refers to it by way of others or at once, each after what it refers to;
    read as they are asked for. Others have their turn meanwhile.
    """
    return with_pauses(ports, _walked(ports, top))


def _walked(ports: HasStore, top: Payment) -> Iterator[Payment]:
    left = deque([top])
    while left:
        each = left.popleft()
        yield each
        left += ports.store.find(Payment, "referenced", each.id)
