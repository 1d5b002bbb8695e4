"""Reports: the transactions of a merchant, read back. Source: Endpoints, note 3."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import Refusal, UnknownReferenceError
from simulator.domain.core.ports import HasStore, key_of
from simulator.domain.core.records import Payment
from simulator.domain.payments.trees import top_of, tree_below
from simulator.domain.reporting import asked_of, asks_linked, once

UNKNOWN = "700.400.580"
REFERENCE = "merchantTransactionId"
TREE_MAX = 1000


class Report(NamedTuple):
    """The transactions of a page, read as they are asked for, and how many pages there are."""

    payments: Iterator[Payment]
    pages: int


def report_transaction(
    context: ChannelContext[HasStore], identity: str, sent: Mapping[str, str]
) -> list[Payment]:
    """The transaction with this id, and its tree where that is asked for. Raises
    UnknownReferenceError.
    """
    context.ports.store.wait_durable()
    payment = context.ports.store.get(Payment, identity)
    if payment is None or not _is_theirs(context, payment):
        raise UnknownReferenceError(UNKNOWN, "no payment has the id in the path")
    return (
        list(once([payment, *_tree_from(context, top_of(context.ports, payment))]))
        if asks_linked(sent)
        else [payment]
    )


def report_transactions(context: ChannelContext[HasStore], sent: Mapping[str, str]) -> Report:
    """A page of the transactions with a merchantTransactionId, or of a time frame; oldest first.

    Raises Violations, Refusal where no transaction has the merchantTransactionId.
    """
    asked, store = asked_of(sent), context.ports.store
    store.wait_durable()
    merchant, reference = context.stamp.merchant, asked.reference
    if reference is None:
        index, bounds = "history", tuple(key_of(merchant, each) for each in asked.bounds)
    else:
        index, bounds = REFERENCE, tuple(key_of(merchant, reference, each) for each in asked.bounds)
    found, count = store.page(
        Payment, index, (bounds[0], bounds[1]), start=asked.start, most=asked.most
    )
    if reference is not None and not count:
        raise Refusal(UNKNOWN, "cannot find transaction: none has this merchantTransactionId")
    theirs = (each for each in found if _is_theirs(context, each) and asked.filter.admits(each))
    whole = once(_with_trees(context, theirs)) if asked.linked else theirs
    return Report(whole, asked.pages(count))


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
            yield from _tree_from(context, top)


def _tree_from(context: ChannelContext[HasStore], top: Payment) -> Iterator[Payment]:
    """The first payment and what refers to it, TREE_MAX payments at most."""
    return islice(tree_below(context.ports, top), TREE_MAX)
