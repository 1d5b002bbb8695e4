"""The addresses of the page of a terminal."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from pos_emulator.counter.desk import CounterDesk, NotAskedError
from pos_emulator.counter.feed import Feed
from pos_emulator.counter.till import CounterTill
from pos_emulator.counter.tray import FAULTS, TrayError, tray_cards
from pos_emulator.gps import PositionError
from pos_emulator.kernel.models import MODELS
from pos_emulator.receipts.errors import MissingExtraError
from pos_emulator.terminal.records import (
    BusyError,
    OrderError,
    OrderKind,
    OutOfOrderError,
)
from pos_emulator.terminal.terminal import Terminal
from pos_emulator.web.actions import Actions, BadActionError
from pos_emulator.web.diagram import TimedEvent, render_exchanges
from pos_emulator.web.documents import (
    entry_documents,
    notice_document,
    paper_document,
    view_document,
)
from pos_emulator.web.guard import CONNECTIONS_MAX, JSON, Guard
from pos_emulator.web.pages import SAFE, render, static_file
from pos_emulator.web.papers import FORMS, paper_as
from simulator.client import ControlError
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

FIELDS_MAX = 4
HTML = "text/html; charset=utf-8"
PAPER = re.compile(rf"/papers/([0-9]{{1,6}})\.({'|'.join(FORMS)})")
EXCHANGES = re.compile(r"/receipts/(([0-9]{4,6})-([0-9]{6}))/exchanges\.svg")
TRACE = re.compile(r"/payments/([0-9a-f]{32})/trace")
CURRENCIES = ("EUR", "USD", "GBP", "CHF", "SEK", "PLN", "JPY", "KWD")
# The messages of a payment, of the gateway's control API.
TraceOf = Callable[[str], Mapping[str, Any]]
REFUSED: Mapping[type[Exception], int] = {
    BadActionError: 400, TrayError: 400, OrderError: 400, NotAskedError: 409, BusyError: 409,
    OutOfOrderError: 409, PositionError: 400,
}  # fmt: skip


class TerminalPage:
    """Answers the browser of a person who stands at a terminal."""

    def __init__(
        self, terminal: Terminal, desk: CounterDesk, *, till: CounterTill, feed: Feed,
        trace_of: TraceOf,
    ):  # fmt: skip
        self.guard = Guard()
        self._terminal = terminal
        self._desk = desk
        self._till = till
        self._feed = feed
        self._trace_of = trace_of
        self._actions = Actions(terminal, desk, till)

    def respond(self, request: ReceivedRequest) -> ListenerResponse:
        """The response to one request that the guard has admitted."""
        path = urlsplit(request.path).path
        if request.method == "GET":
            return self._get(path, request)
        action = path.removeprefix("/do/")
        if request.method != "POST" or action == path or not self._actions.knows(action):
            return _problem(404, "the page has no such address")
        complaint = self.guard.complaint_about(request)
        return _problem(403, complaint) if complaint else self._do(action, request.body)

    def _get(self, path: str, request: ReceivedRequest) -> ListenerResponse:
        if path == "/":
            return self._page()
        if path == "/state":
            return self._state(request)
        if path.startswith("/static/"):
            found = static_file(path.removeprefix("/static/"))
            return _answer(200, *found) if found else _problem(404, "the page has no such file")
        if paper := PAPER.fullmatch(path):
            return self._paper(int(paper[1]), paper[2])
        if receipt := EXCHANGES.fullmatch(path):
            return self._exchanges(receipt)
        if payment := TRACE.fullmatch(path):
            return self._trace(payment[1])
        return _problem(404, "the page has no such address")

    def _page(self) -> ListenerResponse:
        shown = render(
            "terminal.html", token=self.guard.token, terminal=self._terminal.identity,
            cards=tray_cards(), faults=FAULTS.values(), operations=list(OrderKind),
            currencies=CURRENCIES, model=MODELS[self._terminal.identity.model], forms=FORMS,
        )  # fmt: skip
        return _answer(200, HTML, shown)

    def _state(self, request: ReceivedRequest) -> ListenerResponse:
        """Everything that is shown, once it is another than the version that the page has."""
        asked = _asked_in(request.path)
        version = self._feed.wait(_number(asked, "version"))
        waiting = [entry for entry in self._terminal.entries() if entry.is_open]
        return _json(200, {
            "version": version,
            **view_document(self._desk.view),
            "network_up": self._terminal.network_up,
            "position": str(self._terminal.gps.position or ""),
            "out_of_order": self._terminal.out_of_order,
            "is_busy": self._till.is_busy,
            "message": self._till.message,
            "waiting": 0 if self._till.is_busy else len(waiting),
            "entries": entry_documents(self._terminal.entries()),
            "happened": [notice_document(n) for n in self._feed.since(_number(asked, "notice"))],
            "papers": [paper_document(paper) for paper in self._desk.papers
                       if paper.number > _number(asked, "paper")],
        })  # fmt: skip

    def _do(self, action: str, body: bytes) -> ListenerResponse:
        try:
            said = self._actions.do(action, body)
        except tuple(REFUSED) as error:
            return _problem(REFUSED[type(error)], str(error))
        self._feed.touch()
        return _json(200, said or {})

    def _paper(self, number: int, form: str) -> ListenerResponse:
        paper = next((each for each in self._desk.papers if each.number == number), None)
        if paper is None:
            return _problem(404, "this receipt is no longer kept")
        try:
            return _answer(200, *paper_as(paper, form))
        except MissingExtraError as error:
            return _problem(501, str(error))

    def _exchanges(self, asked: re.Match[str]) -> ListenerResponse:
        """What card and terminal said at a receipt of a batch, as a diagram."""
        name, batch, receipt = asked.groups()
        events = [
            TimedEvent(each.notice.at, each.notice.event)
            for each in self._feed.since(0)
            if each.notice.entry == name and each.notice.event is not None
        ]
        if not events:
            return _problem(404, "nothing of a card is kept of this receipt")
        drawn = render_exchanges(events, f"Card and terminal at receipt {receipt} of batch {batch}")
        return _answer(200, "image/svg+xml", drawn.encode())

    def _trace(self, payment: str) -> ListenerResponse:
        """What gateway and hosts said about a payment of this terminal."""
        if payment not in {entry.payment for entry in self._terminal.entries()}:
            return _problem(404, "no payment of the open batch has this id")
        try:
            return _json(200, self._trace_of(payment))
        except (ControlError, OSError, HTTPException) as error:
            return _problem(502, f"the gateway did not answer: {error}")


@contextmanager
def serving_page(page: TerminalPage, listen: str) -> Iterator[str]:
    """The address `http://HOST:PORT/` of the page until the end of the block. Raises OSError."""
    with listening(
        page.respond, listen, admit=page.guard.admit, connections_max=CONNECTIONS_MAX
    ) as url:
        page.guard.listen_on(urlsplit(url).port or 0)
        yield url


def _asked_in(address: str) -> Mapping[str, list[str]]:
    try:
        return parse_qs(urlsplit(address).query, max_num_fields=FIELDS_MAX)
    except ValueError:
        return {}


def _number(asked: Mapping[str, list[str]], name: str) -> int:
    text = asked.get(name, ["0"])[0]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _problem(status: int, text: str) -> ListenerResponse:
    return _json(status, {"problem": text})


def _json(status: int, document: object) -> ListenerResponse:
    return _answer(status, JSON, msgspec.json.encode(document))


def _answer(status: int, media_type: str, body: bytes) -> ListenerResponse:
    return ListenerResponse(status, {"Content-Type": media_type, **SAFE}, body)
