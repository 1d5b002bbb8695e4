"""The journal of a sandbox: requests, responses, and who decided the outcome.

It has four kinds of entries, in the order of events. Each names the ndc of the exchange it belongs
to and the payments it is about; a later entry (a webhook, a response after days) has the ndc of the
exchange that caused it. Entries are masked before they are stored: see masking.py.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.host_entries import NO_LINE, NOT_SENDABLE, REVERSED, UNANSWERED
from simulator.domain.core.records import Outcome, Payment, State
from simulator.domain.masking.masking import mask_url
from simulator.domain.payments.pending import EXPIRED
from simulator.domain.payments.responses import REVERSED_AT_START
from simulator.domain.risk import RiskDecision, RiskRequest
from simulator.domain.three_d_secure.authentications import FLOW, WORD

NO_ANSWER = msgspec.Raw(b"null")
LAST_STEP = "further steps are not recorded"
# What stands before the id of a registration in the key of an entry that only lists it.
LISTED = "listed "
MICROSECOND = timedelta(microseconds=1)
# Outcomes that the gateway decides itself, for instance after a time-out: no party sent them.
OF_THE_GATEWAY = frozenset(
    {WORD}
    | {
        each.decided_by
        for each in (EXPIRED, REVERSED_AT_START, UNANSWERED, REVERSED, NO_LINE, NOT_SENDABLE)
    }
)


class Party(StrEnum):
    """The parties that exchange messages, in the order of the columns of a trace."""

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
    """One message between two parties, in sandbox time; `body` is masked."""

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
    """One request and its response. `at` and `until` are sandbox time, `real` is wire time.

    `rules` name the violations (rule and parameter), `error` is the refusal or fault, `transport`
    what a script did to the connection; `cut` means that parts were too long to be stored.
    `messages`, `decided_by` and `near_misses` are those of the acquirer, where it responded at
    once. `checkout` is the one it is about; `sender` is the shopper where a hosted form posted.
    `listed` are the registrations in the list that was answered: it is found by them only to be
    forgotten, and never shows them.
    """

    ndc: str
    at: datetime
    until: datetime
    real: datetime | None = None
    duration_ms: float
    payments: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    checkout: str = ""
    sender: Party = Party.MERCHANT
    entity: str | None = None
    method: str
    path: str
    request: Mapping[str, str] = {}
    status: int
    answer: msgspec.Raw = NO_ANSWER
    code: str = ""
    rules: tuple[str, ...] = ()
    error: str = ""
    transport: str = ""
    cut: bool = False
    messages: tuple[Message, ...] = ()
    decided_by: str = ""
    near_misses: tuple[str, ...] = ()


class SimulatorEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="far side", tag_field="kind"
):
    """Messages between the gateway and a simulator. `near_misses` are scripts that matched all but
    one criterion.
    """

    ndc: str
    at: datetime
    real: datetime | None = None
    payments: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    code: str = ""
    decided_by: str = ""
    near_misses: tuple[str, ...] = ()


class BrowserEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="browser", tag_field="kind"
):
    """A step of the shopper's browser on a page or form of the gateway or a simulator, or the
    answer to it. Of one payment or checkout a journal keeps a limited number: a browser needs no
    right to come. Nothing that was typed is in it.
    """

    ndc: str
    at: datetime
    real: datetime | None = None
    payments: tuple[str, ...] = ()
    checkout: str = ""
    messages: tuple[Message, ...] = ()

    @property
    def about(self) -> str:
        """The payment whose steps are counted, or the checkout of a form."""
        return self.payments[0] if self.payments else self.checkout


class WebhookEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="webhook", tag_field="kind"
):
    """One attempt to deliver a webhook event: `status` of the response, or `error` why there was
    none.
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
    """One attempt to deliver a webhook event, as the dispatcher reports it.

    `ndc` and `payment` are those that caused the event; `event` is its type and action (PAYMENT
    CREATED), `event_id` is the same at every attempt. `status` is that of the response, or `error`
    says why there was none; `took` is wire time.
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


Entry = ExchangeEntry | SimulatorEntry | BrowserEntry | WebhookEntry


def create_late_response_entry(payment: Payment, at: datetime) -> SimulatorEntry:
    """The final outcome of a payment that was open or pending."""
    outcome = payment.outcome
    assert outcome is not None, "an ended payment has its outcome"
    about = (payment.ndc, payment.id)
    return create_simulator_entry(
        about,
        outcome,
        (),
        create_response_message(outcome, at, sender=_final_sender(payment, outcome)),
    )


def create_risk_entry(
    payment: Payment, request: RiskRequest, decision: RiskDecision
) -> SimulatorEntry:
    """The request to the risk system about a payment, and its response."""
    at = payment.created_at
    money = f" {request.money}" if request.money else ""
    body: dict[str, object] = {"risk.score": decision.score}
    return SimulatorEntry(
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
                body=body if decision.code is None else {**body, "code": decision.code},
            ),
        ),
        code=decision.code or "",
        decided_by=decision.decided_by,
    )


def create_browser_entry(
    payment: Payment,
    at: datetime,
    way: tuple[Party, Party],
    label: str,
    *,
    body: Mapping[str, object] | None = None,
) -> BrowserEntry:
    """A step of the browser of a payment's shopper, or the answer to it."""
    message = Message(at=at, sender=way[0], receiver=way[1], label=label, body=body or {})
    return BrowserEntry(
        ndc=payment.ndc,
        at=at,
        payments=(payment.id,),
        checkout=payment.checkout or "",
        messages=(message,),
    )


def last_step(entry: BrowserEntry) -> BrowserEntry:
    """The last step of a payment that a journal keeps, which says so."""
    messages = tuple(replace(each, label=f"{each.label}; {LAST_STEP}") for each in entry.messages)
    return replace(entry, messages=messages)


def keys_of(entry: Entry) -> tuple[str, ...]:
    """The ids by which an entry is found: ndc, payments, and the checkout; and those of what it
    lists, as keys of their own.
    """
    keys = (entry.ndc, *entry.payments)
    if isinstance(entry, ExchangeEntry) and entry.listed:
        keys = (*keys, *map(listing_key, entry.listed))
    if isinstance(entry, ExchangeEntry | BrowserEntry) and entry.checkout:
        return (*keys, entry.checkout)
    return keys


def listing_key(identity: str) -> str:
    """The key of the entries that list the registration with this id."""
    return f"{LISTED}{identity}"


def create_webhook_entry(attempt: WebhookAttempt, at: datetime) -> WebhookEntry:
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


def outcome_sender(outcome: Outcome) -> Party:
    """Who decided the outcome: the acquirer, or the gateway itself."""
    is_own = outcome.decided_by in OF_THE_GATEWAY or outcome.code == REVERSED.code
    return Party.GATEWAY if is_own else Party.ACQUIRER


def _final_sender(payment: Payment, outcome: Outcome) -> Party:
    """Who decided the outcome of a payment; after a redirect, the party redirected to."""
    if outcome_sender(outcome) is Party.GATEWAY:
        return Party.GATEWAY
    is_of_the_bank = payment.redirect is not None and payment.state is not State.PENDING
    if FLOW in payment.shown:
        return Party.ACQUIRER
    return Party.BANK if is_of_the_bank else Party.ACQUIRER


def create_simulator_entry(
    about: tuple[str, str], outcome: Outcome, near_misses: tuple[str, ...], *messages: Message
) -> SimulatorEntry:
    """Messages about a payment (`about`: its ndc and its id) with a simulator."""
    ndc, payment = about
    return SimulatorEntry(
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


def create_response_message(
    outcome: Outcome, at: datetime, *, sender: Party = Party.ACQUIRER
) -> Message:
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


def without_content(entry: Entry) -> Entry:
    """`entry` without what its messages said, and what near misses repeat of it: who sent which
    kind of message when, and the result code, are left.
    """
    if isinstance(entry, WebhookEntry):
        return entry
    messages = tuple(replace(each, body={}) for each in entry.messages)
    if isinstance(entry, ExchangeEntry):
        return replace(
            entry, request={}, answer=NO_ANSWER, error="", messages=messages, near_misses=()
        )
    if isinstance(entry, SimulatorEntry):
        return replace(entry, messages=messages, near_misses=())
    return replace(entry, messages=messages)
