"""Searching a journal: which entries are wanted, and how one is shown with what belongs to it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from simulator.domain.journal.entries import Entry, ExchangeEntry, FarSideEntry, WebhookEntry

Numbered = tuple[int, Entry]


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What is wanted; what is not said does not matter.

    Instants are world time, `until` is not within. `path` and `code` are the beginnings of those of
    an exchange.
    """

    ndc: str | None = None
    payment: str | None = None
    path: str | None = None
    code: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def fits(self, entry: Entry) -> bool:
        """Whether the entry is wanted."""
        path = entry.path if isinstance(entry, ExchangeEntry) else ""
        code = "" if isinstance(entry, WebhookEntry) else entry.code
        return (
            self.ndc in (None, entry.ndc)
            and (self.payment is None or self.payment in entry.payments)
            and path.startswith(self.path or "")
            and code.startswith(self.code or "")
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at < self.until)
        )

    @property
    def key(self) -> str | None:
        """The ndc or payment id by which the entries can be looked up instead of gone through."""
        return self.ndc or self.payment


def shown_entry(number: int, entry: Entry, related: Sequence[Numbered] = ()) -> dict[str, Any]:
    """An entry as a document; an exchange with what was said to others in its course and after.

    `related` are the entries of the same ndc, oldest first.
    """
    document = _document(number, entry)
    return {**document, **gathered(related)} if isinstance(entry, ExchangeEntry) else document


def gathered(related: Sequence[Numbered]) -> dict[str, Any]:
    """What belongs to an ndc beside its exchange: messages, who decided, near misses, webhooks."""
    talks = [entry for _, entry in related if isinstance(entry, ExchangeEntry | FarSideEntry)]
    told = [pair for pair in related if isinstance(pair[1], WebhookEntry)]
    return {
        "messages": [message for talk in talks for message in talk.messages],
        "decided_by": next((talk.decided_by for talk in reversed(talks) if talk.decided_by), ""),
        "near_misses": [miss for talk in talks for miss in talk.near_misses],
        "webhooks": [_document(*pair) for pair in told],
    }


def _document(number: int, entry: Entry) -> dict[str, Any]:
    return {"number": number, **msgspec.json.decode(msgspec.json.encode(entry))}
