"""Behaviours as records: the shape of a document that behaviour.schema.json has judged."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec


class Fixed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same wait every time, in seconds."""

    seconds: Annotated[float, msgspec.Meta(ge=0)]


class Lognormal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawn wait: median in seconds, sigma of its logarithm, seed."""

    median_s: Annotated[float, msgspec.Meta(gt=0)]
    sigma: Annotated[float, msgspec.Meta(ge=0)]
    seed: int


class Latency(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long an answer takes: exactly one of the two."""

    fixed: Fixed | None = None
    lognormal: Lognormal | None = None


class BankReturn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bank takes the money back after so many days of world time, for this reason."""

    days: int
    code: str


class Approve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Yes, with what an acquirer may add. Letters None: the acquirer says nothing of them."""

    avs: str | None = None
    cvv: str | None = None
    risk_score: int | None = None
    details: Mapping[str, str] = {}
    returned: BankReturn | None = None
    status_text: str | None = None


class Decline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No, with a result code of the catalogue."""

    code: str
    avs: str | None = None
    cvv: str | None = None
    risk_score: int | None = None
    status_text: str | None = None


class Final(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a pending payment ends: exactly one of the two."""

    approve: Approve | None = None
    decline: Decline | None = None


class Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No answer yet. With `then`, the final one after `seconds` of world time; else whenever
    released.
    """

    seconds: float = 0
    then: Final | None = None


class BehaviourAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer: exactly one of approve and decline, after a latency."""

    latency: Latency | None = None
    approve: Approve | None = None
    decline: Decline | None = None


class Following(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step that says everything by its name."""


class AcquirerSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the acquirer does: one answer, or that answer `fail_times` times and `then` for ever; or
    it does not respond.
    """

    latency: Latency | None = None
    approve: Approve | None = None
    decline: Decline | None = None
    pending: Pending | None = None
    no_response: Following | None = None
    fail_times: int | None = None
    then: BehaviourAnswer | None = None


class Attempts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many attempts from the first on; without a number every attempt."""

    attempts: int | None = None


class Copies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many copies of what was delivered."""

    times: int = 1


class WebhookSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to notifications on their way: any of these, together."""

    lose: Attempts | None = None
    delay: Fixed | None = None
    duplicate: Copies | None = None
    reorder: Following | None = None
    corrupt: Attempts | None = None
    wrong_key: Attempts | None = None


class AmountLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No more than so much, such as "500.00"."""

    over: str


class Velocity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """At most so many payments by the same account, email or ip in so many seconds."""

    by: Literal["account", "email", "ip"]
    payments: int
    seconds: int


class DenyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing of these; cards by their first six digits."""

    bins: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    ips: tuple[str, ...] = ()


class Device(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """None of these browser fingerprints; where it is `required`, not none either."""

    deny: tuple[str, ...] = ()
    required: bool = False


class RiskSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the risk system does: it declines what one of these checks finds, else it passes.

    `decline` is a code that everything is declined with; `code` replaces that of any check, `score`
    the usual score.
    """

    decline: str | None = None
    deny: DenyList | None = None
    fingerprint: Device | None = None
    country_mismatch: Following | None = None
    amount: AmountLimit | None = None
    velocity: Velocity | None = None
    code: str | None = None
    score: int | None = None


LinkFault = Literal[
    "timeout", "late", "silent", "duplicate", "wrong_stan", "garble", "drop", "sign_off",
    "slow_start",
]  # fmt: skip


class IssuerSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the issuer says to a card at a terminal: its response code, in place of what it would
    decide, commands to the card, and whether its answer to the cryptogram is wrong or missing.
    """

    response: str | None = None
    commands: tuple[str, ...] = ()
    authentication: Literal["wrong", "none"] | None = None


AcsStep = Literal[
    "frictionless", "attempt", "challenge", "reject", "unavailable", "not_enrolled",
    "bad_signature", "replay", "wrong_id", "tampered_status", "no_answer", "late",
]  # fmt: skip


class Interruption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The connection ends, before the request is carried out or after it."""

    carried_out: bool = True


class SlowAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer is sent, in pieces over so many seconds of real time."""

    seconds: float = 10.0


class HeldAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing is sent; after so many seconds of real time the connection is closed."""

    carried_out: bool = True
    seconds: float = 60.0


class ProxyAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proxy in between answers with a page."""

    carried_out: bool = True
    status: int = 502


class TransportSteps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to the connection of a client: exactly one of these."""

    reset: Interruption | None = None
    close: Interruption | None = None
    cut: Following | None = None
    slow: SlowAnswer | None = None
    no_answer: HeldAnswer | None = None
    not_json: Following | None = None
    proxy_error: ProxyAnswer | None = None


class Steps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each simulator does: one of them, or several.

    `bank` is what the shopper chooses on the redirect page of a bank, as soon as it is opened;
    `link` is what happens to the answer of the card host on its line; `issuer` is what the issuer
    answers a card at a terminal; `acs` is how 3-D Secure 2 takes the card; `transport`, always
    alone, is what happens to the connection of the client.
    """

    risk: RiskSteps | None = None
    acquirer: AcquirerSteps | None = None
    bank: Literal["pay", "cancel", "fail", "leave"] | None = None
    link: LinkFault | None = None
    issuer: IssuerSteps | None = None
    acs: AcsStep | None = None
    webhooks: WebhookSteps | None = None
    transport: TransportSteps | None = None


class Behaviour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the simulators answer, and which requests unless the script that arms it says
    otherwise.
    """

    name: str
    title: str
    description: str
    steps: Steps
    match: Mapping[str, object] = {}


def behaviour_of(document: Mapping[str, object]) -> Behaviour:
    """The record of a judged document. Raises msgspec.ValidationError where it was not judged."""
    return msgspec.convert(document, Behaviour)


def document_of(behaviour: Behaviour) -> dict[str, Any]:
    """The document again, without the parts that were left out: what a script stores."""
    document: dict[str, Any] = _without_none(msgspec.to_builtins(behaviour))
    return document


def said(answer: BehaviourAnswer | AcquirerSteps | Final) -> Approve | Decline:
    """What an answer says. A judged one says one of the two; silence would be an approval."""
    return answer.decline or answer.approve or Approve()


def pending_in(answer: BehaviourAnswer | AcquirerSteps) -> Pending | None:
    """The pending an answer begins with, or None where it is final at once."""
    return answer.pending if isinstance(answer, AcquirerSteps) else None


def is_silent(answer: BehaviourAnswer | AcquirerSteps) -> bool:
    """Whether there is no answer at all."""
    return isinstance(answer, AcquirerSteps) and answer.no_response is not None


def counts(behaviour: Behaviour) -> bool:
    """Whether its answers depend on how often it was asked: then it needs a script to count."""
    steps = behaviour.steps.acquirer
    return steps is not None and steps.fail_times is not None


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return value
