"""What the shop's server sends and receives, as the page shows it: all but the secrets."""

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from demo_shop.masking import HIDDEN, masked
from demo_shop.orders import Order, TimelineEntry
from simulator.client import Answer, Interceptor, OutgoingRequest, SendRequest

DETAILS_LENGTH_MAX = 4000


def recording(order: Order, parties: str, why: str) -> Interceptor:
    """Puts each request of a connection, and its answer, into the timeline of an order."""

    def record(request: OutgoingRequest, send: SendRequest) -> Answer:
        answer = send()
        path = urlsplit(f"{request.base_url}{request.path}").path
        outcome = f"{answer.status} {answer.code}".strip()
        details = f"{_sent(request)}\n\n{_as_json(answer.body)}".strip()
        order.add(
            TimelineEntry(parties, f"{request.method} {path}", outcome, why, shortened(details))
        )
        return answer

    return record


def shortened(text: str) -> str:
    """As much of a text as a page shows."""
    return text if len(text) <= DETAILS_LENGTH_MAX else f"{text[:DETAILS_LENGTH_MAX]} ..."


def as_event(document: Any) -> str:
    """A decrypted webhook, as the page shows it."""
    return shortened(_as_json(document))


def _sent(request: OutgoingRequest) -> str:
    lines = [f"Authorization: Bearer {HIDDEN}"]
    body = (request.body or b"").decode()
    query = urlsplit(request.path).query
    if body.startswith("{"):
        return "\n".join([*lines, _as_json(json.loads(body))])
    pairs = parse_qsl(body or query, keep_blank_values=True)
    return "\n".join([*lines, *(f"{name} = {masked(value, name)}" for name, value in pairs)])


def _as_json(document: Any) -> str:
    if document is None or isinstance(document, bytes):
        return ""
    return json.dumps(masked(document), ensure_ascii=False, indent=2)
