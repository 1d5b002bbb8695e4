"""A stub gateway that the merchant's shop uses, and that records the shop's requests.

It accepts checkouts and payments, and answers with the outcome chosen for each. Of a token it
records only whether there was one.
"""

import json
import posixpath
import re
import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.message import Message
from functools import partial
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

from features.merchant_side import webhook_messages as messages
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

Outcome = Literal["unpaid", "paid", "declined", "throttled", "out-of-order"]
OUTCOMES: dict[Outcome, tuple[int, str, str]] = {
    #  outcome        status  code           text
    "unpaid":       (200, "000.200.000", "transaction pending"),
    "paid":         (200, messages.PAID, messages.DESCRIPTIONS[messages.PAID]),
    "declined":     (400, messages.DECLINED, messages.DESCRIPTIONS[messages.DECLINED]),
    "throttled":    (429, "800.120.100", "too many requests, please retry later"),
    "out-of-order": (503, "", "Service Unavailable"),
}  # fmt: skip
READ = re.compile(r"(?:/v\d+)?/(?:checkouts|payments)/([^/]+)(?:/(?:payment|registration))?")
BODY_BYTES_MAX = 64 * 1024
# Longer than a shop waits between two reads: it may keep its connection for the next.
IDLE_S_MAX = 120.0
JSON_TYPE = "application/json;charset=UTF-8"
ECHOED = ("amount", "currency", "paymentType", "merchantTransactionId")
UNKNOWN = (404, "200.300.404", "invalid or missing parameter - No payment session found")
NO_LOGIN = (401, "800.900.300", "invalid authentication information")
CREATED = (200, "000.200.100", "successfully created checkout")


@dataclass(slots=True)
class StubOrder:
    """A checkout or a payment that was prepared here, and its outcome."""

    id: str
    path: str
    sent: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome = "unpaid"


@dataclass(frozen=True, slots=True)
class StubRequest:
    """One request: when (monotonic seconds), where, and whether it had a token.

    `status` is that of the answer, 0 until then.
    """

    at: float
    method: str
    path: str
    has_token: bool
    status: int = 0


class StubGateway:
    """The orders that shops prepared, and every request.

    `retry_after_s` is the Retry-After of a throttled answer. A `lying` gateway answers that
    everything is paid: a shop must not send a request to it.
    """

    def __init__(self, *, lying: bool = False):
        self.url = ""
        self.retry_after_s = 1
        self._lying = lying
        self._orders: dict[str, StubOrder] = {}
        self._reads: list[StubRequest] = []
        self._lock = threading.Lock()

    def make(
        self, collection: str = "/v1/checkouts", sent: Mapping[str, str] | None = None
    ) -> StubOrder:
        """A new order, as a shop prepares it."""
        if collection.endswith("payments"):
            identity = messages.hex_id()
            path = f"{collection}/{identity}"
        else:
            identity = secrets.token_hex(16).upper() + ".stub"
            path = f"{collection}/{identity}/payment"
        order = StubOrder(identity, path, sent or {"amount": "92.00", "currency": "EUR"})
        with self._lock:
            self._orders[identity] = order
        return order

    def orders(self) -> list[StubOrder]:
        """Every order, oldest first."""
        with self._lock:
            return list(self._orders.values())

    def reads(self) -> list[StubRequest]:
        """Every request that was not a new order, oldest first."""
        with self._lock:
            return list(self._reads)

    def answer(self, read: StubRequest, sent: Mapping[str, str]) -> tuple[int, Mapping[str, Any]]:
        """Status and body that answer a request."""
        place = urlsplit(read.path)
        if read.method == "POST" and place.path.rstrip("/").endswith(("/checkouts", "/payments")):
            return self._created(place.path.rstrip("/"), sent)
        status, document = self._outcome_of(place.path, has_token=read.has_token)
        with self._lock:
            self._reads.append(replace(read, status=status))
        return status, document

    def _created(self, collection: str, sent: Mapping[str, str]) -> tuple[int, Mapping[str, Any]]:
        order = self.make(collection, sent)
        if collection.endswith("/checkouts"):
            return _answered(CREATED, {"id": order.id})
        redirect = {"redirect": {"url": f"{self.url}bank", "parameters": []}}
        return _answered(OUTCOMES["unpaid"], {"id": order.id, **redirect})

    def _outcome_of(self, path: str, *, has_token: bool) -> tuple[int, Mapping[str, Any]]:
        if self._lying:
            return _answered(OUTCOMES["paid"], {"id": messages.hex_id(), "amount": "92.00"})
        with self._lock:
            order = self._orders.get(order_named(path))
        if order is None or not has_token:
            return _answered(NO_LOGIN if order else UNKNOWN, {})
        outcome = OUTCOMES[order.outcome]
        if order.outcome not in ("paid", "declined"):
            return _answered(outcome, {})
        echo = {name: order.sent[name] for name in ECHOED if name in order.sent}
        return _answered(outcome, {"id": messages.hex_id(), "paymentBrand": "VISA", **echo})


def order_named(path: str) -> str:
    """The id of the order that a path is about, or nothing.

    As servers do: what a path with dots leads to counts, not what it begins with.
    """
    named = READ.fullmatch(posixpath.normpath(unquote(path.partition("?")[0])))
    return named[1] if named else ""


def refusal_of(headers: Message) -> int:
    """The status that refuses a body before it is read, for what its headers say; 0 for none.

    411 to one in chunks, 400 to a length that is no number, 413 to one of more than 64 KiB.
    """
    if "Transfer-Encoding" in headers:
        return 411
    length = headers.get("Content-Length") or "0"
    if not (length.isascii() and length.isdigit()):
        return 400
    digits = length.lstrip("0")
    return 413 if len(digits) > 9 or int(digits or "0") > BODY_BYTES_MAX else 0


def _answered(
    outcome: tuple[int, str, str], members: Mapping[str, Any]
) -> tuple[int, Mapping[str, Any]]:
    status, code, text = outcome
    result = {"result": {"code": code, "description": text}}
    about = {"timestamp": messages.timestamp(messages.now()), "ndc": secrets.token_hex(16)}
    return status, {**members, **result, "buildNumber": "stub", **about}


@contextmanager
def serving(host: str, port: int, gateway: StubGateway) -> Iterator[StubGateway]:
    """The gateway at an address until the end of the block. Raises OSError where it is taken."""
    listen = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    respond = partial(_respond, gateway)
    with listening(respond, listen, admit=refusal_of, idle_s_max=IDLE_S_MAX) as gateway.url:
        yield gateway


def _respond(gateway: StubGateway, request: ReceivedRequest) -> ListenerResponse:
    fields = parse_qs(request.body.decode("latin-1"))
    has_token = bool(request.headers.get("authorization"))
    read = StubRequest(time.monotonic(), request.method, request.path, has_token)
    status, document = gateway.answer(read, {name: values[-1] for name, values in fields.items()})
    if status == OUTCOMES["out-of-order"][0]:
        # A gateway that is out of order does not answer with JSON either.
        return ListenerResponse(status, {"Content-Type": "text/plain"}, b"Service Unavailable")
    headers = {"Content-Type": JSON_TYPE}
    if status == OUTCOMES["throttled"][0]:
        headers["Retry-After"] = str(gateway.retry_after_s)
    return ListenerResponse(status, headers, json.dumps(document).encode())
