"""Build the attempts of deliveries: the request to send, with the faults that a script asks for.

An attempt reads its delivery, its event and its endpoint from the store, so a queue holds only ids.
Source: Events. Choices: D-84 (success, retries), D-85 (formats).
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple
from urllib.parse import urlencode

from msgspec.structs import replace

from scenarios.records import WebhookSteps
from simulator.adapters.webhooks.large_events import LargeEvents
from simulator.adapters.webhooks.sender import Connector, HttpRequest
from simulator.domain.core.ports import Ids, SandboxClock, Store, Vault
from simulator.domain.holding import Holds
from simulator.domain.journal.entries import WebhookAttempt
from simulator.domain.ports.webhooks import Inbox
from simulator.domain.steering.delivery_faults import fault_from_now
from simulator.domain.urls import add_query
from simulator.domain.webhooks.envelopes import (
    ATTEMPT_HEADER,
    ID_HEADER,
    IV_DIGITS,
    EventEnvelope,
    corrupt_envelope,
    decode_payload,
    encode_event,
    invert_secret,
    is_affected,
    large_text,
    seal_envelope,
    seal_large_envelope,
)
from simulator.domain.webhooks.large_bodies import is_large
from simulator.domain.webhooks.records import (
    ENDPOINT_REMOVED,
    AttemptResult,
    Delivery,
    Endpoint,
    WebhookEvent,
)

LOST = "lost by a script"
NOT_ACTIVE = "the endpoint is not active"


class DispatcherPorts(NamedTuple):
    """What the dispatcher of one sandbox needs: `journal` appends an attempt to the journal,
    `wake` wakes the scheduler when a delivery is due later; `holds` has the breakpoints.
    """

    store: Store
    clock: SandboxClock
    vault: Vault
    ids: Ids
    inbox: Inbox
    connector: Connector
    journal: Callable[[WebhookAttempt], None]
    wake: Callable[[], None]
    holds: Holds


class PreparedAttempt(NamedTuple):
    """An attempt that is ready: the request to send, or the result without one. `endpoint` is None
    for a notificationUrl. That of a large event, which has `large_bytes`, has no payload nor
    request until it has its place.
    """

    delivery: Delivery
    event: WebhookEvent
    endpoint: Endpoint | None
    request: HttpRequest | None
    unsent: AttemptResult = AttemptResult()
    large_bytes: int = 0

    @property
    def copies(self) -> int:
        """How many more times a script wants the event sent after a success."""
        return 0 if self.delivery.fault is None else self.delivery.fault.duplicate


class AttemptBuilder:
    """Builds the attempts of one queue. It keeps the endpoint and its decrypted secret."""

    __slots__ = ("_endpoint", "_ids", "_large", "_secret", "_store", "_vault")

    def __init__(self, ports: DispatcherPorts, large: LargeEvents | None = None):
        self._large = large or LargeEvents(ports.store, ports.connector.large_bodies)
        self._store = ports.store
        self._vault = ports.vault
        self._ids = ports.ids
        self._endpoint: Endpoint | None = None
        self._secret = ("", "")

    def forget_endpoint(self) -> None:
        """Read the endpoint again for the next attempt: it was changed."""
        self._endpoint = None

    def prepare(self, identity: str, faults: WebhookSteps | None = None) -> PreparedAttempt | None:
        """The next attempt of this delivery, or None if it is no longer under way; from it on with
        these `faults` where it goes to an endpoint.
        """
        delivery = self._store.get(Delivery, identity)
        if delivery is None or not delivery.under_way:
            return None
        if faults is not None and not delivery.url:
            delivery = replace(delivery, fault=fault_from_now(delivery, faults))
        event, large_bytes = self._large.head(delivery.event_id)
        if delivery.url:
            query = urlencode(decode_payload(event))
            request = HttpRequest("GET", add_query(delivery.url, query))
            return PreparedAttempt(delivery, event, None, request)
        endpoint = self._read_endpoint(delivery.endpoint)
        if endpoint is None:
            return PreparedAttempt(
                delivery, event, None, None, AttemptResult(error=ENDPOINT_REMOVED, is_last=True)
            )
        if not endpoint.active:
            return PreparedAttempt(delivery, event, endpoint, None, AttemptResult(error=NOT_ACTIVE))
        if large_bytes:
            return PreparedAttempt(delivery, event, endpoint, None, large_bytes=large_bytes)
        return self.attempt_of(delivery, event, endpoint)

    def place_of(self, attempt: PreparedAttempt) -> AbstractContextManager[None]:
        """Wait for the place of an attempt of a large event, and have it."""
        assert attempt.endpoint is not None, "it goes to an endpoint"
        is_shared = attempt.endpoint.fields == "ALL"
        text = (attempt.event.id, "" if is_shared else attempt.endpoint.id)
        return self._large.place(text, attempt.large_bytes)

    def complete(self, attempt: PreparedAttempt) -> PreparedAttempt | None:
        """The attempt of a large event that has its place, with its request, as `prepare` has it:
        much may have happened while it waited.
        """
        prepared = self.prepare(attempt.delivery.id)
        if prepared is None or prepared.endpoint is None or not prepared.large_bytes:
            return prepared
        delivery = replace(prepared.delivery, fault=attempt.delivery.fault)
        event = self._large.whole(delivery.event_id)
        return self.attempt_of(delivery, event, prepared.endpoint)

    def attempt_of(
        self, delivery: Delivery, event: WebhookEvent, endpoint: Endpoint
    ) -> PreparedAttempt:
        """The next attempt of a delivery to this endpoint, with the fault the delivery has."""
        if is_affected(delivery.fault, "lose", delivery.attempts + 1):
            return PreparedAttempt(delivery, event, endpoint, None, AttemptResult(error=LOST))
        request = self.build_request(endpoint, event, delivery)
        return PreparedAttempt(delivery, event, endpoint, request)

    def build_request(
        self, endpoint: Endpoint, event: WebhookEvent, delivery: Delivery
    ) -> HttpRequest:
        """The request of the next attempt; each one has an initialization vector of its own."""
        number = delivery.attempts + 1
        secret = "" if endpoint.format == "json" else self._open_secret(endpoint)
        if secret and is_affected(delivery.fault, "wrong_key", number):
            secret = invert_secret(secret)
        envelope = _sealed(event, endpoint, secret=secret, iv=self._ids.hex(IV_DIGITS))
        if is_affected(delivery.fault, "corrupt", number):
            envelope = corrupt_envelope(envelope, endpoint.format)
        headers = {**envelope.headers, ID_HEADER: event.id, ATTEMPT_HEADER: str(number)}
        return HttpRequest("POST", endpoint.url, headers, envelope.body)

    def _read_endpoint(self, identity: str | None) -> Endpoint | None:
        if identity is None:
            return None
        if self._endpoint is None or self._endpoint.id != identity:
            self._endpoint = self._store.get(Endpoint, identity)
        return self._endpoint

    def _open_secret(self, endpoint: Endpoint) -> str:
        sealed, secret = self._secret
        if sealed != endpoint.secret:
            secret = self._vault.open(endpoint.id, endpoint.secret)
            self._secret = (endpoint.secret, secret)
        return secret


def _sealed(event: WebhookEvent, endpoint: Endpoint, *, secret: str, iv: str) -> EventEnvelope:
    with_customer = endpoint.fields == "ALL"
    if is_large(event):
        text = large_text(event, with_customer=with_customer)
        return seal_large_envelope(text, endpoint.format, secret=secret, iv=iv)
    short = encode_event(event, with_customer=with_customer)
    return seal_envelope(short, endpoint.format, secret=secret, iv=iv)


def report_attempt(attempt: PreparedAttempt, result: AttemptResult) -> WebhookAttempt:
    """The attempt and its result, for the journal."""
    delivery, event, endpoint = attempt.delivery, attempt.event, attempt.endpoint
    return WebhookAttempt(
        ndc=event.ndc,
        payment=event.payment or "",
        event=f"{event.type} {event.action}" if event.action else event.type,
        event_id=event.id,
        number=delivery.attempts + 1,
        url=delivery.url if endpoint is None else endpoint.url,
        status=result.status,
        error=result.error,
        took=result.took,
    )
