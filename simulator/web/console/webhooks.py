"""Webhooks of a sandbox: endpoints, events and their deliveries, and the inbox."""

from itertools import islice

import msgspec

from simulator.domain.masking.masking import mask_text
from simulator.service.webhooks.deliveries import (
    find_deliveries,
    find_events,
    read_event,
    replay_event,
)
from simulator.service.webhooks.endpoints import activate_endpoint, list_endpoints
from simulator.web.console.rendering import Moved, ShownPage, as_json
from simulator.web.console.sign_in import HOME
from simulator.web.console.visits import ConsoleVisit

EVENTS_SHOWN = 50
EVENT_ID = "X-Event-Id"


def show_webhooks(visit: ConsoleVisit) -> ShownPage:
    """The endpoints, and the newest events with how far each came."""
    ports, payment = visit.ports(), mask_text(visit.asked("payment")[:32]) or None
    events = list(islice(find_events(ports, failed=False, payment=payment), EVENTS_SHOWN))
    values = {
        "sandbox": visit.sandbox(),
        "endpoints": list_endpoints(ports),
        "events": [(each, find_deliveries(ports, each.id)) for each in events],
        "payment": payment,
    }
    return ShownPage("webhooks.html", values)


def show_event(visit: ConsoleVisit) -> ShownPage:
    """One event: what was sent, in clear, and every delivery of it."""
    ports = visit.ports()
    event = read_event(ports, visit.ids["event"])
    values = {"event": event, "deliveries": find_deliveries(ports, event.id), "as_json": as_json}
    return ShownPage("event.html", {"sandbox": visit.sandbox(), **values})


def resend(visit: ConsoleVisit) -> Moved:
    """Deliver an event again, under its id."""
    replay_event(visit.ports(), visit.ids["event"])
    return _back(visit, f"webhooks/events/{visit.ids['event']}")


def activate(visit: ConsoleVisit) -> Moved:
    """Call an endpoint with a test event."""
    activate_endpoint(visit.ports(), visit.ids["endpoint"])
    return _back(visit, "webhooks")


def show_inbox(visit: ConsoleVisit) -> ShownPage:
    """What the inbox of the sandbox received, the newest first, decrypted."""
    received = list(visit.ports().inbox.wait(0, 0))
    messages = [
        (each, msgspec.json.decode(each.event) or {}, each.headers.get(EVENT_ID, ""))
        for each in received[: -EVENTS_SHOWN - 1 : -1]
    ]
    values = {"messages": messages, "count": len(received), "as_json": as_json}
    return ShownPage("inbox.html", {"sandbox": visit.sandbox(), **values})


def empty_inbox(visit: ConsoleVisit) -> Moved:
    """Remove every message of the inbox."""
    visit.ports().inbox.clear()
    return _back(visit, "inbox")


def _back(visit: ConsoleVisit, page: str) -> Moved:
    return Moved(f"{HOME}/{visit.ids['sandbox']}/{page}")
