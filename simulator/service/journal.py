"""Read the journal of a sandbox, and the trace of a payment."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from simulator.domain.core.ports import Journal, Ports
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Entry, ExchangeEntry
from simulator.domain.journal.search import Search, render_entry, render_related
from simulator.domain.journal.trace import Trace, trace_of


class UnknownEntryError(Exception):
    """The journal holds nothing under the ndc or the payment id."""


def trace_payment(ports: Ports, identity: str) -> Trace:
    """The trace of the payment `identity`, with everything that refers to it or that it refers to.

    A refused request has an id too, though it created no payment. Raises UnknownEntry.
    """
    payments = payment_tree(ports, identity)
    keys = [payment.id for payment in payments] or [identity]
    entries = {number: entry for key in keys for number, entry in ports.journal.find_entries(key)}
    if not payments and not entries:
        raise UnknownEntryError(identity)
    return trace_of(identity, payments, entries.items())


def payment_tree(ports: Ports, identity: str) -> list[Payment]:
    """The initial payment of `identity` and all that refer to it, each after what it refers to."""
    root = ports.store.get(Payment, identity)
    while root is not None and root.referenced is not None:
        root = ports.store.get(Payment, root.referenced)
    tree = [] if root is None else [root]
    for payment in tree:
        tree += ports.store.find(Payment, "referenced", payment.id)
    return tree


class EntryPage(NamedTuple):
    """A page of entries, newest first: documents, the newest number there is, and `before` of the
    next page, None where there is none.
    """

    entries: list[dict[str, Any]]
    newest: int
    next: int | None


def search_journal(
    journal: Journal, search: Search, *, limit: int, before: int | None = None, after: int = 0
) -> EntryPage:
    """The entries that match `search`, numbered below `before` and above `after`, newest first."""
    found: list[dict[str, Any]] = []
    following = None
    for number, entry in _candidates(journal, search, before):
        if number <= after:
            break
        if len(found) == limit:
            following = found[-1]["number"]
            break
        if search.matches(entry):
            found.append(render_entry(number, entry, _related(journal, entry)))
    return EntryPage(found, journal.newest, following)


def read_entry(journal: Journal, ndc: str) -> dict[str, Any]:
    """The exchange with this ndc and all that belongs to it. Raises UnknownEntry."""
    about = journal.find_entries(ndc)
    if not about:
        raise UnknownEntryError(ndc)
    for number, entry in about:
        if isinstance(entry, ExchangeEntry):
            return render_entry(number, entry, about)
    return {"ndc": ndc, **render_related(about)}


def _candidates(
    journal: Journal, search: Search, before: int | None
) -> Iterable[tuple[int, Entry]]:
    if search.key is None:
        return journal.iterate_newest_first(before=before)
    found = reversed(journal.find_entries(search.key))
    return [pair for pair in found if before is None or pair[0] < before]


def _related(journal: Journal, entry: Entry) -> list[tuple[int, Entry]]:
    return journal.find_entries(entry.ndc) if isinstance(entry, ExchangeEntry) else []
