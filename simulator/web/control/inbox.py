"""/_sandbox/v1/sandboxes/{id}/inbox: an endpoint inside the sandbox, and its messages."""

import re
from collections.abc import Mapping
from contextlib import nullcontext
from hmac import compare_digest
from typing import Any

import msgspec
from falcon import Request, Response

from simulator.domain.core.clock import read_span
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.sandbox import Ports
from simulator.domain.webhooks.records import InboxMessage
from simulator.service.webhooks.inbox import UnknownInboxError, inbox_address_of
from simulator.web.control.access import ONE_SANDBOX, ControlAccess
from simulator.web.control.documents.events import ArrivalDocument, Emptied, InboxDocument, Taken
from simulator.web.http.answers import send, to_raw
from simulator.web.http.errors import TooLargeError
from simulator.web.http.forms import read_body
from simulator.web.http.route import Route

COUNT_MAX = 500
NUMBER = re.compile("[0-9]{1,3}")
WAIT_S_MAX = 60.0
# Others wait while a message is read: about as long as for a large notification of the gateway.
EVENT_BYTES_MAX, COMMAS_MAX = 128 * 1024, 10_000
# The headers of a message that belong to the event.
KEPT_HEADERS = ("CONTENT-TYPE", "USER-AGENT")
KEPT_PREFIX = "X-"


class InboxResource:
    """The inbox of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List the messages, oldest first, decrypted; wait until there are `count` of them."""
        ports = self._access.ports(req, identity)
        count, wait_s = _count(req), _wait_s(req)
        with ports.in_flight.place_to_wait() if wait_s else nullcontext():
            messages = ports.inbox.wait(count, wait_s)
        url = f"{req.prefix}{req.path}/{inbox_address_of(ports).key}"
        # Each is encoded alone: all of them may be many megabytes.
        arrived = tuple(to_raw(_render_message(message)) for message in messages)
        send(resp, 200, InboxDocument(url, len(arrived), arrived))

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Remove every message."""
        send(resp, 200, Emptied(self._access.ports(req, identity).inbox.clear()))


class InboxAddressResource:
    """The URL of the inbox: a client that knows it may post, without a token."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, key: str) -> None:
        """Receive a message. One that cannot be read is stored too, and answered 400. Raises
        UnknownInboxError, TooLargeError, InvalidInputError.
        """
        ports = self._ports(identity, key)
        body = read_body(req, EVENT_BYTES_MAX)
        if (commas := body.count(b",")) > COMMAS_MAX:
            raise TooLargeError("commas in the body", COMMAS_MAX, commas)
        headers = {
            name.title(): value
            for name, value in req.headers.items()
            if name in KEPT_HEADERS or name.startswith(KEPT_PREFIX)
        }
        if not ports.inbox.receive(headers, body).is_success:
            expected = "an event that a secret of the sandbox decrypts"
            raise InvalidInputError("body", expected, "another body")
        send(resp, 200, Taken())

    def _ports(self, identity: str, key: str) -> Ports:
        registry = self._access.server.registry
        if registry.sandbox(identity) is None:
            raise UnknownInboxError("no inbox has the address in the path")
        ports = registry.ports(identity)
        if not compare_digest(inbox_address_of(ports).key.encode(), key.encode()):
            raise UnknownInboxError("no inbox has the address in the path")
        return ports


def _render_message(message: InboxMessage) -> ArrivalDocument:
    event: Mapping[str, Any] = msgspec.json.decode(message.event) or {}
    headers = {name.lower(): value for name, value in message.headers.items()}
    return ArrivalDocument(
        id=message.id,
        at=message.at,
        event_id=headers.get("x-event-id"),
        attempt=headers.get("x-delivery-attempt"),
        type=event.get("type"),
        action=_of_kind(event.get("action"), str),
        payload=_of_kind(event.get("payload"), dict),
        error=message.error,
        headers=message.headers,
        body=message.body,
    )


def _of_kind(member: Any, kind: type) -> Any:
    """A member that is of the kind it should be; another one stands in the body alone."""
    return member if isinstance(member, kind) else None


def _count(req: Request) -> int:
    text = req.get_param("count", default="0")
    if not NUMBER.fullmatch(text) or int(text) > COUNT_MAX:
        raise InvalidInputError("count", f"a number from 0 to {COUNT_MAX}", text[:40])
    return int(text)


def _wait_s(req: Request) -> float:
    text = req.get_param("wait")
    if text is None:
        return 0.0
    seconds = read_span(text, where="wait").total_seconds()
    if seconds > WAIT_S_MAX:
        raise InvalidInputError("wait", f"at most {WAIT_S_MAX:.0f}s", f"{seconds:.0f}s")
    return seconds


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(f"{ONE_SANDBOX}/inbox", InboxResource(access)),
        Route(f"{ONE_SANDBOX}/inbox/{{key}}", InboxAddressResource(access)),
    )
