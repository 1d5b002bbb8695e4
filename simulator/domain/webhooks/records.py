"""Webhook records: endpoints, events, deliveries and their retries, and the inbox.

Source: Events; the specification does not show how a URL is registered, nor when a delivery is
retried. Choices: D-84 (retries), D-85 (endpoints).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec.structs import replace

from simulator.catalogue.events import SPECIFIED_TYPES
from simulator.domain.core.records import AccountHierarchy

Fields = Literal["ALL", "NON_CUSTOMER_DATA"]
Format = Literal["json", "hex", "wrapped"]
INBOX = "inbox"
# Of the key that events to an endpoint are encrypted with.
SECRET_DIGITS = 64
# Each payment makes a delivery to each of them. Choice: D-298.
ENDPOINTS_MAX = 100

# fmt: off
RETRY_DELAYS = (
    #  the wait after the first failure, after the second, ...
    timedelta(minutes=1),
    timedelta(minutes=2),
    timedelta(minutes=4),
    timedelta(minutes=8),
    timedelta(minutes=15),
    timedelta(minutes=30),
    timedelta(hours=1),
)
# fmt: on
LAST_RETRY_DELAY = timedelta(days=1)
GIVE_UP_AFTER = timedelta(days=30)
# A call that is useless from an instant on is repeated quickly until then. Choice: D-132.
QUICK_RETRY_DELAY = timedelta(seconds=15)
REORDER_HOLD_MAX = timedelta(minutes=1)
ENDPOINT_REMOVED = "the endpoint was removed"
CALL_ENDED = "the checkout was read, removed or paid again"

DeliveryState = Literal["under way", "waiting", "delivered", "given up"]


class Endpoint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A registered URL: which events it gets (those of `entity`, which is a PSP, division, merchant
    or channel), and in which format.

    Secrets are sealed under its id. `next_secret` is unused until its rotation is finished.
    """

    id: str
    version: int = 0
    entity: str
    url: str
    types: tuple[str, ...] = SPECIFIED_TYPES
    fields: Fields = "ALL"
    format: Format = "hex"
    secret: str
    next_secret: str | None = None
    active: bool = False
    created_at: datetime


class WebhookEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, weakref=True):
    """One event. Every attempt to deliver it carries its id. `payload` is JSON, encoded once
    (`envelopes.encode_payload`) and sent unchanged; `envelopes.decode_payload` reads it.
    """

    id: str
    version: int = 0
    type: str
    action: str | None = None
    payment: str | None = None
    payload: msgspec.Raw
    created_at: datetime
    ndc: str = ""


class DeliveryFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a script does to a delivery. `lose`, `corrupt` and `wrong_key` affect that many
    attempts, counted from the first.
    """

    lose: int = 0
    corrupt: int = 0
    wrong_key: int = 0
    duplicate: int = 0
    delay_s: float = 0
    reorder: bool = False


class Delivery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event on its way to one endpoint, or to a notificationUrl (`url`, no endpoint), which
    `merchant` named.

    A delivery is `under_way` (with the dispatcher, which keeps nothing over a crash), waiting for
    the instant `due`, or completed at `settled_at`: delivered, or given up.
    `failures` counts since `began_at`, `attempts` counts all. From `until` on it is useless: what
    it leads to is gone.
    """

    id: str
    version: int = 0
    event_id: str = msgspec.field(name="notice")
    endpoint: str | None = None
    url: str = ""
    merchant: str = ""
    began_at: datetime
    until: datetime | None = None
    attempts: int = 0
    failures: int = 0
    under_way: bool | None = None
    due: datetime | None = None
    held: str | None = None
    settled_at: datetime | None = None
    delivered: bool = False
    status: int | None = None
    error: str = ""
    fault: DeliveryFault | None = msgspec.field(name="mishap", default=None)

    @property
    def state(self) -> DeliveryState:
        """The state as the control API shows it."""
        if self.settled_at is not None:
            return "delivered" if self.delivered else "given up"
        return "under way" if self.under_way else "waiting"

    @property
    def queue_key(self) -> str:
        """The name of its queue: deliveries to one endpoint, or to one notificationUrl, share
        one.
        """
        return self.endpoint or self.url


NO_EVENT = msgspec.Raw(b"null")


class InboxMessage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request to the inbox: headers and body as received, the body as JSON text, and the event as
    JSON where the body could be read. Only who shows a message takes either apart: a full inbox is
    counted often.
    """

    id: str
    version: int = 0
    at: datetime
    headers: Mapping[str, str]
    raw_body: msgspec.Raw = msgspec.field(name="body")
    event: msgspec.Raw = NO_EVENT
    error: str = ""

    @property
    def body(self) -> str:
        """The body as received."""
        return msgspec.json.decode(self.raw_body, type=str)

    @property
    def has_event(self) -> bool:
        """Whether the body could be read."""
        event = memoryview(self.event)
        return event != memoryview(NO_EVENT)


class InboxAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The unguessable part of the inbox's URL."""

    id: str = INBOX
    version: int = 0
    key: str


class AttemptResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one attempt: the status of the response, or why there was none. None follows
    an attempt that `is_last`.
    """

    status: int | None = None
    error: str = ""
    took: timedelta = timedelta(0)
    is_last: bool = False

    @property
    def is_success(self) -> bool:
        """Any 2xx."""
        return self.status is not None and 200 <= self.status < 300


def select_endpoints(
    endpoints: Mapping[str, Sequence[Endpoint]], stamp: AccountHierarchy, kind: str
) -> list[Endpoint]:
    """The endpoints that get events of type `kind` about `stamp`: registered at one of its
    levels, the nearest first. `endpoints` are by entity.
    """
    levels = (stamp.channel, stamp.merchant, stamp.division, stamp.psp)
    return [each for level in levels for each in endpoints.get(level, ()) if kind in each.types]


def create_delivery(
    endpoint: Endpoint,
    event: WebhookEvent,
    *,
    identity: str,
    fault: DeliveryFault | None = None,
    is_followed: bool = False,
) -> Delivery:
    """The delivery of a new event: under way at once, unless a script delays it or lets the next
    one go before. The one that is followed by another already goes: two by two they swap places.
    """
    first = Delivery(
        id=identity,
        event_id=event.id,
        endpoint=endpoint.id,
        began_at=event.created_at,
        fault=fault,
    )
    if fault is not None and fault.reorder and is_followed:
        return start_delivery(first)
    if fault is not None and fault.reorder:
        return replace(first, held=endpoint.id, due=event.created_at + REORDER_HOLD_MAX)
    if fault is not None and fault.delay_s:
        return replace(first, due=event.created_at + timedelta(seconds=fault.delay_s))
    return start_delivery(first)


def create_url_delivery(
    url: str,
    event: WebhookEvent,
    *,
    merchant: str,
    identity: str,
    until: datetime | None = None,
) -> Delivery:
    """The delivery of a new event to a URL that a request of `merchant` named, under way; `until`
    says from when on it is useless.
    """
    first = Delivery(
        id=identity,
        event_id=event.id,
        url=url,
        merchant=merchant,
        began_at=event.created_at,
        until=until,
    )
    return start_delivery(first)


def start_delivery(delivery: Delivery) -> Delivery:
    """The delivery, under way."""
    return replace(delivery, under_way=True, due=None, held=None)


def restart_delivery(delivery: Delivery, *, now: datetime) -> Delivery:
    """The delivery for a replay: under way, its retries start again from the first."""
    started = start_delivery(delivery)
    return replace(started, began_at=now, failures=0, settled_at=None, delivered=False)


def give_up_delivery(delivery: Delivery, *, at: datetime, why: str = ENDPOINT_REMOVED) -> Delivery:
    """The delivery once its endpoint is removed, or a checkout is read: no attempt follows. The
    result of one that is under way is still applied. Choices: D-360, D-132.
    """
    return replace(delivery, under_way=None, due=None, held=None, settled_at=at, error=why)


def apply_attempt_result(delivery: Delivery, result: AttemptResult, *, at: datetime) -> Delivery:
    """The delivery after an attempt that began at `at`: completed, or due again. One that was given
    up meanwhile stays completed.
    """
    after = replace(
        delivery,
        attempts=delivery.attempts + 1,
        under_way=None,
        status=result.status,
        error=result.error,
    )
    if result.is_success:
        return replace(after, settled_at=at, delivered=True)
    failures = delivery.failures + 1
    due = next_attempt_at(failures, began_at=delivery.began_at, at=at)
    if delivery.until is not None:
        due = at + QUICK_RETRY_DELAY
        due = due if due < delivery.until else None
    if result.is_last or delivery.settled_at is not None:
        due = None
    return replace(after, failures=failures, due=due, settled_at=at if due is None else None)


def next_attempt_at(failures: int, *, began_at: datetime, at: datetime) -> datetime | None:
    """When the attempt after this many failures is due, the last one at `at`; None to give up."""
    delay = RETRY_DELAYS[failures - 1] if failures <= len(RETRY_DELAYS) else LAST_RETRY_DELAY
    due = at + delay
    return due if due <= began_at + GIVE_UP_AFTER else None
