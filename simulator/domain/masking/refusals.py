"""Texts that are stored and shown as they are: none may hold what is masked elsewhere."""

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import mask_explanation


def refuse_secrets(text: str, where: str) -> None:
    """Raise InvalidInputError for what may be the number of a card, a token or a key. Choice:
    D-661.
    """
    if mask_explanation(text) != text:
        raise InvalidInputError(where, "text without a card number, token or key", "one")
