"""Reports: the transactions of a merchant, read back. Source: Endpoints, note 3."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownReferenceError
from simulator.domain.core.ports import HasStore, key_of
from simulator.domain.core.records import Payment
from simulator.domain.core.slices import with_pauses
from simulator.domain.payments.trees import top_of, tree_below
from simulator.domain.reporting import Asked, asked_of, asks_linked, once

UNKNOWN = "700.400.580"


class Report(NamedTuple):
    """The transactions of a page, read as they are asked for, and how many pages there are."""

    payments: Iterator[Payment]
    pages: int


def report_transaction(
    context: ChannelContext[HasStore], identity: str, sent: Mapping[str, str]
) -> Iterator[Payment]:
    """The transaction with this id, and its tree where that is asked for, read as they are asked
    for. Raises UnknownReferenceError.
    """
    context.ports.store.wait_durable()
    payment = context.ports.store.get(Payment, identity)
    if payment is None or not _is_theirs(context, payment):
        raise UnknownReferenceError(UNKNOWN, "no payment has the id in the path")
    if not asks_linked(sent):
        return iter((payment,))
    return once(chain((payment,), tree_below(context.ports, top_of(context.ports, payment))))


def report_transactions(context: ChannelContext[HasStore], sent: Mapping[str, str]) -> Report:
    """A page of the transactions with a merchantTransactionId, or of a time frame; oldest first.

    Raises Violations, Refusal where no transaction has the merchantTransactionId.
    """
    asked, store = asked_of(sent), context.ports.store
    store.wait_durable()
    index, bounds = _looked_up(context, asked)
    found, count = store.page(Payment, index, bounds, start=asked.start, most=asked.most)
    if asked.reference is not None and not count:
        raise Refusal(UNKNOWN, "cannot find transaction: none has this merchantTransactionId")
    shown = found
    if not asked.filter.admits_all:
        # Others have their turn between those that are shown, and so between the others too.
        shown = filter(asked.filter.admits, with_pauses(context.ports, found))
    whole = once(_with_trees(context, shown)) if asked.linked else shown
    return Report(whole, asked.pages(count))


def _looked_up(context: ChannelContext[HasStore], asked: Asked) -> tuple[str, tuple[str, str]]:
    """The index that has the transactions, those of the merchant on this host alone, and bounds."""
    merchant, host, reference = context.stamp.merchant, context.host, asked.reference
    if reference is None:
        index, within = "host_history", key_of(merchant, host)
    else:
        index, within = "reference", key_of(merchant, reference, host)
    first, last = asked.bounds
    return index, (key_of(within, first), key_of(within, last))


def _is_theirs(context: ChannelContext[HasStore], payment: Payment) -> bool:
    return payment.stamp.merchant == context.stamp.merchant and payment.host == context.host


def _with_trees(
    context: ChannelContext[HasStore], payments: Iterable[Payment]
) -> Iterator[Payment]:
    """Each payment, and its tree where it is the first one of it: payments of one page may all be
    in the same tree.
    """
    walked: set[str] = set()
    for each in payments:
        yield each
        top = top_of(context.ports, each)
        if top.id not in walked:
            walked.add(top.id)
            yield from tree_below(context.ports, top)
