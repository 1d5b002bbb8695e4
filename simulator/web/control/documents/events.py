"""The documents the control API answers about webhook events, the inbox and the journal."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from msgspec import UNSET, Raw, Struct, UnsetType

from simulator.domain.core.shapes import Anything, Count, Id, Secret, shape
from simulator.domain.journal.entries import Party
from simulator.domain.webhooks.records import DeliveryState, Fields, Format


class Activation(Struct, frozen=True):
    """How the activation call of an endpoint ended."""

    status: int | None
    error: str


class WebhookDocument(Struct, frozen=True, kw_only=True):
    """A webhook endpoint. Its secret stands only in the answers that set it."""

    id: Id
    entity: str
    url: str
    types: tuple[str, ...]
    fields: Fields
    format: Format
    active: bool
    rotating: bool
    created_at: datetime
    activation: Activation | UnsetType = UNSET
    secret: Secret | UnsetType = UNSET
    next_secret: Secret | UnsetType = UNSET


class WebhookList(Struct, frozen=True):
    """The webhook endpoints of a sandbox."""

    webhooks: tuple[WebhookDocument, ...]


class DeliveryDocument(Struct, frozen=True, kw_only=True):
    """How far a webhook event came at one endpoint; `url` is null where that was removed."""

    webhook: str | None
    url: str | None
    state: DeliveryState
    attempts: Count
    due: datetime | None
    status: int | None
    error: str


class NoticeDocument(Struct, frozen=True, kw_only=True):
    """A webhook event and its deliveries; `payload` where one event is read."""

    id: Id
    type: str
    action: str | None
    payment: str | None
    created_at: datetime
    deliveries: tuple[DeliveryDocument, ...]
    payload: Annotated[Raw, shape(type="object")] | UnsetType = UNSET


class NoticeList(Struct, frozen=True):
    """Webhook events, newest first."""

    notices: tuple[NoticeDocument, ...]


class ArrivalDocument(Struct, frozen=True, kw_only=True):
    """A request that arrived at the inbox, decrypted where a secret of the sandbox opens it."""

    id: Id
    at: datetime
    event_id: str | None
    attempt: str | None
    type: str | None
    action: str | None
    payload: Mapping[str, Any] | None
    error: str
    headers: Mapping[str, str]
    body: str


class InboxDocument(Struct, frozen=True):
    """The address of the inbox, and what arrived there, oldest first."""

    url: str
    count: Count
    arrived: tuple[ArrivalDocument, ...]


class Emptied(Struct, frozen=True):
    """How many requests were deleted."""

    deleted: Count


class Taken(Struct, frozen=True):
    """A request that the inbox took."""

    taken: Annotated[bool, shape(const=True)] = True


class JournalEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the journal, masked; what stands in one depends on its kind."""

    ndc: str
    kind: str | UnsetType = UNSET
    number: Count | UnsetType = UNSET
    at: Annotated[datetime, shape("Sandbox time.")] | UnsetType = UNSET
    until: datetime | UnsetType = UNSET
    real: Annotated[datetime, shape("The time of the machine.")] | UnsetType = UNSET
    duration_ms: Annotated[float, shape(minimum=0)] | UnsetType = UNSET
    method: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    entity: Id | UnsetType = UNSET
    payments: tuple[str, ...] | UnsetType = UNSET
    checkout: Annotated[str, shape("The checkout it is about.")] | UnsetType = UNSET
    sender: Annotated[str, shape("shopper where a hosted form posted.")] | UnsetType = UNSET
    request: Mapping[str, str] | UnsetType = UNSET
    status: Annotated[int, shape(minimum=100, maximum=599)] | UnsetType = UNSET
    code: str | UnsetType = UNSET
    answer: Annotated[Any, shape("The body of the answer, masked.")] = UNSET
    error: str | UnsetType = UNSET
    transport: Annotated[str, shape("What a script did to the connection.")] | UnsetType = UNSET
    rules: Annotated[tuple[str, ...], shape("What the request broke.")] | UnsetType = UNSET
    decided_by: str | UnsetType = UNSET
    cut: bool | UnsetType = UNSET
    messages: tuple[Anything, ...] | UnsetType = UNSET
    near_misses: tuple[str, ...] | UnsetType = UNSET
    webhooks: tuple[Anything, ...] | UnsetType = UNSET
    exchanges: (
        Annotated[tuple[Anything, ...], shape("All that share the ndc, oldest first.")] | UnsetType
    ) = UNSET
    event: str | UnsetType = UNSET
    event_id: str | UnsetType = UNSET
    url: str | UnsetType = UNSET


class JournalPage(Struct, frozen=True):
    """A page of the journal, newest first; `next` is `before` of the next page."""

    entries: tuple[JournalEntry, ...]
    newest: Count
    next: int | None


class TracedPayment(Struct, frozen=True, kw_only=True):
    """A payment of a trace."""

    id: Id
    type: str
    state: str
    amount: str | None
    currency: str | None
    referenced: Annotated[str, shape("The payment it refers to.")] | None
    checkout: Annotated[str, shape("The checkout it was paid in.")] | None


class TracedMessage(Struct, frozen=True, kw_only=True):
    """A message of a trace; `meaning` is that of the code at the end of its label."""

    at: Annotated[datetime, shape("Sandbox time.")]
    sender: Party
    receiver: Party
    label: str
    meaning: str
    notes: tuple[str, ...]
    bad: Annotated[bool, shape("Whether it was refused, declined or not delivered.")]


class TraceDocument(Struct, frozen=True, kw_only=True):
    """The messages about payments that belong together, in order."""

    id: Annotated[str, shape("What was asked for: a payment, a refused request, or a checkout.")]
    payments: tuple[TracedPayment, ...]
    messages: tuple[TracedMessage, ...]


class RefusedResult(Struct, frozen=True):
    """The result of a refused control call."""

    code: str
    description: str


class WhatWasWrong(Struct, frozen=True):
    """The member that was wrong, what was expected there, and what came."""

    where: str
    expected: str
    got: str


class Explanation(Struct, frozen=True):
    """Why the result code applies."""

    ExtendedDescription: str


class RefusalDocument(Struct, frozen=True, kw_only=True):
    """The answer to a control call that was refused."""

    result: RefusedResult
    resultDetails: Explanation | UnsetType = UNSET
    buildNumber: str
    timestamp: str
    ndc: str
    error: WhatWasWrong | UnsetType = UNSET
