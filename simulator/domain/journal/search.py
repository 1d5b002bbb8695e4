"""Search a journal, and render an entry with what belongs to it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from simulator.domain.journal.entries import Entry, ExchangeEntry, SimulatorEntry, WebhookEntry
from simulator.domain.masking.openings import cut_path

Numbered = tuple[int, Entry]


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """Criteria; one that is None matches every entry.

    Instants are sandbox time, `until` is exclusive. `path` and `code` match the beginning of those
    of an exchange; for who is shown paths that are `cut`, that of such a path: what is not shown
    could be tried sign by sign.
    """

    ndc: str | None = None
    payment: str | None = None
    path: str | None = None
    code: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    cut: bool = False

    def matches(self, entry: Entry) -> bool:
        """Whether the entry matches every criterion."""
        path = entry.path if isinstance(entry, ExchangeEntry) else ""
        code = entry.code if isinstance(entry, ExchangeEntry | SimulatorEntry) else ""
        return (
            self.ndc in (None, entry.ndc)
            and (self.payment is None or self.payment in entry.payments)
            and (self.path is None or self._shown(path).startswith(self.path))
            and code.startswith(self.code or "")
            and (self.since is None or entry.at >= self.since)
            and (self.until is None or entry.at < self.until)
        )

    def _shown(self, path: str) -> str:
        return cut_path(path) if self.cut else path

    @property
    def key(self) -> str | None:
        """The ndc or payment id by which the entries are indexed."""
        return self.ndc or self.payment


def render_entry(number: int, entry: Entry, related: Sequence[Numbered] = ()) -> dict[str, Any]:
    """An entry as a document; an exchange with the messages and webhooks that belong to it.

    `related` are the entries of the same ndc, oldest first.
    """
    document = _document(number, entry)
    return {**document, **render_related(related)} if isinstance(entry, ExchangeEntry) else document


def render_related(related: Sequence[Numbered]) -> dict[str, Any]:
    """What belongs to an ndc beside its exchange: messages, decision, near misses, webhooks."""
    sources = [entry for _, entry in related if isinstance(entry, ExchangeEntry | SimulatorEntry)]
    webhooks = [pair for pair in related if isinstance(pair[1], WebhookEntry)]
    return {
        "messages": [message for each in sources for message in each.messages],
        "decided_by": next((each.decided_by for each in reversed(sources) if each.decided_by), ""),
        "near_misses": [miss for each in sources for miss in each.near_misses],
        "webhooks": [_document(*pair) for pair in webhooks],
    }


def _document(number: int, entry: Entry) -> dict[str, Any]:
    return {"number": number, **msgspec.json.decode(msgspec.json.encode(entry))}
