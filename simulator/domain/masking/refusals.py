"""Texts that are stored and shown as they are: none may hold what is masked elsewhere."""

import re

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import CHOSEN_KEYS, MASK, mask_explanation
from simulator.domain.masking.sure_numbers import mask_sure_numbers

EXPECTED, GOT = "text without a card number, token, key or password", "one"
# To look through a text takes up to 2 us a character, while all others wait.
LENGTH_MAX = 4096
# A token or key, whole. Hashes, by which merchants may refer to an order, have 32, 40 or 64 digits.
CREDENTIAL = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{48}(?![0-9A-Fa-f])")


def refuse_secrets(text: str, where: str) -> None:
    """Raise InvalidInputError for what may be the number of a card, a token or a key, and for a
    long text. Choice: D-661.
    """
    _refuse_long(text, where)
    if holds_secret(text):
        raise InvalidInputError(where, EXPECTED, GOT)


def refuse_sure_secrets(text: str, where: str) -> None:
    """The same for what is a card number, a token or a key beyond doubt."""
    _refuse_long(text, where)
    if holds_sure_secret(text):
        raise InvalidInputError(where, EXPECTED, GOT)


def _refuse_long(text: str, where: str) -> None:
    if len(text) > LENGTH_MAX:
        raise InvalidInputError(where, f"at most {LENGTH_MAX:,} characters", f"{len(text):,}")


def holds_secret(text: str) -> bool:
    """Whether something in the text may be the number of a card, a token or a key, or is the user
    part of an address.
    """
    return mask_explanation(text) != text


def holds_sure_secret(text: str) -> bool:
    """Whether the number of a card, a token or a key stands in the text beyond doubt. The number of
    an account, or what is compared with texts of merchants, may have digits like those of a card.
    """
    if mask_sure_numbers(text) != text or CREDENTIAL.search(text) is not None:
        return True
    return CHOSEN_KEYS.replaced_in(text, MASK) != text
