"""/_sandbox/v1/sandboxes/{id}/inbox: an endpoint inside the sandbox, and its messages."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from hmac import compare_digest

from falcon import Request, Response

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.clock import read_span
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.sandbox import Ports
from simulator.domain.webhooks.records import InboxMessage
from simulator.service.webhooks.inbox import UnknownInboxError, inbox_address_of
from simulator.web.control.access import ONE_SANDBOX, ControlAccess
from simulator.web.control.documents.events import ArrivalDocument, Emptied, InboxDocument, Taken
from simulator.web.control.inbox_messages import document_in_pieces, render_message, size_of
from simulator.web.http.answers import CONTENT_TYPE, send, to_raw
from simulator.web.http.errors import TooLargeError
from simulator.web.http.forms import read_body
from simulator.web.http.route import Route

COUNT_MAX = 500
NUMBER = re.compile("[0-9]{1,3}")
WAIT_S_MAX = 60.0
# A longer document is sent in pieces.
WHOLE_BYTES_MAX = 1024 * 1024
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
        _send_messages(resp, url, messages)

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


def _send_messages(resp: Response, url: str, messages: Iterator[InboxMessage]) -> None:
    """The document in one piece; a long one in pieces. Choice: D-715."""
    arrived: list[ArrivalDocument] = []
    size_bytes = 0
    for message in messages:
        size_bytes += size_of(message)
        if size_bytes > WHOLE_BYTES_MAX:
            resp.content_type = CONTENT_TYPE
            resp.stream = document_in_pieces(url, arrived, message, messages)
            return
        arrived.append(to_raw(render_message(message)))
    send(resp, 200, InboxDocument(url, len(arrived), tuple(arrived)))


def _count(req: Request) -> int:
    text = req.get_param("count", default="0")
    if not NUMBER.fullmatch(text) or int(text) > COUNT_MAX:
        raise InvalidInputError("count", f"a number from 0 to {COUNT_MAX}", beginning_of(text, 40))
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
