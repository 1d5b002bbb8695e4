"""What a request to a card host has to say: which fields, and which of them belong together.

The gateway's own requests always do. Another client on the connection gets the field in the
answer, never its value.
Source: ISO 8583:1987, as far as this link uses it. Choice: D-240.
"""

import re
from collections.abc import Mapping

from simulator.catalogue.payment_types import PAYMENT_TYPES, types_where
from simulator.domain.acquiring.messages import FORMS, NETWORK, Message, MessageRoute
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.money import ZERO
from simulator.grammar.payment_types import PaymentEffect

# fmt: off
REVERSED = frozenset({"3", "7", "11", "12", "32", "37", "41", "42", "60"})
CHARGED =  REVERSED | {"4", "18", "22", "25", "49", "63"}
MANDATORY: Mapping[str, frozenset[str]] = {
    "0100":  CHARGED,
    "0120":  CHARGED,
    "0200":  CHARGED,
    "0220":  CHARGED,
    "0400":  REVERSED,
    "0401":  REVERSED | {"90"},
    "0420":  REVERSED | {"90"},
    "0421":  REVERSED | {"90"},
    NETWORK: frozenset({"7", "11", "70"}),
}
# fmt: on
NOTHING: frozenset[str] = frozenset()
IDENTITY = re.compile("[0-9a-f]{32}")
# A card is charged by its number, or found by the payment that a message refers to.
BY_NUMBER = types_where(lambda row: row.is_initial or row.effect is PaymentEffect.REBILL)


def refuse_lacking(message: Message) -> None:
    """Raise ValueError where a field is missing that the type of the message must have."""
    missing = MANDATORY.get(message["t"], NOTHING) - message.keys()
    if message["t"] == "0400" and "63" not in message and "90" not in message:
        missing |= {"90"}
    if missing:
        fields = ", ".join(sorted(missing, key=int))
        raise ValueError(f"field {fields}: expected in a message of the type {message['t']}")


def refuse_misled(route: MessageRoute) -> None:
    """Raise ValueError where a message names payments by what is no id."""
    for part, identity in (("03", route.payment), ("06", route.original)):
        if identity is not None and IDENTITY.fullmatch(identity) is None:
            raise ValueError(f"field 60, part {part}: expected 32 hex digits")


def refuse_unfit(message: Message, ask: AcquirerRequest) -> None:
    """Raise ValueError where the fields of a payment do not belong together."""
    if message["3"][:2] != FORMS[ask.type].processing:
        raise ValueError(f"field 3: expected the processing code of {ask.type}")
    if ask.type in BY_NUMBER and ask.number is None:
        raise ValueError(f"field 2 or 35: expected in a {ask.type}")
    if ask.type not in BY_NUMBER and ask.original is None:
        raise ValueError(f"field 60, part 06: expected in a {ask.type}")
    is_nothing = ask.money is not None and ask.money.amount == ZERO
    if is_nothing and not PAYMENT_TYPES[ask.type].zero_amount:
        raise ValueError(f"field 4: expected more than nothing for a {ask.type}")
