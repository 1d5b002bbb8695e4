"""/_sandbox/v1/sandboxes/{id}/journal and .../payments/{payment}/trace: the exchanges.

The journal of the server (/_sandbox/v1/journal) has the requests that were refused before their
sandbox was known.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, TypeVar

from falcon import Request, Response

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import read_instant, read_span
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.records import Payment
from simulator.domain.documents import refuse_unknown
from simulator.domain.journal.diagram import trace_svg
from simulator.domain.journal.search import Search
from simulator.domain.journal.trace import Trace, trace_text
from simulator.domain.ports.journal import Journal
from simulator.service.journal import read_entry, search_journal, trace_payment
from simulator.web.control.access import ONE_SANDBOX, PREFIX, ControlAccess
from simulator.web.control.documents.events import TracedMessage, TraceDocument, TracedPayment
from simulator.web.http.answers import send, to_raw
from simulator.web.http.context import long_turn
from simulator.web.http.route import Route

LIMIT, LIMIT_MAX = 50, 500
FOLLOW_S_MAX = 60.0
NUMBER_DIGITS_MAX = 15

Read = TypeVar("Read")


class SandboxJournalResource:
    """The journal of a sandbox. Traces are drawn aside: one of a thousand messages takes long."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Search it, newest first; with `follow`, wait for a new entry."""
        ports = self._access.ports(req, identity)
        _search(req, resp, ports.journal, ports.in_flight.place_to_wait)

    def on_get_one(self, req: Request, resp: Response, identity: str, ndc: str) -> None:
        """Read one exchange and all that belongs to it; of several that share an ndc, the one of
        the `number` that is asked for.
        """
        journal = self._access.ports(req, identity).journal
        send(resp, 200, read_entry(journal, ndc, **_read(req.params, {"number": _number})))

    def on_get_trace(self, req: Request, resp: Response, identity: str, payment: str) -> None:
        """The trace of a payment as text."""
        resp.content_type = "text/plain; charset=utf-8"
        resp.text = self._traced(req, identity, payment, trace_text)

    def on_get_json(self, req: Request, resp: Response, identity: str, payment: str) -> None:
        """The trace of a payment as a document."""
        send(resp, 200, self._traced(req, identity, payment, trace_document))

    def on_get_svg(self, req: Request, resp: Response, identity: str, payment: str) -> None:
        """The trace of a payment as a sequence diagram."""
        resp.content_type = "image/svg+xml; charset=utf-8"
        resp.text = self._traced(req, identity, payment, trace_svg)

    def _traced(
        self, req: Request, identity: str, payment: str, shown: Callable[[Trace], Read]
    ) -> Read:
        ports, server = self._access.ports(req, identity), self._access.server
        with long_turn(req, server, identity):
            return trace_payment(ports, payment, shown, server.aside.of(identity))


class ServerJournalResource:
    """The requests that were refused before their sandbox was known."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response) -> None:
        """Search it, newest first."""
        self._access.demand_control_key(req)
        _search(req, resp, self._access.server.journal, nullcontext)

    def on_get_one(self, req: Request, resp: Response, ndc: str) -> None:
        """Read one exchange."""
        self._access.demand_control_key(req)
        send(resp, 200, read_entry(self._access.server.journal, ndc))


def trace_document(trace: Trace) -> TraceDocument:
    """A trace as a document; its shape is the contract of `sandgate trace --format json`."""
    return TraceDocument(
        id=trace.identity,
        payments=tuple(map(_traced_payment, trace.payments)),
        messages=tuple(
            TracedMessage(
                at=arrow.at,
                sender=arrow.sender,
                receiver=arrow.receiver,
                label=arrow.label,
                notes=arrow.notes,
                bad=arrow.bad,
                meaning=arrow.meaning,
            )
            for arrow in trace.arrows
        ),
    )


def _traced_payment(payment: Payment) -> TracedPayment:
    money = payment.money
    return TracedPayment(
        id=payment.id,
        type=payment.type,
        state=payment.state,
        amount=None if money is None else str(money.amount),
        currency=None if money is None else money.currency,
        referenced=payment.referenced,
        checkout=payment.checkout,
    )


def _search(
    req: Request,
    resp: Response,
    journal: Journal,
    place_to_wait: Callable[[], AbstractContextManager[None]],
) -> None:
    asked = read_query(req.params)
    follow, limit = asked.pop("follow", None), asked.pop("limit", LIMIT)
    before, after = asked.pop("before", None), asked.pop("after", None)
    if after is not None and after > journal.newest:
        after = 0  # The journal was emptied meanwhile, and its numbers start again.
    if follow is not None:
        with place_to_wait():
            journal.wait_for_entry(journal.newest if after is None else after, follow)
    search = Search(**asked)
    page = search_journal(
        journal, search, limit=limit, before=before, after=after or 0, encode=to_raw
    )
    send(resp, 200, page._asdict())


def read_query(sent: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a search, read. Raises InvalidInputError."""
    return _read(sent, QUERY)


def _read(
    sent: Mapping[str, Any], known: Mapping[str, Callable[[str, str], Any]]
) -> dict[str, Any]:
    refuse_unknown(sent, known)
    for name, value in sent.items():
        if not isinstance(value, str):
            raise InvalidInputError(name, "one value", f"{len(value)} of them")
    return {name: known[name](name, value) for name, value in sent.items()}


def _text(where: str, value: str) -> str:
    return value


def _instant(where: str, value: str) -> datetime:
    # A plus sign that was not encoded has become a blank.
    return _named(where, lambda: read_instant(value.replace(" ", "+") if "T" in value else value))


def _seconds(where: str, value: str) -> float:
    seconds = _named(where, lambda: read_span(value)).total_seconds()
    if seconds > FOLLOW_S_MAX:
        raise InvalidInputError(where, f"at most {FOLLOW_S_MAX:.0f}s", f"{seconds:.0f}s")
    return seconds


def _number(where: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= NUMBER_DIGITS_MAX):
        raise InvalidInputError(where, "a whole number", beginning_of(value, 40))
    return int(value)


def _limit(where: str, value: str) -> int:
    number = _number(where, value)
    if not 1 <= number <= LIMIT_MAX:
        raise InvalidInputError(where, f"a number from 1 to {LIMIT_MAX}", str(number))
    return number


def _named(where: str, read: Callable[[], Read]) -> Read:
    """What `read` returns; its error names the parameter that was sent."""
    try:
        return read()
    except InvalidInputError as error:
        raise InvalidInputError(where, error.expected, error.got) from None


# fmt: off
QUERY: Mapping[str, Callable[[str, str], Any]] = {
    # parameter  how it is read
    "ndc":       _text,
    "payment":   _text,
    "path":      _text,
    "code":      _text,
    "since":     _instant,
    "until":     _instant,
    "limit":     _limit,
    "before":    _number,
    "after":     _number,
    "follow":    _seconds,
}
# fmt: on


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    one, server = SandboxJournalResource(access), ServerJournalResource(access)
    payment = f"{ONE_SANDBOX}/payments/{{payment}}"
    return (
        Route(f"{ONE_SANDBOX}/journal", one),
        Route(f"{ONE_SANDBOX}/journal/{{ndc}}", one, "one"),
        Route(f"{payment}/trace", one, "trace"),
        Route(f"{payment}/trace.svg", one, "svg"),
        Route(f"{payment}/trace.json", one, "json"),
        Route(f"{PREFIX}/journal", server),
        Route(f"{PREFIX}/journal/{{ndc}}", server, "one"),
    )
