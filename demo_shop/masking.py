"""What the pages of the shop show: all but card numbers and secrets, whichever text has them."""

import re
from typing import Any
from urllib.parse import unquote_plus

from pos_emulator.card_numbers import has_card_number, without_card_numbers
from simulator.client.shown.masking import is_secret, masked_text
from simulator.client.shown.packed_secrets import without_packed
from simulator.client.shown.user_parts import without_user_parts

HIDDEN = "********"
NUMBER = "card.number"
NUMBER_SHOWN = 4
# Tokens and keys of a gateway have 48 digits or more, ids of records 32.
KEY = re.compile(r"[0-9A-Fa-f]{40,}")


def shown_text(text: str) -> str:
    """A text without card numbers, as the terminal finds them, without keys and the user parts of
    addresses, and without texts in base64 that have one.
    """
    text = without_user_parts(without_packed(text, HIDDEN, _holds_secret), HIDDEN)
    return KEY.sub(HIDDEN, without_card_numbers(text))


def _holds_secret(text: str) -> bool:
    return KEY.search(text) is not None or masked_text(text) != text


def masked(value: Any, name: str = "") -> Any:
    """A document without card numbers and secrets, whichever member holds them."""
    if isinstance(value, dict):
        return {shown_text(key): masked(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [masked(each, name) for each in value]
    if is_secret(name) and value not in ("", None):
        return HIDDEN
    if name == NUMBER:
        return f"{HIDDEN}{str(value)[-NUMBER_SHOWN:]}"
    if isinstance(value, str):
        return shown_text(value)
    is_number = isinstance(value, int | float) and has_card_number(str(value))
    return without_card_numbers(str(value)) if is_number else value


def masked_address(address: str) -> str:
    """An address without what its query says under a secret name, and else as a text."""
    path, sign, query = address.partition("?")
    pairs = re.split("([&;#])", query)
    pairs[::2] = map(_masked_pair, pairs[::2])
    return shown_text(f"{path}{sign}{''.join(pairs)}")


def _masked_pair(pair: str) -> str:
    name, sign, value = pair.partition("=")
    read = unquote_plus(value)
    shown = masked(read, unquote_plus(name))
    return pair if shown == read else f"{name}{sign}{shown}"
