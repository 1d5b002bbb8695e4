"""What was told of an exchange, kept as it was told: entries are made of it when somebody reads.

Nearly all entries of a journal are never read, so what they are made of is kept: texts, numbers and
frozen records, and no secret among them.
"""

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.fields import KIND
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.masking import MASK, Kind, masked_proof, masked_value
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, Payment, PaymentType
from simulator.domain.core.shown_parameters import NUL, parameters_in
from simulator.domain.journal.entries import (
    DECODER,
    ENCODER,
    Entry,
    ExchangeEntry,
    FarSideEntry,
    Message,
    Party,
    answered,
    far_side,
    teller_of,
)

# What shows that the shopper was authenticated; the proofs of it are masked.
PROOFS = ("threeDSecure.verificationId", "threeDSecure.xid")
AUTHENTICATION = (
    "threeDSecure.eci",
    *PROOFS,
    "threeDSecure.dsTransactionId",
    "threeDSecure.version",
    "threeDSecure.authenticationStatus",
)


class Talk(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Question and answer of an acquirer that answers at once: what their messages are made of when
    somebody reads. Of the card only its masked number is kept, of the parameters their names,
    joined by NUL. Over the card link it was the message `card`, masked, with the parameters `sent`.
    """

    ndc: str
    payment: str
    at: datetime
    type: PaymentType
    money: Money | None
    trace: int
    entity: str
    original: str | None
    number: str | None
    has_code: bool
    parameters: str
    authentication: Mapping[str, str] = {}
    outcome: Outcome
    near_misses: tuple[str, ...]
    card: Mapping[str, str] | None = None
    sent: Mapping[str, str] = {}

    def entry(self) -> FarSideEntry:
        """The entry it makes, as if it had been told of by itself."""
        answer = answered(self.outcome, self.at, sender=teller_of(self.outcome))
        messages = (_asked(self), answer)
        return far_side((self.ndc, self.payment), self.outcome, self.near_misses, *messages)


class Told(msgspec.Struct, frozen=True, gc=False):
    """An exchange in which nothing is left to mask, with what was said to the far side.

    It is kept as it is, for most entries are never read. `entry` has neither parameters nor
    messages yet; `names` and `values` of the parameters are joined by NUL.
    """

    entry: ExchangeEntry
    names: str
    values: str
    talk: Talk | None = None

    def whole(self) -> ExchangeEntry:
        """The entry with all that belongs to it."""
        return whole_entry(self.entry, parameters_in(self.names, self.values), self.talk)


def packed(kept: bytes | Told) -> bytes:
    """What the journal keeps, as bytes: for a file."""
    return ENCODER.encode(kept.whole()) if isinstance(kept, Told) else kept


def entry_in(kept: bytes | Told) -> Entry:
    """The entry that the journal keeps."""
    return kept.whole() if isinstance(kept, Told) else DECODER.decode(kept)


def whole_entry(
    entry: ExchangeEntry, request: Mapping[str, str], talk: Talk | None
) -> ExchangeEntry:
    """The entry with its parameters, and what was said to the far side."""
    if talk is None:
        return replace(entry, request=request)
    said = talk.entry()
    return replace(
        entry,
        request=request,
        messages=said.messages,
        decided_by=said.decided_by,
        near_misses=said.near_misses,
    )


def whole_talk(payment: Payment, ask: AcquirerRequest, plan: AcquirerResponse) -> Talk:
    """Question and answer of an acquirer that answers at once."""
    return Talk(
        ndc=payment.ndc,
        payment=payment.id,
        at=_asked_at(payment),
        type=ask.type,
        money=ask.money,
        trace=ask.trace,
        entity=ask.entity,
        original=ask.original,
        number=None if ask.number is None else masked_value(ask.number, Kind.CARD_NUMBER),
        has_code=ask.cvv is not None,
        parameters=NUL.join(ask.parameters),
        authentication=_authentication_in(ask.parameters),
        outcome=plan.outcome,
        near_misses=plan.near_misses,
    )


def question(payment: Payment, ask: AcquirerRequest, plan: AcquirerResponse) -> FarSideEntry:
    """The question alone, to an acquirer that takes its time."""
    talk = whole_talk(payment, ask, plan)
    about = (payment.ndc, payment.id)
    return replace(far_side(about, plan.outcome, plan.near_misses, _asked(talk)), code="")


def _asked(talk: Talk) -> Message:
    if talk.card is not None:
        return _asked_by_card(talk, talk.card)
    return Message(
        at=talk.at,
        sender=Party.GATEWAY,
        receiver=Party.ACQUIRER,
        label=f"{talk.type} {talk.money}" if talk.money else str(talk.type),
        body=_body_of(talk),
    )


def _asked_by_card(talk: Talk, card: Mapping[str, str]) -> Message:
    return Message(
        at=talk.at,
        sender=Party.GATEWAY,
        receiver=Party.ACQUIRER,
        label=card[KIND],
        body={**card, "parameters": talk.sent},
    )


def _authentication_in(parameters: Mapping[str, str]) -> dict[str, str]:
    """What the acquirer is told of an authentication, whoever made it: no request need show it."""
    return {
        name: masked_proof(parameters[name]) if name in PROOFS else parameters[name]
        for name in AUTHENTICATION
        if name in parameters
    }


def _asked_at(payment: Payment) -> datetime:
    assert payment.attempt is not None, "whoever is asked for has an open attempt"
    return payment.attempt.at


def _body_of(talk: Talk) -> dict[str, object]:
    body: dict[str, object] = {"trace": talk.trace, "entity": talk.entity}
    if talk.original is not None:
        body["original"] = talk.original
    if talk.number is not None:
        body["card.number"] = talk.number
    if talk.has_code:
        body["card.cvv"] = MASK
    body |= talk.authentication
    # Their values stand in the request; to repeat them would double the cost of the journal.
    body["parameters"] = talk.parameters.split(NUL) if talk.parameters else []
    return body
