"""Record what a shopper's browser does; read a journal, and the trace of a payment."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from simulator.domain.core.ports import HasClock, HasStore
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import Entry, ExchangeEntry, Party, create_browser_entry
from simulator.domain.journal.search import Numbered, Search, render_entry, render_related
from simulator.domain.journal.trace import Trace, trace_of
from simulator.domain.payments.trees import top_of, tree_below
from simulator.domain.ports.journal import HasJournal, Journal


class JournalPorts(HasJournal, HasStore, Protocol):
    """What a page of the journal is read from."""


class StepPorts(HasJournal, HasClock, Protocol):
    """What a step of a browser is recorded with."""


class UnknownEntryError(Exception):
    """The journal holds nothing under the ndc or the payment id."""


def record_step(ports: StepPorts, payment: Payment, way: tuple[Party, Party], label: str) -> None:
    """Record a step of the shopper's browser, or the answer to it; nothing that was typed."""
    ports.journal.append_step(create_browser_entry(payment, ports.clock.now(), way, label))


def trace_payment(ports: JournalPorts, identity: str) -> Trace:
    """The trace of the payment `identity`, with everything that refers to it or that it refers to,
    and with the checkout it was paid in. `identity` may be that of a checkout.

    A refused request has an id too, though it created no payment. Raises UnknownEntry.
    """
    payments = {payment.id: payment for payment in payment_tree(ports, identity)}
    checkouts = dict.fromkeys(each.checkout for each in payments.values() if each.checkout)
    entries: dict[int, Entry] = {}
    for key in [*checkouts, *payments] or [identity]:
        entries.update(ports.journal.find_entries(key))
    # Other attempts in the same checkout, which the shopper made before or after.
    named = dict.fromkeys(each for entry in entries.values() for each in entry.payments)
    for other in named:
        for payment in payment_tree(ports, other) if other not in payments else ():
            payments.setdefault(payment.id, payment)
            entries.update(ports.journal.find_entries(payment.id))
    if not payments and not entries:
        raise UnknownEntryError("no payment, checkout or request has the id in the path")
    numbered = sorted(entries.items(), key=itemgetter(0))
    return trace_of(identity, _in_order(payments, numbered), numbered)


def _in_order(payments: Mapping[str, Payment], numbered: Sequence[Numbered]) -> list[Payment]:
    """The payments, oldest first; on a clock that stands still as they came into the journal."""
    first: dict[str, int] = {}
    newest = numbered[-1][0] if numbered else 0
    for number, entry in numbered:
        for identity in entry.payments:
            first.setdefault(identity, number)
    return sorted(payments.values(), key=lambda each: (each.created_at, first.get(each.id, newest)))


def payment_tree(ports: JournalPorts, identity: str) -> list[Payment]:
    """The initial payment of `identity` and all that refer to it, each after what it refers to."""
    payment = ports.store.get(Payment, identity)
    return [] if payment is None else list(tree_below(ports, top_of(ports, payment)))


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
    document of each `encode`d. Others have their turn between them.
    """
    found: list[Any] = []
    following, last = None, 0
    for number, entry in _candidates(journal, search, before):
        if number <= after:
            break
        if len(found) == limit:
            following = last
            break
        if search.matches(entry):
            found.append(encode(render_entry(number, entry, _related(journal, entry))))
            last = number
    return EntryPage(found, journal.newest, following)


def read_entry(journal: Journal, ndc: str) -> dict[str, Any]:
    """The exchange with this ndc and all that belongs to it. Raises UnknownEntry."""
    about = journal.find_entries(ndc)
    if not about:
        raise UnknownEntryError("no exchange has the ndc in the path")
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
