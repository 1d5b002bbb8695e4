"""The journal of a sandbox: what was asked, what was answered, and who decided it.

Three kinds of entries, in the order in which they happened. Each names the ndc of the exchange it
belongs to and the payments it is about; what came later (a webhook, an answer after days) has the
ndc of the exchange that caused it. Entries are made masked: see masking.py.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring import Ask, Plan
from simulator.domain.masking import (
    MASK,
    Kind,
    glance,
    mask_url,
    masked,
    masked_value,
)
from simulator.domain.pending import EXPIRED
from simulator.domain.records import Outcome, Payment
from simulator.domain.settlement import REVERSED_AT_START

MICROSECOND = timedelta(microseconds=1)
OF_THE_GATEWAY = frozenset({EXPIRED.decided_by, REVERSED_AT_START.decided_by})


class Party(StrEnum):
    """Who may talk to whom; the order is that of the columns of a trace."""

    SHOPPER = "shopper"
    MERCHANT = "merchant"
    TERMINAL = "terminal"
    GATEWAY = "gateway"
    ACQUIRER = "acquirer"
    DIRECTORY_SERVER = "directory server"
    ACS = "ACS"
    BANK = "bank"
    WEBHOOK = "webhook endpoint"


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message between two parties, in world time; `body` is masked."""

    at: datetime
    sender: Party
    receiver: Party
    label: str
    body: Mapping[str, object] = {}


class ExchangeEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="exchange", tag_field="kind"
):
    """One request and its answer. `at` and `until` are world time, `real` is that of this machine.

    `rules` name what the request broke (rule and parameter), `error` is what refused it; `cut` says
    that parts were too long to be kept. `messages`, `decided_by` and `near_misses` are those of the
    far side, where it answered at once.
    """

    ndc: str
    at: datetime
    until: datetime
    real: datetime | None = None
    duration_ms: float
    payments: tuple[str, ...] = ()
    entity: str | None = None
    method: str
    path: str
    request: Mapping[str, str] = {}
    status: int
    answer: msgspec.Raw = msgspec.Raw(b"null")
    code: str = ""
    rules: tuple[str, ...] = ()
    error: str = ""
    cut: bool = False
    messages: tuple[Message, ...] = ()
    decided_by: str = ""
    near_misses: tuple[str, ...] = ()


class FarSideEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="far side", tag_field="kind"
):
    """What was said to the far side and what it answered. `near_misses` are scripts that almost
    decided.
    """

    ndc: str
    at: datetime
    real: datetime | None = None
    payments: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    code: str = ""
    decided_by: str = ""
    near_misses: tuple[str, ...] = ()


class WebhookEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="webhook", tag_field="kind"
):
    """One attempt to deliver a webhook: `status` is what the endpoint answered, or `error` says why
    it did not.
    """

    ndc: str
    at: datetime
    real: datetime | None = None
    duration_ms: float = 0.0
    payments: tuple[str, ...] = ()
    event: str
    event_id: str
    number: int
    url: str
    status: int | None = None
    error: str = ""


class WebhookAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to deliver a webhook, as the courier reports it.

    `ndc` and `payment` are those that caused the event; `event` is its type and action (PAYMENT
    CREATED), `event_id` its identity, the same on every attempt. `status` is what the endpoint
    answered, or `error` says why nothing came; `took` is wire time.
    """

    ndc: str
    payment: str
    event: str
    event_id: str
    number: int
    url: str
    status: int | None = None
    error: str = ""
    took: timedelta = timedelta(0)


Entry = ExchangeEntry | FarSideEntry | WebhookEntry
ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(Entry)
TOLD = (
    "path",
    "request",
    "rules",
    "error",
    "label",
    "body",
    "decided_by",
    "near_misses",
    "url",
    "event",
)


def encoded(entry: Entry, secrets: Collection[str] = (), *, is_masked: bool = False) -> bytes:
    """An entry as the journal keeps it: bytes, masked, with `secrets` nowhere in what it tells.

    `is_masked` says that whoever made it has looked through all of it already.
    """
    body = ENCODER.encode(entry)
    looked = body if is_masked else glance(body, secrets)
    return ENCODER.encode(_masked(entry, secrets)) if looked is None else looked


def decoded(body: bytes) -> Entry:
    """The entry again."""
    return DECODER.decode(body)


def _masked(entry: Entry | Message, secrets: Collection[str]) -> Entry | Message:
    """The entry with everything masked that somebody else wrote; ids and times are ours."""
    told = [name for name in TOLD if name in entry.__struct_fields__]
    changes = {name: masked(getattr(entry, name), secrets) for name in told}
    if isinstance(entry, ExchangeEntry):
        answer = masked(msgspec.json.decode(entry.answer), secrets)
        changes["answer"] = msgspec.Raw(ENCODER.encode(answer))
    if isinstance(entry, ExchangeEntry | FarSideEntry):
        changes["messages"] = tuple(_masked(each, secrets) for each in entry.messages)
    return replace(entry, **changes)


def whole_talk(payment: Payment, ask: Ask, plan: Plan) -> FarSideEntry:
    """Question and answer of an acquirer that answers at once."""
    at = _asked_at(payment)
    return _far_side(
        payment, plan.outcome, plan.near_misses, _asked(ask, at), _answered(plan.outcome, at)
    )


def question(payment: Payment, ask: Ask, plan: Plan) -> FarSideEntry:
    """The question alone, to an acquirer that takes its time."""
    entry = _far_side(payment, plan.outcome, plan.near_misses, _asked(ask, _asked_at(payment)))
    return replace(entry, code="")


def late_answer(payment: Payment, at: datetime) -> FarSideEntry:
    """How a payment that was open or pending ended: by the acquirer, or by the gateway itself."""
    outcome = payment.outcome
    assert outcome is not None, "an ended payment has its outcome"
    sender = Party.GATEWAY if outcome.decided_by in OF_THE_GATEWAY else Party.ACQUIRER
    return _far_side(payment, outcome, (), _answered(outcome, at, sender=sender))


def webhook_entry(attempt: WebhookAttempt, at: datetime) -> WebhookEntry:
    """An attempt as an entry."""
    return WebhookEntry(
        ndc=attempt.ndc,
        at=at,
        duration_ms=milliseconds(attempt.took),
        payments=(attempt.payment,),
        event=attempt.event,
        event_id=attempt.event_id,
        number=attempt.number,
        url=mask_url(attempt.url),
        status=attempt.status,
        error=attempt.error,
    )


def milliseconds(span: timedelta) -> float:
    """`span` in milliseconds, to the microsecond."""
    return span // MICROSECOND / 1000


def _asked_at(payment: Payment) -> datetime:
    assert payment.attempt is not None, "whoever is asked for has an open attempt"
    return payment.attempt.at


def _far_side(
    payment: Payment, outcome: Outcome, near_misses: tuple[str, ...], *messages: Message
) -> FarSideEntry:
    return FarSideEntry(
        ndc=payment.ndc,
        at=messages[0].at,
        payments=(payment.id,),
        messages=messages,
        code=outcome.code,
        decided_by=outcome.decided_by,
        near_misses=near_misses,
    )


def _asked(ask: Ask, at: datetime) -> Message:
    return Message(
        at=at,
        sender=Party.GATEWAY,
        receiver=Party.ACQUIRER,
        label=f"{ask.type} {ask.money}" if ask.money else str(ask.type),
        body=_body_of(ask),
    )


def _answered(outcome: Outcome, at: datetime, *, sender: Party = Party.ACQUIRER) -> Message:
    body: dict[str, object] = {"code": outcome.code, **outcome.details}
    if outcome.avs is not None:
        body["avsResponse"] = outcome.avs
    if outcome.cvv is not None:
        body["cvvResponse"] = outcome.cvv
    if outcome.risk_score is not None:
        body["risk.score"] = outcome.risk_score
    return Message(
        at=at,
        sender=sender,
        receiver=Party.GATEWAY,
        label=outcome.code,
        body=body,
    )


def _body_of(ask: Ask) -> dict[str, object]:
    body: dict[str, object] = {"trace": ask.trace, "entity": ask.entity}
    if ask.original is not None:
        body["original"] = ask.original
    if ask.number is not None:
        body["card.number"] = masked_value(ask.number, Kind.CARD_NUMBER)
    if ask.cvv is not None:
        body["card.cvv"] = MASK
    # Their values stand in the request; to repeat them would double the cost of the journal.
    body["parameters"] = [*ask.parameters]
    return body
