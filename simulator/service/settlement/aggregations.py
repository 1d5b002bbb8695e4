"""Reports of settlement: the sums of a merchant's runs, and the records behind them.

Source: Reconciliation record; Choices: D-392, D-393.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate, islice
from typing import NamedTuple

from simulator.catalogue.operations.reconciliations import PAGE
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import UnknownReferenceError, Violations
from simulator.domain.core.ports import HasStore, Store
from simulator.domain.core.slices import with_pauses
from simulator.domain.settlement.blocks import SettledBlock, place_of
from simulator.domain.settlement.numbers import host_of
from simulator.domain.settlement.records import ReconciliationRecord
from simulator.domain.settlement.runs import Aggregation
from simulator.grammar.violations import Violation

UNKNOWN = "700.400.580"
LAST = "~"
LAST_DAY = "9999-12-31"
AT_ONCE = 500


class SettlementPage(NamedTuple):
    """The records of a page, read as they are asked for, and how many pages there are."""

    records: Iterator[ReconciliationRecord]
    pages: int


def report_aggregations(
    context: ChannelContext[HasStore], sent: Mapping[str, str]
) -> Iterator[Aggregation]:
    """Those of the merchant on this host that settled from date.from to date.to, oldest first.
    Raises Violations.
    """
    # In profile field the time frame may be open (D-280).
    first, last = sent["date.from"], sent.get("date.to", LAST_DAY)
    store = context.ports.store
    if last < first:
        message = "must not lie before date.from"
        raise Violations([Violation("date.to", last, message, "REP-01")])
    store.wait_durable()
    merchant, currency = context.stamp.merchant, sent.get("currency")
    found = store.between(
        Aggregation, "history", place_of(merchant, first), place_of(merchant, last + LAST)
    )
    paused = with_pauses(context.ports, found)
    theirs = (each for each in paused if host_of(each.merchant_account) == context.host)
    return (each for each in theirs if currency in (None, each.currency))


def report_aggregation(context: ChannelContext[HasStore], identity: str) -> Aggregation:
    """The one with this id. Raises UnknownReferenceError, also for that of another merchant or the
    other host.
    """
    context.ports.store.wait_durable()
    found = context.ports.store.get(Aggregation, identity)
    if found is None or not _is_theirs(context, found):
        raise UnknownReferenceError(UNKNOWN, "no settlement has the id in the path")
    return found


def _is_theirs(context: ChannelContext[HasStore], found: Aggregation) -> bool:
    is_of_host = host_of(found.merchant_account) == context.host
    return found.merchant == context.stamp.merchant and is_of_host


def records_of(
    store: Store, aggregation: Aggregation, sent: Mapping[str, str]
) -> Iterator[ReconciliationRecord]:
    """All records, in the order that is asked for."""
    lines = _Lines(store, aggregation, sent)
    for start in range(0, lines.count, AT_ONCE):
        yield from lines.part(start, AT_ONCE)


def page_of_records(
    store: Store, aggregation: Aggregation, sent: Mapping[str, str]
) -> SettlementPage:
    """A page of the records of a type, or of all."""
    lines = _Lines(store, aggregation, sent)
    start = (int(sent.get("pageNo", 1)) - 1) * PAGE
    return SettlementPage(lines.part(start, PAGE), -(-lines.count // PAGE))


class _Lines:
    """The lines of an aggregation that a request asks for, in its order."""

    def __init__(self, store: Store, aggregation: Aggregation, sent: Mapping[str, str]):
        self._store = store
        self._is_descending = sent.get("sortOrder", "").upper() == "DESC"
        self._kind = sent.get("reconciliationType")
        self._bounds = tuple(
            place_of(aggregation.run, aggregation.merchant_account, bound) for bound in ("", LAST)
        )
        by_block = (
            aggregation.typed.values()
            if self._kind is None
            else (aggregation.typed.get(self._kind, ()),)
        )
        # How many lines there are up to the end of each block.
        self._ends = list(accumulate(map(sum, zip(*by_block, strict=True))))
        self.count = self._ends[-1] if self._ends else 0

    def part(self, start: int, most: int) -> Iterator[ReconciliationRecord]:
        """At most `most` records from number `start` on."""
        most = max(0, min(most, self.count - start))
        if self._is_descending:
            return reversed(list(self._lines(self.count - start - most, most)))
        return self._lines(start, most)

    def _lines(self, start: int, most: int) -> Iterator[ReconciliationRecord]:
        """Blocks without a line that is asked for are not read."""
        first = bisect_right(self._ends, start)
        before = self._ends[first - 1] if first else 0
        for number in range(first, len(self._ends)):
            if before >= start + most:
                return
            if self._ends[number] > before:
                yield from islice(
                    self._block(number), max(0, start - before), start + most - before
                )
            before = self._ends[number]

    def _block(self, number: int) -> Iterator[ReconciliationRecord]:
        low, high = self._bounds
        found, _ = self._store.page(SettledBlock, "order", (low, high), start=number, most=1)
        for block in found:
            yield from (each for each in block.records() if self._kind in (None, each.type))
