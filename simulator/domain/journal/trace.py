"""The trace of a payment: every message about it and what refers to it, in order.

It is made from the journal, so it is masked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import NamedTuple

import msgspec

from simulator.catalogue.results import RESULTS
from simulator.domain.core.records import Payment
from simulator.domain.journal.entries import (
    BrowserEntry,
    Entry,
    ExchangeEntry,
    Message,
    Party,
    SimulatorEntry,
    WebhookEntry,
)
from simulator.grammar.characters import escape_controls

Numbered = tuple[int, Entry]
RECORD_ID = re.compile(r"([0-9a-f]{6})[0-9a-f]{26}|([0-9A-F]{6})[0-9A-F]{26}\.[0-9a-z]{15}")
RESULT_CODE = re.compile(r"\d{3}\.\d{3}\.\d{3}$")
PAYMENTS = "/v1/payments"
REGISTERS = "/registration"
# What a hosted form posted, by whether it registers.
POSTED = {False: "pays by form", True: "registers by form"}
QUARTER = 0.25
SENT_BACK = "sent back to shopperResultUrl"
FORM_ENDS = "the form goes on to shopperResultUrl"
FIRST_READ = "first read of the result since the shopper was sent back"
READS_RESULT = re.compile(r"GET (/v1)?/(payments/\S+|checkouts/\S+/(payment|registration))$")
# The types of card messages. Source: ISO 8583:1987.
MESSAGE_TYPES = {
    "0100": "authorization request", "0110": "authorization response",
    "0120": "authorization advice", "0130": "authorization advice response",
    "0200": "financial request", "0210": "financial response",
    "0220": "financial advice", "0230": "financial advice response",
    "0400": "reversal request", "0401": "reversal request, repeated", "0410": "reversal response",
    "0420": "reversal advice", "0421": "reversal advice, repeated",
    "0430": "reversal advice response",
    "0800": "network management request", "0810": "network management response",
}  # fmt: skip
HTTP_PHRASES = {str(int(status)): status.phrase for status in HTTPStatus}


class Arrow(NamedTuple):
    """One message: sender, receiver, sandbox time, a short label, and notes below it.

    `bad` marks what was refused, declined or not delivered; `body` is what the message said,
    masked.
    """

    at: datetime
    sender: Party
    receiver: Party
    label: str
    notes: tuple[str, ...] = ()
    bad: bool = False
    body: Mapping[str, object] = {}

    @property
    def shown(self) -> tuple[object, ...]:
        """All that a reader of the trace sees of it but the time."""
        return self[1:6]

    @property
    def meaning(self) -> str:
        """What the code at the end of the label means: of a result, a card message, or HTTP."""
        if code := RESULT_CODE.search(self.label):
            known = RESULTS.get(code[0])
            return known.text if known else ""
        if self.label in MESSAGE_TYPES:
            return MESSAGE_TYPES[self.label]
        return HTTP_PHRASES.get(self.label, "")


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
    began = _first_numbers(numbered)
    placed: list[tuple[datetime, float, Arrow]] = []
    for number, entry in numbered:
        placed += _placed(number, entry, began.get(number, number))
    placed.sort(key=lambda each: each[:2])
    arrows = _mark_returns([_escaped(arrow) for _, _, arrow in placed])
    return Trace(identity, tuple(payments), tuple(_merge_repeated_reads(arrows)))


def _mark_returns(arrows: Sequence[Arrow]) -> Iterator[Arrow]:
    """The arrows, with a note at the first read of a result after the shopper was sent back: the
    page of the shop is not the gateway's, so that this is what it sees of it.
    """
    is_awaited = False
    for arrow in arrows:
        is_read = arrow.sender is Party.MERCHANT and READS_RESULT.match(arrow.label)
        if is_awaited and is_read:
            yield arrow._replace(notes=(*arrow.notes, FIRST_READ))
        else:
            yield arrow
        is_awaited = (is_awaited and not is_read) or _sends_back(arrow)


def _sends_back(arrow: Arrow) -> bool:
    return arrow.label.startswith(SENT_BACK) or FORM_ENDS in arrow.notes


def _escaped(arrow: Arrow) -> Arrow:
    """The arrow with no control character: clients and endpoints wrote parts of its texts."""
    notes = tuple(map(escape_controls, arrow.notes))
    return arrow._replace(label=escape_controls(arrow.label), notes=notes)


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
        said = "  ".join(filter(None, (arrow.label, arrow.meaning)))
        lines.append(
            f"{time if time != shown else '':<{len(time)}}  {_way(arrow):<{width}}  {said}"
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


def _first_numbers(numbered: Sequence[Numbered]) -> dict[int, int]:
    """By the number of each exchange the first of those it caused, which are appended before it.

    Exchanges about one checkout may have the same ndc; wire time distinguishes them.
    """
    caused: dict[str, list[Numbered]] = {}
    first: dict[int, int] = {}
    for number, entry in numbered:
        if isinstance(entry, SimulatorEntry):
            caused.setdefault(entry.ndc, []).append((number, entry))
        elif isinstance(entry, ExchangeEntry):
            first[number] = next(
                (n for n, each in caused.pop(entry.ndc, ()) if _is_within(each, entry)), number
            )
    return first


def _is_within(caused: Entry, exchange: ExchangeEntry) -> bool:
    """Whether an entry was appended in the course of an exchange."""
    began = exchange.real
    return began is None or caused.real is None or caused.real >= began


def _placed(number: int, entry: Entry, began: int) -> list[tuple[datetime, float, Arrow]]:
    if isinstance(entry, ExchangeEntry):
        request, answer = _exchange_arrows(entry)
        messages = [(arrow.at, number - QUARTER, arrow) for arrow in _simulator_arrows(entry)]
        return [(entry.at, began - 2 * QUARTER, request), *messages, (entry.until, number, answer)]
    if isinstance(entry, WebhookEntry):
        arrows = _webhook_arrows(entry)
    elif isinstance(entry, BrowserEntry):
        arrows = [_message_arrow(message) for message in entry.messages]
    else:
        arrows = _simulator_arrows(entry)
    return [(arrow.at, number, arrow) for arrow in arrows]


def _exchange_arrows(entry: ExchangeEntry) -> tuple[Arrow, Arrow]:
    notes = [*entry.rules, *filter(None, (entry.error, shortened(entry.transport)))]
    if entry.sender is Party.SHOPPER and _ends_form(entry):
        notes.append(FORM_ENDS)
    request = Arrow(
        entry.at, entry.sender, Party.GATEWAY, _request_label(entry), body=entry.request
    )
    answer = Arrow(
        entry.until,
        Party.GATEWAY,
        entry.sender,
        f"{entry.status} {entry.code}".rstrip(),
        notes=tuple(notes),
        bad=entry.status >= 400 or bool(entry.transport),
        body=_answer_of(entry),
    )
    return request, answer


def _answer_of(entry: ExchangeEntry) -> Mapping[str, object]:
    answer = msgspec.json.decode(entry.answer)
    return answer if isinstance(answer, dict) else {}


def _ends_form(entry: ExchangeEntry) -> bool:
    """Whether a hosted form goes on with this answer: it is final, good or bad."""
    answer = _answer_of(entry)
    is_one = "id" in answer and "redirect" not in answer
    return is_one and not entry.rules and entry.status < HTTPStatus.INTERNAL_SERVER_ERROR


def _request_label(entry: ExchangeEntry) -> str:
    sent = entry.request
    if entry.sender is Party.SHOPPER:
        return " ".join(filter(None, (POSTED[entry.path.endswith(REGISTERS)], _account_of(sent))))
    if "paymentType" in sent:
        # What prepares a payment moves no money, and does not look like one that does.
        prepares = "" if entry.path.startswith(PAYMENTS) else shortened(entry.path)
        words = (prepares, sent["paymentType"], sent.get("amount", ""), sent.get("currency", ""))
        return " ".join(filter(None, words))
    return shortened(f"{entry.method} {entry.path}")


def _account_of(sent: Mapping[str, str]) -> str:
    """What a form paid with: a brand, or a stored account."""
    return sent.get("paymentBrand") or ("a stored account" if "registrationId" in sent else "")


def shortened(text: str) -> str:
    """A text with its ids cut to their first digits."""
    return RECORD_ID.sub(lambda found: f"{found[1] or found[2]}...", text)


def _simulator_arrows(entry: ExchangeEntry | SimulatorEntry) -> list[Arrow]:
    decided = (f"decided by {shortened(entry.decided_by)}",) if entry.decided_by else ()
    near = tuple(f"near miss: {shortened(each)}" for each in entry.near_misses)
    last = len(entry.messages) - 1
    return [
        _message_arrow(message)._replace(
            notes=(near if position == 0 else ()) + (decided if position == last else ()),
        )
        for position, message in enumerate(entry.messages)
    ]


def _message_arrow(message: Message) -> Arrow:
    return Arrow(message.at, message.sender, message.receiver, message.label, body=message.body)


def _webhook_arrows(entry: WebhookEntry) -> list[Arrow]:
    attempt = f", attempt {entry.number}" if entry.number > 1 else ""
    sent = Arrow(entry.at, Party.GATEWAY, Party.WEBHOOK, entry.event + attempt, (entry.url,))
    if entry.status is None:
        return [sent._replace(notes=(*sent.notes, f"no answer: {entry.error}"), bad=True)]
    bad = not 200 <= entry.status < 300
    notes = (entry.error,) if entry.error else ()
    reply = Arrow(entry.at, Party.WEBHOOK, Party.GATEWAY, str(entry.status), notes, bad=bad)
    return [sent, reply]


def _merge_repeated_reads(arrows: Iterable[Arrow]) -> list[Arrow]:
    """The arrows with repeated reads of the same answer as one: polling would fill the page."""
    arrows, shown = list(arrows), list[Arrow]()
    times: dict[int, int] = {}
    position = 0
    while position < len(arrows):
        pair = [arrow.shown for arrow in arrows[position : position + 2]]
        before = [arrow.shown for arrow in shown[-2:]]
        is_read = arrows[position].label.startswith("GET ")
        if len(pair) == 2 and pair == before and is_read:
            times[len(shown) - 2] = times.get(len(shown) - 2, 1) + 1
            position += 2
            continue
        shown.append(arrows[position])
        position += 1
    return [_counted(arrow, times.get(place, 1)) for place, arrow in enumerate(shown)]


def _counted(arrow: Arrow, times: int) -> Arrow:
    return arrow if times == 1 else arrow._replace(label=f"{arrow.label} ({times} times)")
