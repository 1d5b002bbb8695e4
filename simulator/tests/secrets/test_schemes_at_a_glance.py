"""A glance sees whatever the masking of a text would change: also what follows a scheme."""

from itertools import product

import msgspec
import pytest

from simulator.domain.masking.masking import glance, mask_text, masked
from simulator.domain.masking.shown_parameters import masked_parameters

BEFORE = (
    "",
    "x ",
    "Authorization: ",
    "note\n",
    '"',
    "a\0",
    "\u0442",
    "pin\n:",
    "cvv\t= ",
    '{\\"cvv\\":\\"',
)
SCHEMES = ("Bearer ", "bearer  ", "BASIC ", "ba\u017f\u0131c ", "Bearer", "pin=", "Token ", "")
SECRETS = (
    "abc.def-123456", "emVicmE6cXVpbmNl==", "abcdef", "abc1", "a" * 16, 'abcdef"' + "x" * 9,
    "abcdef\n" + "x" * 9, "authentication", "\u0442" * 20, "***", "4200 0000 0000 0000", "0a" * 24,
)  # fmt: skip
AFTER = ("", " and more", "\0x", '"', " cvv: 1")


def test_what_a_text_would_lose_is_seen_at_a_glance() -> None:
    for text in map("".join, product(BEFORE, SCHEMES, SECRETS, AFTER)):
        document = {"memo": [text], "n": 1}
        raw, encoded = text.encode(), msgspec.json.encode(document)
        assert glance(raw) is not raw or mask_text(text) == text, text
        assert glance(encoded) is not encoded or masked(document) == document, text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer ***"),
        ("Authorization: Basic emVicmE6cXVpbmNl==", "Authorization: Basic ***"),
        ("Bearer abcd1234efgh", "Bearer ***"),
        ("Authorization: Token zebra-quince-81", "Authorization: Token ***"),
        ("Authorization: ApiKey zebra-quince-81", "Authorization: ApiKey ***"),
        ("pin\n:4821", "pin\n:***"),
    ],
)
def test_no_parameter_shows_what_follows_a_scheme(text: str, shown: str) -> None:
    sent = masked_parameters({"merchantMemo": text})

    assert not sent.is_clean
    assert sent.parameters == sent.wholly == {"merchantMemo": shown}
