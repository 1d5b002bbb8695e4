"""The messages of an inbox as documents, and a document of many bytes in pieces: no message is
encoded at once, and none is in memory with another. Choice: D-715.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from simulator.domain.webhooks.records import NO_EVENT, InboxMessage
from simulator.web.control.documents.events import ArrivalDocument
from simulator.web.http.answers import to_json

PIECE_BYTES = 64 * 1024
NO_BODY = msgspec.Raw(b'""')


class EventParts(msgspec.Struct, frozen=True):
    """The members of an event that are shown, not taken apart."""

    type: msgspec.Raw = NO_EVENT
    action: msgspec.Raw = NO_EVENT
    payload: msgspec.Raw = NO_EVENT


def size_of(message: InboxMessage) -> int:
    """How long a message is as a document, about."""
    return len(memoryview(message.raw_body)) + len(memoryview(message.event))


def render_message(message: InboxMessage) -> ArrivalDocument:
    """A message as a document."""
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


def document_in_pieces(
    url: str,
    arrived: Iterable[ArrivalDocument],
    first: InboxMessage | None,
    messages: Iterator[InboxMessage],
) -> Iterator[bytes]:
    """What arrived: those that are documents already, and those that follow. Their number stands
    last: it is known when all were read.
    """
    yield b'{"url":%b,"arrived":[' % to_json(url)
    count, between = 0, b""
    for each in arrived:
        yield between + to_json(each)
        count, between = count + 1, b","
    while first is not None:
        yield between
        yield from _message_in_pieces(first)
        count, between = count + 1, b","
        # This one is gone before the next one is read.
        first = None
        first = next(messages, None)
    yield b'],"count":%d}' % count


def _message_in_pieces(message: InboxMessage) -> Iterator[bytes]:
    if size_of(message) <= PIECE_BYTES:
        yield to_json(render_message(message))
        return
    event = msgspec.json.decode(message.event, type=EventParts | None) or EventParts()
    named = msgspec.Raw(to_json({"type": event.type, "action": event.action}))
    event_named = named if message.has_event else NO_EVENT
    about = msgspec.to_builtins(
        render_message(replace(message, raw_body=NO_BODY, event=event_named))
    )
    del about["payload"], about["body"]
    yield to_json(about)[:-1] + b',"payload":'
    payload = memoryview(event.payload)
    if bytes(payload[:1]) != b"{":
        payload = memoryview(NO_EVENT)
    yield from _in_pieces(payload)
    yield b',"body":'
    yield from _in_pieces(memoryview(message.raw_body))
    yield b"}"


def _in_pieces(content: memoryview) -> Iterator[bytes]:
    for start in range(0, len(content), PIECE_BYTES):
        yield bytes(content[start : start + PIECE_BYTES])


def _of_kind(member: Any, kind: type) -> Any:
    """A member that is of the kind it should be; another one stands in the body alone."""
    return member if isinstance(member, kind) else None
