"""What the shop's server sends and receives, as the page shows it: all but the secrets."""

import json
import re
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from demo_shop.orders import Order, TimelineEntry
from pos_emulator.card_numbers import has_card_number, without_card_numbers
from simulator.client import Answer, Interceptor, OutgoingRequest, SendRequest

HIDDEN = "********"
SECRET = re.compile(r"card\.cvv|password|secret|token|capability|control_key", re.IGNORECASE)
NUMBER = "card.number"
NUMBER_SHOWN = 4
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


def masked(value: Any, name: str = "") -> Any:
    """A document without card numbers and secrets, whichever member holds them. Where no name says
    that a number is that of a card it is found as the terminal finds one.
    """
    if isinstance(value, dict):
        return {without_card_numbers(key): masked(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [masked(each, name) for each in value]
    if SECRET.search(name) and value not in ("", None):
        return HIDDEN
    if name == NUMBER:
        return f"{HIDDEN}{str(value)[-NUMBER_SHOWN:]}"
    if isinstance(value, str):
        return without_card_numbers(value)
    is_number = isinstance(value, int | float) and has_card_number(str(value))
    return without_card_numbers(str(value)) if is_number else value


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
