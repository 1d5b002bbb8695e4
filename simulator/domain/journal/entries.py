"""The journal of a sandbox: what was asked, what was answered, and who decided it.

Three kinds of entries, in the order in which they happened. Each names the ndc of the exchange it
belongs to and the payments it is about; what came later (a webhook, an answer after days) has the
ndc of the exchange that caused it. Entries are made masked: see masking.py.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.host_entries import NO_LINE, NOT_SENDABLE, REVERSED, UNANSWERED
from simulator.domain.core.masking import glance, mask_url, masked
from simulator.domain.core.records import Outcome, Payment, State
from simulator.domain.payments.pending import EXPIRED
from simulator.domain.payments.responses import REVERSED_AT_START
from simulator.domain.risk import RiskDecision, RiskRequest
from simulator.domain.three_d_secure.authentications import FLOW, WORD

MICROSECOND = timedelta(microseconds=1)
# What the gateway makes of a silence, or decides itself: nobody sent it that.
OF_THE_GATEWAY = frozenset(
    {WORD}
    | {
        each.decided_by
        for each in (EXPIRED, REVERSED_AT_START, UNANSWERED, REVERSED, NO_LINE, NOT_SENDABLE)
    }
)


class Party(StrEnum):
    """Who may talk to whom; the order is that of the columns of a trace."""

    SHOPPER = "shopper"
    MERCHANT = "merchant"
    TERMINAL = "terminal"
    GATEWAY = "gateway"
    RISK_SYSTEM = "risk system"
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
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    gc=False,
    tag="exchange",
    tag_field="kind",
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


def encoded(entry: Entry, secrets: Collection[str] = ()) -> bytes:
    """An entry as the journal keeps it: bytes, masked, with `secrets` nowhere in what it tells."""
    looked = glance(ENCODER.encode(entry), secrets)
    return ENCODER.encode(_masked(entry, secrets)) if looked is None else looked


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


def late_answer(payment: Payment, at: datetime) -> FarSideEntry:
    """How a payment that was open or pending ended: by the acquirer, or by the gateway itself."""
    outcome = payment.outcome
    assert outcome is not None, "an ended payment has its outcome"
    about = (payment.ndc, payment.id)
    return far_side(about, outcome, (), answered(outcome, at, sender=_ender_of(payment, outcome)))


def risk_talk(payment: Payment, request: RiskRequest, decision: RiskDecision) -> FarSideEntry:
    """What the risk system was asked of a payment, and what it said."""
    at = payment.created_at
    money = f" {request.money}" if request.money else ""
    said: dict[str, object] = {"risk.score": decision.score}
    return FarSideEntry(
        ndc=payment.ndc,
        at=at,
        payments=(payment.id,),
        messages=(
            Message(
                at=at,
                sender=Party.GATEWAY,
                receiver=Party.RISK_SYSTEM,
                label=f"{request.type}{money}",
                body=_risk_body(request),
            ),
            Message(
                at=at,
                sender=Party.RISK_SYSTEM,
                receiver=Party.GATEWAY,
                label=decision.code or "passed",
                body=said if decision.code is None else {**said, "code": decision.code},
            ),
        ),
        code=decision.code or "",
        decided_by=decision.decided_by,
    )


def page_asked(payment: Payment, at: datetime, label: str) -> FarSideEntry:
    """What the shopper did on the redirect page."""
    return _on_the_page(payment, at, (Party.SHOPPER, Party.BANK), label)


def page_shown(payment: Payment, at: datetime, label: str) -> FarSideEntry:
    """What the redirect page answered him."""
    return _on_the_page(payment, at, (Party.BANK, Party.SHOPPER), label)


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
        url=_place_of(attempt.url),
        status=attempt.status,
        error=attempt.error,
    )


@lru_cache(maxsize=256)
def _place_of(url: str) -> str:
    """An address, masked: the same few are called again and again."""
    return mask_url(url)


def milliseconds(span: timedelta) -> float:
    """`span` in milliseconds, to the microsecond."""
    return span // MICROSECOND / 1000


def _on_the_page(
    payment: Payment, at: datetime, way: tuple[Party, Party], label: str
) -> FarSideEntry:
    message = Message(at=at, sender=way[0], receiver=way[1], label=label)
    return FarSideEntry(ndc=payment.ndc, at=at, payments=(payment.id,), messages=(message,))


def teller_of(outcome: Outcome) -> Party:
    """Who said how a payment ends: the acquirer, or the gateway itself where nobody answered."""
    return Party.GATEWAY if outcome.decided_by in OF_THE_GATEWAY else Party.ACQUIRER


def _ender_of(payment: Payment, outcome: Outcome) -> Party:
    """Who ended a payment; where the shopper was redirected, those he was redirected to."""
    if teller_of(outcome) is Party.GATEWAY:
        return Party.GATEWAY
    is_of_the_bank = payment.redirect is not None and payment.state is not State.PENDING
    if FLOW in payment.shown:
        return Party.ACQUIRER
    return Party.BANK if is_of_the_bank else Party.ACQUIRER


def far_side(
    about: tuple[str, str], outcome: Outcome, near_misses: tuple[str, ...], *messages: Message
) -> FarSideEntry:
    """What was said about a payment (`about`: its ndc and its id) between gateway and far side."""
    ndc, payment = about
    return FarSideEntry(
        ndc=ndc,
        at=messages[0].at,
        payments=(payment,),
        messages=messages,
        code=outcome.code,
        decided_by=outcome.decided_by,
        near_misses=near_misses,
    )


def _risk_body(request: RiskRequest) -> dict[str, object]:
    body = {"brand": request.brand, "at": request.at.isoformat(), "service": request.service}
    sent: dict[str, object] = {name: value for name, value in body.items() if value is not None}
    sent["parameters"] = [*request.parameters]
    return sent


def answered(outcome: Outcome, at: datetime, *, sender: Party = Party.ACQUIRER) -> Message:
    """The answer that brought `outcome`."""
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
