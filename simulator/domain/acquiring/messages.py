"""Asks as card messages: which field carries what, written and read; answers are in `answers.py`.

The gateway and the card host both read here, so neither can mean something else by a field.
Choices: D-184, D-185.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple
from zlib import crc32

import msgspec

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.acquiring.terminal_data import (
    READ_BY_TERMINAL,
    data_in,
    fields_of,
    number_in,
)
from simulator.domain.core.hosts import LIVE, TEST, Host
from simulator.domain.core.money import CENT, Money
from simulator.domain.core.records import PaymentType
from simulator.grammar.payment_types import MessageForm

Message = Mapping[str, str]

SIGN_ON, SIGN_OFF, ECHO = "001", "002", "301"
NETWORK, NETWORK_ANSWER = "0800", "0810"
# What reports a payment that the card approved offline, for the request that would have asked it.
OFFLINE: Mapping[str, str] = {"0100": "0120", "0200": "0220"}
REVERSAL, REVERSAL_REPEATED, ADVICE = "0400", "0401", "0420"
REVERSALS = frozenset({REVERSAL, REVERSAL_REPEATED, ADVICE, "0421"})
ANSWERS: Mapping[str, str] = {
    "0100": "0110", "0120": "0130", "0200": "0210", "0220": "0230", "0400": "0410",
    "0401": "0410", "0420": "0430", "0421": "0430", NETWORK: NETWORK_ANSWER,
}  # fmt: skip
REQUESTS = frozenset(ANSWERS)
# The fields by which an answer finds its request.
MATCHED: Mapping[str, str] = {"11": "trace number", "37": "reference", "41": "terminal"}


# fmt: off
# Which parameters have a place of their own: field, tag, parameter. All others stand in field 63.
PLACES = (
    ("48", "10", "standingInstruction.type"),
    ("48", "11", "standingInstruction.mode"),
    ("48", "12", "standingInstruction.source"),
    ("48", "13", "standingInstruction.initialTransactionId"),
    ("48", "14", "standingInstruction.industryPractice"),
    ("48", "15", "standingInstruction.expiry"),
    ("48", "16", "standingInstruction.frequency"),
    ("48", "17", "standingInstruction.numberOfInstallments"),
    ("48", "18", "recurringType"),
    ("61", "01", "billing.street1"),
    ("61", "02", "billing.postcode"),
    ("61", "03", "billing.city"),
    ("61", "04", "billing.country"),
    ("62", "01", "threeDSecure.eci"),
    ("62", "02", "threeDSecure.verificationId"),
    ("62", "03", "threeDSecure.xid"),
    ("62", "04", "threeDSecure.dsTransactionId"),
    ("62", "05", "threeDSecure.version"),
)
# fmt: on

PLACE_OF = {parameter: (field, tag) for field, tag, parameter in PLACES}
# How each payment type is sent.
FORMS: Mapping[str, MessageForm] = {
    code: row.message for code, row in PAYMENT_TYPES.items() if row.message is not None
}
PARAMETER_AT = {(field, tag): parameter for field, tag, parameter in PLACES}
PLACED = ("48", "61", "62")
CVV_TAG = "92"
# The parts of field 60: which sandbox, channel, payment, brand, type, and what it refers to; in a
# sign-on also the epoch of the sandbox, and of a payment the host, where it is the live one.
SANDBOX, ENTITY, PAYMENT, BRAND, TYPE, ORIGINAL = "01", "02", "03", "04", "05", "06"
EPOCH, HOST = "07", "08"
FIELD_SIZE, PART_SIZE, BYTES_A_CHARACTER = 999, 999, 4
NOT_KNOWN = "0" * 11
ACCEPTOR_LENGTH = 15
E_COMMERCE_ENTRY, E_COMMERCE_CONDITION, MERCHANT_TYPE = "812", "59", "5999"
ACQUIRER = "042042"
MINUTES = "%m%d%H%M%S"


class MessageRoute(NamedTuple):
    """Where a message belongs: sandbox, channel, payment, and the payment that it refers to."""

    sandbox: str
    entity: str
    payment: str
    type: str
    brand: str | None
    original: str | None
    host: Host = TEST


def message_of(
    ask: AcquirerRequest, sandbox: str, *, at: datetime, currency: str
) -> dict[str, str]:
    """The request that asks a card host for `ask`; `currency` is the number of its currency."""
    form = FORMS[ask.type]
    message = {
        "t": kind_of(ask),
        "3": f"{form.processing}0000",
        "7": at.strftime(MINUTES),
        "11": f"{ask.trace:06d}",
        "12": at.strftime("%H%M%S"),
        "18": MERCHANT_TYPE,
        "22": E_COMMERCE_ENTRY,
        "25": E_COMMERCE_CONDITION,
        "32": ACQUIRER,
        "37": reference_of(ask.payment),
        "41": terminal_of(sandbox, ask.entity),
        "42": acceptor_of(ask.entity),
    }
    if ask.money is not None:
        message["4"] = f"{int(ask.money.amount / CENT):012d}"
        message["49"] = currency
    return {**message, **_card_of(ask), **_parts_of(ask, sandbox)}


def kind_of(ask: AcquirerRequest) -> str:
    """The message type that asks for a payment, or reports one that the card approved."""
    kind = FORMS[ask.type].message
    is_reported = ask.terminal is not None and ask.terminal.is_offline
    return OFFLINE.get(kind, kind) if is_reported else kind


def _card_of(ask: AcquirerRequest) -> dict[str, str]:
    """The card: track 2 where a terminal read it, else number and expiry."""
    fields = {} if ask.terminal is None else fields_of(ask.terminal)
    if "35" in fields:
        return fields
    if ask.number is not None:
        fields["2"] = ask.number
    expiry = _expiry_in(ask.parameters)
    if expiry is not None:
        fields["14"] = expiry
    return fields


def reversal_of(message: Message, kind: str) -> dict[str, str]:
    """The reversal of a request without an answer: what it names, and the original in 90.

    It carries neither card nor code: the reference names the payment.
    """
    kept = ("3", "4", "7", "11", "12", "32", "37", "41", "42", "49", "60")
    named = {key: message[key] for key in kept if key in message}
    data = f"{message['t']}{message['11']}{message['7']}{ACQUIRER:0>11}{NOT_KNOWN}"
    return {"t": kind, **named, "90": data}


def is_of_a_lost_request(message: Message) -> bool:
    """Whether a reversal takes back a request without an answer, rather than being a payment."""
    return message["t"] in REVERSALS and "63" not in message


def network_message(
    code: str, *, sandbox: str, trace: int, at: datetime, epoch: str = ""
) -> dict[str, str]:
    """A sign-on, sign-off or echo; the gateway names the epoch too, by its id. Choice: D-618."""
    named = ((SANDBOX, sandbox), (EPOCH, epoch))
    address = parts_written(tuple(part for part in named if part[1]))
    return {
        "t": NETWORK, "7": at.strftime(MINUTES), "11": f"{trace:06d}", "60": address, "70": code
    }  # fmt: skip


def readdressed(message: Message, names: Mapping[str, str]) -> dict[str, str]:
    """A message as the copy of a sandbox sends it: `names` are the ids of sandbox and channel there
    by those in the original. Raises ValueError.
    """
    parts = _parts_in(message, "60")
    moved = {tag: names.get(part, part) for tag, part in parts.items()}
    sandbox, entity = moved.get(SANDBOX, ""), moved.get(ENTITY, "")
    place = {"41": terminal_of(sandbox, entity), "42": acceptor_of(entity)}
    return {**message, **place, "60": parts_written(tuple(moved.items()))}


def matching(message: Message) -> tuple[str, ...]:
    """What an answer has in common with its request.

    The trace number alone wraps around. Choice: D-184.
    """
    return tuple(message.get(number, "") for number in MATCHED)


def answers(answer: Message, request: Message) -> bool:
    """Whether the types of the two belong together, and one says how it went."""
    return ANSWERS.get(request["t"]) == answer["t"] and "39" in answer


def reference_of(payment: str) -> str:
    """The retrieval reference number of a payment: twelve digits that follow its id."""
    return f"{int(payment, 16) % 10**12:012d}"


def acceptor_of(entity: str) -> str:
    """The merchant as a card message names it: the first fifteen characters of its channel's id."""
    return entity[:ACCEPTOR_LENGTH]


def terminal_of(sandbox: str, entity: str) -> str:
    """The terminal of a channel: eight characters that follow its id and its sandbox's."""
    return f"{crc32(f'{sandbox}{entity}'.encode()):08X}"


def route_in(message: Message) -> MessageRoute:
    """Where a request belongs. Raises ValueError where field 60 does not say it."""
    parts = _parts_in(message, "60")
    try:
        return MessageRoute(
            sandbox=parts[SANDBOX],
            entity=parts[ENTITY],
            payment=parts[PAYMENT],
            type=parts[TYPE],
            brand=parts.get(BRAND),
            original=parts.get(ORIGINAL),
            host=LIVE if parts.get(HOST) == LIVE else TEST,
        )
    except KeyError as error:
        raise ValueError(f"field 60: part {error} is missing") from None


def type_in(route: MessageRoute) -> PaymentType:
    """The payment type of a request. Raises ValueError for one that does not travel."""
    if route.type not in FORMS:
        raise ValueError(f"field 60, part {TYPE}: expected one of {', '.join(FORMS)}")
    return PaymentType(route.type)


def sandbox_in(message: Message) -> str:
    """The sandbox of any request. Raises ValueError."""
    found = _parts_in(message, "60").get(SANDBOX)
    if found is None:
        raise ValueError(f"field 60: part {SANDBOX} is missing")
    return found


def epoch_in(message: Message) -> str:
    """The id of the epoch of its sandbox that a sign-on names, or nothing. Raises ValueError."""
    return _parts_in(message, "60").get(EPOCH, "")


def ask_in(message: Message, route: MessageRoute, currency: str | None) -> AcquirerRequest:
    """What a request asks. Raises ValueError where it cannot be read."""
    parameters = parameters_in(message)
    kind = type_in(route)
    asked = FORMS[kind].message
    if message["t"] not in (asked, OFFLINE.get(asked)):
        raise ValueError(f"field 60, part {TYPE}: no message of the type {message['t']} asks that")
    terminal = None
    if message.get("22", "")[:2] in READ_BY_TERMINAL:
        terminal = data_in(message, is_offline=message["t"] != asked)
    track = None if terminal is None else terminal.track
    money = None
    if "4" in message:
        if currency is None:
            raise ValueError("field 49: expected the number of a currency")
        money = Money(Decimal(message["4"]) * CENT, currency)
    return AcquirerRequest(
        type=kind,
        payment=route.payment,
        entity=route.entity,
        trace=int(message["11"]),
        money=money,
        brand=route.brand,
        number=message.get("2") if track is None else number_in(track),
        cvv=_parts_in(message, "48").get(CVV_TAG),
        parameters=parameters,
        original=route.original,
        host=route.host,
        by_link=True,
        terminal=terminal,
    )


def parts_written(parts: tuple[tuple[str, str], ...]) -> str:
    """Parts of a field: tag, length in three digits, value."""
    return "".join(f"{tag}{len(value):03d}{value}" for tag, value in parts)


def parts_read(written: str) -> dict[str, str]:
    """The parts of a field by their tags. Raises ValueError where they do not fill it."""
    parts, at = {}, 0
    while at < len(written):
        length = written[at + 2 : at + 5]
        if not (length.isascii() and length.isdigit() and len(length) == 3):
            raise ValueError(f"part at {at}: expected a length")
        end = at + 5 + int(length)
        if end > len(written):
            raise ValueError(f"part at {at}: {length} characters do not fit")
        parts[written[at : at + 2]] = written[at + 5 : end]
        at = end
    return parts


def _parts_in(message: Message, field: str) -> dict[str, str]:
    """The parts of a field of a message, none where it is not there. Raises ValueError."""
    try:
        return parts_read(message.get(field, ""))
    except ValueError as error:
        raise ValueError(f"field {field}, {error}") from None


def _parts_of(ask: AcquirerRequest, sandbox: str) -> dict[str, str]:
    placed: dict[str, list[tuple[str, str]]] = {field: [] for field in PLACED}
    room = dict.fromkeys(PLACED, FIELD_SIZE)
    others = dict(ask.parameters)
    if ask.cvv is not None:
        placed["48"].append((CVV_TAG, ask.cvv))
        room["48"] -= 5 + len(ask.cvv)
    for name in [each for each in others if each in PLACE_OF]:
        field, tag = PLACE_OF[name]
        size = 5 + BYTES_A_CHARACTER * len(others[name])
        if room[field] >= size:
            room[field] -= size
            placed[field].append((tag, others.pop(name)))
    address = (
        (SANDBOX, sandbox), (ENTITY, ask.entity), (PAYMENT, ask.payment), (TYPE, ask.type),
        (BRAND, ask.brand or ""), (ORIGINAL, ask.original or ""),
        (HOST, "" if ask.host == TEST else ask.host),
    )  # fmt: skip
    fields = {field: parts_written(tuple(parts)) for field, parts in placed.items() if parts}
    fields["60"] = parts_written(tuple(part for part in address if part[1]))
    fields["63"] = msgspec.json.encode(others).decode()
    return fields


def parameters_in(message: Message) -> dict[str, str]:
    """The parameters that travel in the private fields of a request. Raises ValueError."""
    try:
        parameters = OTHERS.decode(message.get("63", "{}"))
    except msgspec.DecodeError as error:
        raise ValueError(f"field 63: {error}") from None
    for field in PLACED:
        for tag, value in _parts_in(message, field).items():
            parameter = PARAMETER_AT.get((field, tag))
            if parameter is not None:
                parameters[parameter] = value
    return parameters


def _expiry_in(parameters: Mapping[str, str]) -> str | None:
    year, month = parameters.get("card.expiryYear"), parameters.get("card.expiryMonth")
    return None if year is None or month is None else f"{year[2:]}{month}"


OTHERS = msgspec.json.Decoder(dict[str, str])
