"""Payments and what refers to them: a payment, its captures, their refunds."""

from collections import deque
from collections.abc import Callable, Iterator

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
    """The payment, and what refers to it by way of others or at once, each after what it refers to;
    read as they are asked for. Others have their turn meanwhile.
    """
    return with_pauses(ports, _walked(ports, top))


def _walked(ports: HasStore, top: Payment) -> Iterator[Payment]:
    left: deque[Iterator[Payment]] = deque([iter((top,))])
    while left:
        for each in left.popleft():
            yield each
            left.append(referring_to(ports, each))


def referring_to(ports: HasStore, payment: Payment) -> Iterator[Payment]:
    """What refers to the payment at once, the oldest first; others have their turn meanwhile."""
    found = ports.store.ids_found(Payment, "referenced", payment.id)
    return read_in_slices(ports, Payment, found)
