"""Record what a shopper's browser does; read a journal, and the trace of a payment."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from simulator.domain.core.background import Aside, at_once
from simulator.domain.core.ports import HasClock, HasStore
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Entry, ExchangeEntry, Party, create_browser_entry
from simulator.domain.journal.search import (
    Numbered,
    Search,
    exchanges_of,
    render_brief,
    render_entry,
    render_related,
)
from simulator.domain.journal.trace import Trace, trace_of
from simulator.domain.payments.trees import top_of, tree_below
from simulator.domain.ports.journal import HasJournal, Journal

# A trace and the page of a payment show so many payments of a tree: a payment may be captured a
# thousand times, and each capture refunded as often.
TREE_MAX = 10_000
Shown = TypeVar("Shown")


class JournalPorts(HasJournal, HasStore, Protocol):
    """What a page of the journal is read from."""


class StepPorts(HasJournal, HasClock, Protocol):
    """What a step of a browser is recorded with."""


class UnknownEntryError(Exception):
    """The journal holds nothing under the ndc or the payment id."""


def record_step(ports: StepPorts, payment: Payment, way: tuple[Party, Party], label: str) -> None:
    """Record a step of the shopper's browser, or the answer to it; nothing that was typed."""
    ports.journal.append_step(create_browser_entry(payment, ports.clock.now(), way, label))


def trace_payment(
    ports: JournalPorts,
    identity: str,
    shown: Callable[[Trace], Shown],
    aside: Aside = at_once,
) -> Shown:
    """The trace of the payment `identity`, with everything that refers to it or that it refers to,
    and with the checkout it was paid in; of TREE_MAX payments at most. `identity` may be that of a
    checkout. It is put in order and `shown` aside.

    A refused request has an id too, though it created no payment. Raises UnknownEntry.
    """
    found = _Found(ports)
    found.add_tree(identity)
    if not found.payments:
        found.add_entries(identity)
    checkouts = dict.fromkeys(each.checkout for each in found.payments.values() if each.checkout)
    for checkout in checkouts:
        found.add_entries(checkout)
    # Other attempts in the same checkout, which the shopper made before or after.
    for other in dict.fromkeys(each for entry in found.entries.values() for each in entry.payments):
        found.add_tree(other)
    if not found.payments and not found.entries:
        raise UnknownEntryError("no payment, checkout or request has the id in the path")
    return aside(lambda: shown(_ordered_trace(identity, found)))


class _Found:
    """What a trace is made of: payments by id, and entries by their number."""

    def __init__(self, ports: JournalPorts):
        self._ports = ports
        self.payments: dict[str, Payment] = {}
        self.entries: dict[int, Entry] = {}

    def add_tree(self, identity: str) -> None:
        """Add the tree of a payment, unless it is here, and the entries about each of it."""
        if identity in self.payments:
            return
        left = TREE_MAX - len(self.payments)
        for payment in islice(_tree_of(self._ports, identity), left):
            self.payments[payment.id] = payment
            self.add_entries(payment.id)

    def add_entries(self, key: str) -> None:
        """Add the entries about one id."""
        self.entries.update(self._ports.journal.find_entries(key))


def _ordered_trace(identity: str, found: _Found) -> Trace:
    numbered = sorted(found.entries.items(), key=itemgetter(0))
    return trace_of(identity, _in_order(found.payments, numbered), numbered)


def _in_order(payments: Mapping[str, Payment], numbered: Sequence[Numbered]) -> list[Payment]:
    """The payments, oldest first; on a clock that stands still as they came into the journal."""
    first: dict[str, int] = {}
    newest = numbered[-1][0] if numbered else 0
    for number, entry in numbered:
        for identity in entry.payments:
            first.setdefault(identity, number)
    return sorted(payments.values(), key=lambda each: (each.created_at, first.get(each.id, newest)))


def payment_tree(ports: JournalPorts, identity: str) -> list[Payment]:
    """The initial payment of `identity` and all that refer to it, each after what it refers to;
    TREE_MAX at most.
    """
    return list(islice(_tree_of(ports, identity), TREE_MAX))


def _tree_of(ports: JournalPorts, identity: str) -> Iterator[Payment]:
    payment = ports.store.get(Payment, identity)
    found = iter(()) if payment is None else tree_below(ports, top_of(ports, payment))
    # All of them are kept, and none shows what was sent with it.
    return (replace(each, sent={}) for each in found)


class EntryPage(NamedTuple):
    """A page of entries, newest first: documents, the newest number there is, and `before` of the
    next page, None where there is none.
    """

    entries: list[Any]
    newest: int
    next: int | None


def search_journal(
    journal: Journal,
    search: Search,
    *,
    limit: int,
    before: int | None = None,
    after: int = 0,
    encode: Callable[[dict[str, Any]], Any] = lambda document: document,
) -> EntryPage:
    """The entries that match `search`, numbered below `before` and above `after`, newest first; the
    document of each `encode`d. Others have their turn between them; what they append meanwhile is
    newer than the newest of this page.
    """
    found: list[Any] = []
    following, last, newest = None, 0, journal.newest
    end = newest + 1 if before is None else min(before, newest + 1)
    for number, entry in _candidates(journal, search, end):
        if number <= after:
            break
        if len(found) == limit:
            following = last
            break
        if search.matches(entry):
            found.append(encode(render_entry(number, entry, _related(journal, entry))))
            last = number
    return EntryPage(found, newest, following)


def read_entry(journal: Journal, ndc: str, number: int | None = None) -> dict[str, Any]:
    """The exchange with this ndc and all that belongs to it. Of several that share it the one of
    this number, else the newest that is no reading; all of them are listed beside it. Raises
    UnknownEntry.
    """
    about = journal.find_entries(ndc)
    if not about:
        raise UnknownEntryError("no exchange has the ndc in the path")
    exchanges = exchanges_of(ndc, about)
    if len(exchanges) > 1 or number is not None:
        return _read_shared(exchanges, about, number)
    for at, entry in about:
        if isinstance(entry, ExchangeEntry):
            return render_entry(at, entry, about)
    return {"ndc": ndc, **render_related(about)}


def _read_shared(
    exchanges: Sequence[tuple[int, ExchangeEntry]], about: Sequence[Numbered], number: int | None
) -> dict[str, Any]:
    asked = [pair for pair in exchanges if number in (None, pair[0])]
    if not asked:
        raise UnknownEntryError("no exchange of the ndc in the path has the number")
    changing = [pair for pair in asked if pair[1].method != "GET"]
    shown = render_entry(*(changing or asked)[-1], about)
    if len(exchanges) > 1:
        shown["exchanges"] = [render_brief(*pair) for pair in exchanges]
    return shown


def _candidates(journal: Journal, search: Search, before: int) -> Iterable[tuple[int, Entry]]:
    if search.key is None:
        return journal.iterate_newest_first(before=before)
    found = reversed(journal.find_entries(search.key))
    return [pair for pair in found if pair[0] < before]


def _related(journal: Journal, entry: Entry) -> list[tuple[int, Entry]]:
    return journal.find_entries(entry.ndc) if isinstance(entry, ExchangeEntry) else []
