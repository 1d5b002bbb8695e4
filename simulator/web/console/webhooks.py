"""Webhooks of a sandbox: endpoints, events and their deliveries, and the inbox."""

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from simulator.domain.masking.masking import mask_text
from simulator.domain.webhooks.events import host_of_event
from simulator.domain.webhooks.records import InboxMessage
from simulator.service.webhooks.deliveries import (
    find_deliveries,
    find_events,
    read_event,
    replay_event,
    with_deliveries,
)
from simulator.service.webhooks.endpoints import activate_endpoint, list_endpoints
from simulator.web.console.hosts import refuse_to_resend
from simulator.web.console.rendering import Moved, ShownPage, shown_json, shown_whole
from simulator.web.console.sign_in import HOME
from simulator.web.console.visits import ConsoleVisit

EVENTS_SHOWN = 50
EVENT_ID, TITLE_SHOWN = "X-Event-Id", 100


class ReadMessage(NamedTuple):
    """A message of the inbox as it is shown: anyone may have written it who knows the address."""

    at: datetime
    error: str
    title: str
    event: str
    text: str


def show_webhooks(visit: ConsoleVisit) -> ShownPage:
    """The endpoints, and the newest events with how far each came."""
    return ShownPage("webhooks.html", _values(visit))


def _values(visit: ConsoleVisit) -> dict[str, object]:
    ports, payment = visit.ports(), mask_text(visit.asked("payment")[:32]) or None
    events = list(islice(find_events(ports, failed=False, payment=payment), EVENTS_SHOWN))
    return {
        "sandbox": visit.sandbox(),
        "endpoints": list_endpoints(ports),
        "events": [*with_deliveries(ports, events)],
        "payment": payment,
        "called": None,
    }


def show_event(visit: ConsoleVisit) -> ShownPage:
    """One event: what was sent, in clear, and every delivery of it."""
    ports = visit.ports()
    event = read_event(ports, visit.ids["event"])
    values = {"event": event, "deliveries": find_deliveries(ports, event.id)}
    values["may_resend"] = visit.signed.sign_in.may_change(host_of_event(ports, event))
    values["payload"] = visit.aside(shown_json, event.payload)
    return ShownPage("event.html", {"sandbox": visit.sandbox(), **values})


def resend(visit: ConsoleVisit) -> Moved:
    """Deliver an event again, under its id."""
    refuse_to_resend(visit, visit.ids["event"])
    replay_event(visit.ports(), visit.ids["event"])
    return _back(visit, f"webhooks/events/{visit.ids['event']}")


def activate(visit: ConsoleVisit) -> ShownPage:
    """Call an endpoint with a test event, and say how that ended."""
    endpoint, result = activate_endpoint(visit.ports(), visit.ids["endpoint"])
    values = {**_values(visit), "called": endpoint, "result": result}
    return ShownPage("webhooks.html", values)


def show_inbox(visit: ConsoleVisit) -> ShownPage:
    """What the inbox of the sandbox received, the newest first, decrypted."""
    newest: deque[InboxMessage] = deque(maxlen=EVENTS_SHOWN)
    count = 0
    for count, message in enumerate(visit.ports().inbox.wait(0, 0), 1):  # noqa: B007
        newest.append(message)
    messages = visit.aside(_read, [*reversed(newest)])
    values = {"messages": messages, "count": count}
    return ShownPage("inbox.html", {"sandbox": visit.sandbox(), **values})


def _read(messages: Sequence[InboxMessage]) -> list[ReadMessage]:
    return [*map(_read_one, messages)]


def _read_one(message: InboxMessage) -> ReadMessage:
    event: Mapping[str, Any] = msgspec.json.decode(message.event) or {}
    title = f"{event.get('type', '')} {event.get('action') or ''}"
    return ReadMessage(
        message.at,
        message.error,
        shown_whole(title, TITLE_SHOWN),
        shown_whole(message.headers.get(EVENT_ID, ""), TITLE_SHOWN),
        shown_json(event) if event else shown_whole(message.body),
    )


def empty_inbox(visit: ConsoleVisit) -> Moved:
    """Remove every message of the inbox."""
    visit.ports().inbox.clear()
    return _back(visit, "inbox")


def _back(visit: ConsoleVisit, page: str) -> Moved:
    return Moved(f"{HOME}/{visit.ids['sandbox']}/{page}")
