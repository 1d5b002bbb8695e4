"""Exchanges as the journal records them; the full entry is built when it is read.

Most entries are never read, so the parts of an entry are recorded: texts, numbers and frozen
records, and no secret among them.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from simulator.domain.acquiring.fields import KIND
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, Payment, PaymentType
from simulator.domain.journal.bounds import NAMES_LENGTH_MAX, PART_MAX, beginning_of
from simulator.domain.journal.entries import (
    Entry,
    ExchangeEntry,
    Message,
    Party,
    SimulatorEntry,
    create_response_message,
    create_simulator_entry,
    outcome_sender,
)
from simulator.domain.journal.stored import DECODER, ENCODER, with_readable_answer
from simulator.domain.masking.card_numbers import SHOWN_AT_END
from simulator.domain.masking.masking import (
    MASK,
    ValueKind,
    glance,
    masked,
    masked_value,
)
from simulator.domain.masking.shown_parameters import NUL, parameters_in
from simulator.grammar.remembered import LENGTH_MAX

# The authentication of the shopper; the proofs of it are masked.
PROOFS = ("threeDSecure.verificationId", "threeDSecure.xid")
AUTHENTICATION = (
    "threeDSecure.eci",
    *PROOFS,
    "threeDSecure.dsTransactionId",
    "threeDSecure.version",
    "threeDSecure.authenticationStatus",
)
AUTHENTICATION_NAMES = frozenset(AUTHENTICATION)
ACCOUNT_MARKER = b'"bankAccount":{'
REDIRECT_MARKER, SECURE_MARKER = b"/redirect/", b"/threeDSecure/"
REDIRECT = re.compile(rb"(/(?:redirect|threeDSecure)/[0-9a-f]{32}/[0-9a-f]{32}/)[0-9a-f]{48}")


class AcquirerExchange(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Request and response of an acquirer that responds at once. Of the card only the masked number
    is recorded, of the parameters their names, joined by NUL. Over the card link the request was
    the message `card`, masked, with the parameters `sent`, which are masked when it is stored.
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

    @property
    def count(self) -> int:
        """How many parameters it names."""
        return self.parameters.count(NUL) + 1

    def to_entry(self) -> SimulatorEntry:
        """The exchange as an entry of its own."""
        answer = create_response_message(self.outcome, self.at, sender=outcome_sender(self.outcome))
        messages = (_request_message(self), answer)
        return create_simulator_entry(
            (self.ndc, self.payment), self.outcome, self.near_misses, *messages
        )


class MaskedExchange(msgspec.Struct, frozen=True, gc=False):
    """An exchange with nothing left to mask, with that of the acquirer.

    `entry` has neither parameters nor messages yet; `names` and `values` of the parameters are
    joined by NUL.
    """

    entry: ExchangeEntry
    names: str
    values: str
    acquirer: AcquirerExchange | None = None

    def to_entry(self) -> ExchangeEntry:
        """The complete entry."""
        return complete_entry(self.entry, parameters_in(self.names, self.values), self.acquirer)


def encode_body(body: bytes | MaskedExchange) -> bytes:
    """A recorded body as bytes, for a file."""
    return ENCODER.encode(body.to_entry()) if isinstance(body, MaskedExchange) else body


def decode_body(body: bytes | MaskedExchange) -> Entry:
    """The entry of a recorded body. Raises DecodeError, UnicodeDecodeError."""
    entry = body.to_entry() if isinstance(body, MaskedExchange) else DECODER.decode(body)
    return with_readable_answer(entry)


def complete_entry(
    entry: ExchangeEntry, request: Mapping[str, str], acquirer: AcquirerExchange | None
) -> ExchangeEntry:
    """The entry with its parameters, and the messages of the acquirer."""
    if acquirer is None:
        return replace(entry, request=request)
    sent = acquirer.to_entry()
    return replace(
        entry,
        request=request,
        messages=sent.messages,
        decided_by=sent.decided_by,
        near_misses=sent.near_misses,
    )


def is_clean(exchange: AcquirerExchange) -> bool:
    """Whether nothing is left to mask in what an exchange has beside the values that were sent: its
    names may have come earlier, as with a checkout.
    """
    values = [*exchange.authentication.values(), *exchange.near_misses]
    are_clean = not values or _is_clean(NUL.join(values))
    names = exchange.parameters
    are_kept = len(names) <= LENGTH_MAX
    return are_clean and (_are_clean_names(names) if are_kept else _is_clean(names))


def _is_clean(text: str) -> bool:
    raw = text.encode()
    return glance(raw) is raw


# A client sends the same names each time. Long ones would take much memory.
_are_clean_names = lru_cache(maxsize=256)(_is_clean)


def record_acquirer_exchange(
    payment: Payment, ask: AcquirerRequest, plan: AcquirerResponse
) -> AcquirerExchange:
    """Request and response of an acquirer that responds at once."""
    return AcquirerExchange(
        ndc=payment.ndc,
        payment=payment.id,
        at=_requested_at(payment),
        type=ask.type,
        money=ask.money,
        trace=ask.trace,
        entity=ask.entity,
        original=ask.original,
        number=None if ask.number is None else masked_value(ask.number, ValueKind.CARD_NUMBER),
        has_code=ask.cvv is not None,
        parameters=_names_of(ask.parameters),
        authentication=_authentication_in(ask.parameters),
        outcome=plan.outcome,
        near_misses=plan.near_misses,
    )


def _names_of(parameters: Mapping[str, str]) -> str:
    """The names of parameters, joined by NUL; of many the first."""
    names = NUL.join(parameters)
    if len(names) <= NAMES_LENGTH_MAX:
        return names
    return NUL.join(beginning_of(parameters, PART_MAX))


def create_request_entry(
    payment: Payment, ask: AcquirerRequest, plan: AcquirerResponse
) -> SimulatorEntry:
    """The request alone, to an acquirer that responds later."""
    exchange = record_acquirer_exchange(payment, ask, plan)
    about = (payment.ndc, payment.id)
    return replace(
        create_simulator_entry(about, plan.outcome, plan.near_misses, _request_message(exchange)),
        code="",
    )


def _request_message(exchange: AcquirerExchange) -> Message:
    if exchange.card is not None:
        return _card_request_message(exchange, exchange.card)
    return Message(
        at=exchange.at,
        sender=Party.GATEWAY,
        receiver=Party.ACQUIRER,
        label=f"{exchange.type} {exchange.money}" if exchange.money else str(exchange.type),
        body=_request_body(exchange),
    )


def masked_accounts(answer: bytes) -> bytes:
    """An answer in JSON without the numbers of the bank accounts in it. Choice: D-150."""
    if ACCOUNT_MARKER not in answer:
        return answer
    return msgspec.json.encode(masked(msgspec.json.decode(answer)))


def masked_redirects(answer: bytes) -> bytes:
    """An answer in JSON without what opens the redirect page of a shopper. Choice: D-135."""
    is_marked = REDIRECT_MARKER in answer or SECURE_MARKER in answer
    return REDIRECT.sub(rb"\1***", answer) if is_marked else answer


def _card_request_message(exchange: AcquirerExchange, card: Mapping[str, str]) -> Message:
    return Message(
        at=exchange.at,
        sender=Party.GATEWAY,
        receiver=Party.ACQUIRER,
        label=card[KIND],
        body={**card, "parameters": exchange.sent},
    )


def _authentication_in(parameters: Mapping[str, str]) -> dict[str, str]:
    """The authentication as the acquirer gets it; no request of the merchant need contain it."""
    if parameters.keys().isdisjoint(AUTHENTICATION_NAMES):
        return {}
    return {
        name: _masked_proof(parameters[name]) if name in PROOFS else parameters[name]
        for name in AUTHENTICATION
        if name in parameters
    }


def _masked_proof(value: str) -> str:
    """Enough of it to tell two apart, not enough to use it again."""
    return f"{value[:SHOWN_AT_END]}{MASK}"


def _requested_at(payment: Payment) -> datetime:
    assert payment.attempt is not None, "a request to the acquirer has an open attempt"
    return payment.attempt.at


def _request_body(exchange: AcquirerExchange) -> dict[str, object]:
    body: dict[str, object] = {"trace": exchange.trace, "entity": exchange.entity}
    if exchange.original is not None:
        body["original"] = exchange.original
    if exchange.number is not None:
        body["card.number"] = exchange.number
    if exchange.has_code:
        body["card.cvv"] = MASK
    body |= exchange.authentication
    # Their values are in the request; to repeat them would double the size of the journal.
    body["parameters"] = exchange.parameters.split(NUL) if exchange.parameters else []
    return body
