"""Reports of settlement: the sums of a merchant's runs, and the records behind them.

Source: Reconciliation record; Choices: D-392, D-393.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from simulator.catalogue.operations.reconciliations import PAGE
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.errors import UnknownReferenceError, Violations
from simulator.domain.core.ports import HasStore, Store, key_of
from simulator.domain.settlement.records import ReconciliationRecord
from simulator.domain.settlement.runs import Aggregation, SettledLine
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
    """Those of the merchant that settled from date.from to date.to, oldest first. Raises
    Violations.
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
        Aggregation, "history", key_of(merchant, first), key_of(merchant, last + LAST)
    )
    return (each for each in found if currency in (None, each.currency))


def report_aggregation(context: ChannelContext[HasStore], identity: str) -> Aggregation:
    """The one with this id. Raises UnknownReferenceError, also for that of another merchant."""
    context.ports.store.wait_durable()
    found = context.ports.store.get(Aggregation, identity)
    if found is None or found.merchant != context.stamp.merchant:
        raise UnknownReferenceError(UNKNOWN, "no settlement has the id in the path")
    return found


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
        kind = sent.get("reconciliationType")
        whole = (aggregation.run, aggregation.merchant_account)
        within = whole if kind is None else (*whole, kind)
        self._index = "order" if kind is None else "typed"
        self._bounds = key_of(*within, ""), key_of(*within, LAST)
        self.count = self._page(0, 0)[1]

    def part(self, start: int, most: int) -> Iterator[ReconciliationRecord]:
        """At most `most` records from number `start` on."""
        most = max(0, min(most, self.count - start))
        if self._is_descending:
            lines = reversed(list(self._page(self.count - start - most, most)[0]))
        else:
            lines = self._page(start, most)[0]
        return (line.record for line in lines)

    def _page(self, start: int, most: int) -> tuple[Iterator[SettledLine], int]:
        return self._store.page(SettledLine, self._index, self._bounds, start=start, most=most)
