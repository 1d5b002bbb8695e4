"""The journal of a calm sandbox beside its home, without what turns out to be left to the home."""

from collections.abc import Callable, Collection, Hashable, Iterator
from functools import partial

from gevent import getcurrent

from simulator.adapters.journal import MemoryJournal
from simulator.domain.journal.entries import BrowserEntry, Entry, WebhookAttempt
from simulator.domain.journal.exchanges import AcquirerExchange, MaskedExchange
from simulator.domain.journal.stored import encode_entry


class HeldJournal:
    """Implements Journal over that of this member: what a request appends is held until it is known
    who answers it, unless it `has_stored` something. A request is a greenlet.

    Each method is named: one that were passed on unseen might append what is not held.
    """

    def __init__(self, journal: MemoryJournal, has_stored: Callable[[], bool]):
        self._journal = journal
        self._has_stored = has_stored
        self._held: dict[Hashable, list[Callable[[], None]]] = {}
        self._at_acquirer: dict[Hashable, list[str]] = {}

    @property
    def newest(self) -> int:
        """The number of the newest entry, without what is held here."""
        return self._journal.newest

    def append_entry(self, entry: Entry, secrets: Collection[str] = ()) -> None:
        """Append an entry, masked; none of `secrets` may be in it."""
        entry = self._journal.dated(entry)
        self.append_encoded(entry, encode_entry(entry, secrets))

    def append_encoded(self, entry: Entry, body: bytes) -> None:
        """Append an entry that was masked and encoded already, and is dated."""
        self._append(partial(self._journal.append_encoded, entry, body))

    def append_step(self, entry: BrowserEntry) -> None:
        """Append a step of a browser, unless there are too many of the same payment by then."""
        self._append(partial(self._journal.append_step, self._journal.dated(entry)))

    def append_exchange(self, exchange: MaskedExchange) -> None:
        """Append an exchange with nothing left to mask."""
        self._append(partial(self._journal.append_exchange, exchange))

    def append_attempt(self, attempt: WebhookAttempt) -> None:
        """Append an attempt to deliver a webhook event."""
        self.append_entry(self._journal.entry_of(attempt))

    def hold_acquirer_exchange(self, exchange: AcquirerExchange) -> None:
        """Hold it until the merchant's exchange is complete."""
        self._at_acquirer.setdefault(getcurrent(), []).append(exchange.payment)
        self._journal.hold_acquirer_exchange(exchange)

    def take_acquirer_exchange(self, payment: str) -> AcquirerExchange | None:
        """Remove and return what is held for the exchange that made this payment."""
        return self._journal.take_acquirer_exchange(payment)

    def forget_content(self, key: str) -> None:
        """Keep of the entries with this ndc, about this payment, or with a list that shows it, only
        that there were any.
        """
        self._append(partial(self._journal.forget_content, key))

    def iterate_newest_first(self, *, before: int | None = None) -> Iterator[tuple[int, Entry]]:
        """The numbered entries, from the newest (or the one before `before`) back."""
        return self._journal.iterate_newest_first(before=before)

    def find_entries(self, key: str) -> list[tuple[int, Entry]]:
        """The entries with this ndc or about this payment, oldest first."""
        return self._journal.find_entries(key)

    def wait_for_entry(self, after: int, seconds: float) -> None:
        """Return when there is a number above `after`, at the latest after `seconds`."""
        self._journal.wait_for_entry(after, seconds)

    def end(self, *, is_left: bool) -> None:
        """The request is over; where it is left to the home, nothing of it was here."""
        at_acquirer = self._at_acquirer.pop(getcurrent(), ())
        if not is_left:
            self._append_held()
            return
        self._held.pop(getcurrent(), None)
        for payment in at_acquirer:
            self._journal.take_acquirer_exchange(payment)

    def _append(self, append: Callable[[], None]) -> None:
        self._held.setdefault(getcurrent(), []).append(append)
        # The home may end the calm before the request is over, and nothing takes back what is
        # stored.
        if self._has_stored():
            self._append_held()

    def _append_held(self) -> None:
        """Append what this request holds, in its order."""
        for append in self._held.pop(getcurrent(), ()):
            append()
