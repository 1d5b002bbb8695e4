"""The ports of webhooks: the dispatcher and the inbox of a sandbox."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from simulator.domain.webhooks.records import (
    AttemptResult,
    Delivery,
    Endpoint,
    InboxMessage,
    WebhookEvent,
)


class Dispatcher(Protocol):
    """Delivers the webhook events of one sandbox to its endpoints."""

    @property
    def endpoints(self) -> Mapping[str, Sequence[Endpoint]]:
        """The active endpoints by their entity. Every payment reads them: it costs next to
        nothing.
        """

    def reload_endpoints(self) -> None:
        """Read the endpoints again, after some were stored or removed."""

    def enqueue(self, deliveries: Iterable[Delivery]) -> None:
        """Attempt those deliveries that are stored as under way; returns at once."""

    def attempt_once(self, endpoint: Endpoint, event: WebhookEvent) -> AttemptResult:
        """Make one attempt that is not stored: the activation of an endpoint."""

    def check_url(self, url: str) -> None:
        """Raise InvalidInputError or RefusedAddressError unless events may be sent to `url`."""


class Inbox(Protocol):
    """An endpoint inside the sandbox. It keeps the last 500 messages."""

    def receive(self, headers: Mapping[str, str], body: bytes) -> AttemptResult:
        """Store a message, decrypted; one that cannot be read is stored too, and answered 400."""

    def wait(self, count: int, timeout_s: float) -> Iterator[InboxMessage]:
        """The messages, oldest first: once there are `count`, or after this much wire time. Others
        have their turn between them.
        """

    def clear(self) -> int:
        """Remove every message; the number of messages removed."""


class HasDispatcher(Protocol):
    @property
    def dispatcher(self) -> Dispatcher: ...
