"""The port of the journal."""

from collections.abc import Collection, Iterator
from typing import Protocol

from simulator.domain.journal.entries import BrowserEntry, Entry, WebhookAttempt
from simulator.domain.journal.exchanges import AcquirerExchange, MaskedExchange


class Journal(Protocol):
    """The journal of one sandbox, bounded by count and age; a restart empties it. Choice: D-93."""

    @property
    def newest(self) -> int:
        """The number of the newest entry; they count from 1. What is held is one from now on."""

    def append_entry(self, entry: Entry, secrets: Collection[str] = ()) -> None:
        """Append an entry, masked; none of `secrets` may be in it."""

    def append_encoded(self, entry: Entry, body: bytes) -> None:
        """Append an entry that was masked and encoded already, and is dated."""

    def append_step(self, entry: BrowserEntry) -> None:
        """Append a step of a browser, unless there are too many of the same payment."""

    def append_exchange(self, exchange: MaskedExchange) -> None:
        """Append an exchange with nothing left to mask."""

    def hold_acquirer_exchange(self, exchange: AcquirerExchange) -> None:
        """Hold it until the merchant's exchange is complete: one entry costs less than two."""

    def take_acquirer_exchange(self, payment: str) -> AcquirerExchange | None:
        """Remove and return what is held for the exchange that made this payment."""

    def append_attempt(self, attempt: WebhookAttempt) -> None:
        """Append an attempt to deliver a webhook event."""

    def forget_content(self, key: str) -> None:
        """Keep of the entries with this ndc, about this payment, or with a list that shows it, only
        that there were any.
        """

    def iterate_newest_first(self, *, before: int | None = None) -> Iterator[tuple[int, Entry]]:
        """The numbered entries, from the newest (or the one before `before`) back."""

    def find_entries(self, key: str) -> list[tuple[int, Entry]]:
        """The entries with this ndc or about this payment, oldest first."""

    def wait_for_entry(self, after: int, seconds: float) -> None:
        """Return when there is a number above `after`, or after `seconds` of wire time."""


class HasJournal(Protocol):
    @property
    def journal(self) -> Journal: ...
