"""The trace of a payment: every message about it and what refers to it, in order.

It is made from the journal, so it is masked.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import (
    Entry,
    ExchangeEntry,
    Party,
    SimulatorEntry,
    WebhookEntry,
)

Numbered = tuple[int, Entry]
RECORD_ID = re.compile(r"([0-9a-f]{6})[0-9a-f]{26}")
QUARTER = 0.25


class Arrow(NamedTuple):
    """One message: sender, receiver, sandbox time, a short label, and notes below it.

    `bad` marks what was refused, declined or not delivered.
    """

    at: datetime
    sender: Party
    receiver: Party
    label: str
    notes: tuple[str, ...] = ()
    bad: bool = False


class Trace(NamedTuple):
    """The arrows about a payment tree. `payments` come first to last, the initial one first; it is
    empty where no payment came about.
    """

    identity: str
    payments: tuple[Payment, ...]
    arrows: tuple[Arrow, ...]

    @property
    def parties(self) -> list[Party]:
        """The parties, in the order of the columns."""
        seen = {party for arrow in self.arrows for party in (arrow.sender, arrow.receiver)}
        return [party for party in Party if party in seen | {Party.MERCHANT, Party.GATEWAY}]


def trace_of(identity: str, payments: Sequence[Payment], entries: Iterable[Numbered]) -> Trace:
    """The trace of the payment `identity`, whose tree has these payments and these entries."""
    numbered = sorted(entries, key=lambda pair: pair[0])
    first_of = _first_numbers(numbered)
    placed: list[tuple[datetime, float, Arrow]] = []
    for number, entry in numbered:
        placed += _placed(number, entry, first_of.get(entry.ndc, number))
    placed.sort(key=lambda each: each[:2])
    arrows = _merge_repeated_reads([arrow for _, _, arrow in placed])
    return Trace(identity, tuple(payments), tuple(arrows))


def trace_titles(trace: Trace) -> list[str]:
    """The payments of a trace, one line each; the initial one first."""
    return [
        f"{' '.join(filter(None, (each.type, str(each.money or ''))))}, {each.state}, {each.id}"
        for each in trace.payments
    ] or [f"{trace.identity}: no payment came about"]


def trace_text(trace: Trace) -> str:
    """A trace for a terminal: a line a message, its time where it differs from the one before."""
    width = max((len(_way(arrow)) for arrow in trace.arrows), default=0)
    lines, shown = [*trace_titles(trace), ""], ""
    for arrow in trace.arrows:
        time = time_shown(arrow.at)
        lines.append(
            f"{time if time != shown else '':<{len(time)}}  {_way(arrow):<{width}}  {arrow.label}"
        )
        lines += [f"{'':<{len(time) + width + 4}}  {note}" for note in arrow.notes]
        shown = time
    return "\n".join([*lines, *([] if trace.arrows else [EMPTY]), ""])


EMPTY = "The journal holds nothing about it: it is bounded, and a restart empties it."


def time_shown(at: datetime) -> str:
    """An instant of sandbox time to the millisecond."""
    return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03d}"


def _way(arrow: Arrow) -> str:
    return f"{arrow.sender} -> {arrow.receiver}"


def _first_numbers(numbered: Sequence[Numbered]) -> dict[str, int]:
    """The first number of each exchange: its own entry is appended after those it caused."""
    ends = {entry.ndc: n for n, entry in numbered if isinstance(entry, ExchangeEntry)}
    first: dict[str, int] = {}
    for number, entry in numbered:
        if number <= ends.get(entry.ndc, 0):
            first.setdefault(entry.ndc, number)
    return first


def _placed(number: int, entry: Entry, began: int) -> list[tuple[datetime, float, Arrow]]:
    if isinstance(entry, ExchangeEntry):
        request, answer = _exchange_arrows(entry)
        messages = [(arrow.at, number - QUARTER, arrow) for arrow in _simulator_arrows(entry)]
        return [(entry.at, began - 2 * QUARTER, request), *messages, (entry.until, number, answer)]
    arrows = (
        _simulator_arrows(entry) if isinstance(entry, SimulatorEntry) else _webhook_arrows(entry)
    )
    return [(arrow.at, number, arrow) for arrow in arrows]


def _exchange_arrows(entry: ExchangeEntry) -> tuple[Arrow, Arrow]:
    notes = [*entry.rules, *([entry.error] if entry.error else [])]
    request = Arrow(entry.at, Party.MERCHANT, Party.GATEWAY, _request_label(entry))
    answer = Arrow(
        entry.until,
        Party.GATEWAY,
        Party.MERCHANT,
        f"{entry.status} {entry.code}".rstrip(),
        notes=tuple(notes),
        bad=entry.status >= 400,
    )
    return request, answer


def _request_label(entry: ExchangeEntry) -> str:
    sent = entry.request
    if "paymentType" in sent:
        words = (sent["paymentType"], sent.get("amount", ""), sent.get("currency", ""))
        return " ".join(filter(None, words))
    return shortened(f"{entry.method} {entry.path}")


def shortened(text: str) -> str:
    """A text with its ids cut to their first digits."""
    return RECORD_ID.sub(r"\1...", text)


def _simulator_arrows(entry: ExchangeEntry | SimulatorEntry) -> list[Arrow]:
    decided = (f"decided by {shortened(entry.decided_by)}",) if entry.decided_by else ()
    near = tuple(f"near miss: {shortened(each)}" for each in entry.near_misses)
    last = len(entry.messages) - 1
    return [
        Arrow(
            message.at,
            message.sender,
            message.receiver,
            message.label,
            notes=(near if position == 0 else ()) + (decided if position == last else ()),
        )
        for position, message in enumerate(entry.messages)
    ]


def _webhook_arrows(entry: WebhookEntry) -> list[Arrow]:
    attempt = f", attempt {entry.number}" if entry.number > 1 else ""
    sent = Arrow(entry.at, Party.GATEWAY, Party.WEBHOOK, entry.event + attempt, (entry.url,))
    if entry.status is None:
        return [sent._replace(notes=(*sent.notes, f"no answer: {entry.error}"), bad=True)]
    bad = not 200 <= entry.status < 300
    notes = (entry.error,) if entry.error else ()
    reply = Arrow(entry.at, Party.WEBHOOK, Party.GATEWAY, str(entry.status), notes, bad=bad)
    return [sent, reply]


def _merge_repeated_reads(arrows: Sequence[Arrow]) -> list[Arrow]:
    """The arrows with repeated reads of the same answer as one: polling would fill the page."""
    shown: list[Arrow] = []
    times: dict[int, int] = {}
    position = 0
    while position < len(arrows):
        pair = [arrow[1:] for arrow in arrows[position : position + 2]]
        before = [arrow[1:] for arrow in shown[-2:]]
        if len(pair) == 2 and pair == before and pair[0][2].startswith("GET "):
            times[len(shown) - 2] = times.get(len(shown) - 2, 1) + 1
            position += 2
            continue
        shown.append(arrows[position])
        position += 1
    return [_counted(arrow, times.get(place, 1)) for place, arrow in enumerate(shown)]


def _counted(arrow: Arrow, times: int) -> Arrow:
    return arrow if times == 1 else arrow._replace(label=f"{arrow.label} ({times} times)")
