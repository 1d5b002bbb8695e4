"""The journal of a calm sandbox beside its home, without what turns out to be left to the home."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from gevent import getcurrent

from simulator.adapters.journal import MemoryJournal
from simulator.domain.journal.entries import Entry
from simulator.domain.journal.exchanges import AcquirerExchange, MaskedExchange


class HeldJournal:
    """Implements Journal over that of this member: what a request appends is held until it is known
    who answers it, unless it `has_stored` something. A request is a greenlet.
    """

    def __init__(self, journal: MemoryJournal, has_stored: Callable[[], bool]):
        self._journal = journal
        self._has_stored = has_stored
        self._held: dict[Hashable, list[Callable[[], None]]] = {}
        self._at_acquirer: dict[Hashable, list[str]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def append_exchange(self, exchange: MaskedExchange) -> None:
        """Append an exchange with nothing left to mask."""
        self._append(partial(self._journal.append_exchange, exchange))

    def append_encoded(self, entry: Entry, body: bytes) -> None:
        """Append an entry that was masked and encoded already, and is dated."""
        self._append(partial(self._journal.append_encoded, entry, body))

    def hold_acquirer_exchange(self, exchange: AcquirerExchange) -> None:
        """Hold it until the merchant's exchange is complete."""
        self._at_acquirer.setdefault(getcurrent(), []).append(exchange.ndc)
        self._journal.hold_acquirer_exchange(exchange)

    def end(self, *, is_left: bool) -> None:
        """The request is over; where it is left to the home, nothing of it was here."""
        held = self._held.pop(getcurrent(), ())
        at_acquirer = self._at_acquirer.pop(getcurrent(), ())
        for append in () if is_left else held:
            append()
        for ndc in at_acquirer if is_left else ():
            self._journal.take_acquirer_exchange(ndc)

    def _append(self, append: Callable[[], None]) -> None:
        # The home may end the calm before the request is over, and nothing takes back what is
        # stored.
        if self._has_stored():
            append()
        else:
            self._held.setdefault(getcurrent(), []).append(append)
