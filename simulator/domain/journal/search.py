"""Search a journal, and render an entry with what belongs to it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.domain.journal.entries import Entry, ExchangeEntry, SimulatorEntry, WebhookEntry
from simulator.domain.masking.openings import cut_openings

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
        return cut_openings(path) if self.cut else path

    @property
    def key(self) -> str | None:
        """The ndc or payment id by which the entries are indexed."""
        return self.ndc or self.payment


def render_entry(number: int, entry: Entry, related: Sequence[Numbered] = ()) -> dict[str, Any]:
    """An entry as a document; an exchange with the messages and webhooks that belong to it.

    `related` are the entries of the same ndc, oldest first.
    """
    document = _document(number, entry)
    if not isinstance(entry, ExchangeEntry):
        return document
    return {**document, **render_related(_belonging(number, related))}


def render_brief(number: int, entry: ExchangeEntry) -> dict[str, Any]:
    """An exchange in a list of those that share an ndc: what was asked, and how it was answered."""
    return {
        "number": number,
        "at": entry.at,
        "method": entry.method,
        "path": entry.path,
        "status": entry.status,
        "code": entry.code,
        "rules": entry.rules,
        "error": entry.error,
    }


def exchanges_of(ndc: str, entries: Sequence[Numbered]) -> list[tuple[int, ExchangeEntry]]:
    """The exchanges with this ndc: all about a checkout may share one. Choice: D-133."""
    return [
        (number, entry)
        for number, entry in entries
        if isinstance(entry, ExchangeEntry) and entry.ndc == ndc
    ]


def _belonging(number: int, related: Sequence[Numbered]) -> Sequence[Numbered]:
    """What of the related entries belongs to the exchange `number`: itself, and what is about a
    payment that it is the first to name. What is about none follows the exchange before it.
    """
    exchanges = [pair for pair in related if isinstance(pair[1], ExchangeEntry)]
    if len(exchanges) <= 1:
        return related
    first = {each: at for at, entry in reversed(exchanges) for each in entry.payments}

    def exchange_of(pair: Numbered) -> int:
        if isinstance(pair[1], ExchangeEntry):
            return pair[0]
        named = (first[each] for each in pair[1].payments if each in first)
        before = (at for at, _ in reversed(exchanges) if at < pair[0])
        return next(named, next(before, exchanges[0][0]))

    return [pair for pair in related if exchange_of(pair) == number]


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
    if isinstance(entry, ExchangeEntry) and entry.listed:
        entry = replace(entry, listed=())
    return {"number": number, **msgspec.json.decode(msgspec.json.encode(entry))}
