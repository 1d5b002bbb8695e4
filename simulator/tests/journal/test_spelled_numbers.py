"""Gateway, terminal and reports find a card number under the same spellings."""

import json
from unicodedata import digit

import pytest

from pos_emulator.card_numbers import has_card_number
from simulator.client.shown.masking import masked_text
from simulator.domain.masking.masking import glance, mask_text
from simulator.domain.masking.shown_parameters import masked_parameters

NUMBER = "4539578763621486"
MIDDLE = NUMBER[6:12]
SIGNS = (
    " ", "-", ".", "/", "_", ",", "+", "|", "~", "^", "`", "\\", "\t", "\r\n", "\x01", "\x1f",
    "\x7f", "\u00a0", "\u2003", "\u202f", "\u3000", "\u00ad", "\u200b", "\u200c", "\u200d",
    "\u115f", "\u1160", "\u3164", "\uffa0",
    "\u200e", "\u200f", "\u2060", "\ufeff", "·", "•", "–", "−",
    ":", "::", " : ", ";", "=", "&", "#", "?", "!", "@", "$", "%", "(", ")(", "][", "{}", "><",
    "'", "' '", '" "', '","', "', '", " - ", "    ", "        ",
    "%20", "+%20", "%09", "%0A", "%2D", "%C2%A0", "%E2%80%8B",
    "\\n", "\\t", "\\\\n", "\\x20", "\\u00a0",
)  # fmt: skip


def spelled(sign: str, size: int) -> str:
    """The number in groups of digits."""
    return sign.join(NUMBER[place : place + size] for place in range(0, len(NUMBER), size))


def shows_middle(text: str, sign: str) -> bool:
    """Whether the digits that are never shown stand in a text, with the sign or without."""
    plain = text.replace(sign, "")
    return MIDDLE in "".join(str(digit(each)) for each in plain if each.isdigit())


@pytest.mark.parametrize("size", [1, 2, 4, 8])
@pytest.mark.parametrize("sign", SIGNS)
def test_one_rule_says_how_a_number_may_be_spelled(sign: str, size: int) -> None:
    text = f"memo {spelled(sign, size)} end"

    assert has_card_number(text)
    assert not shows_middle(mask_text(text), sign)
    assert size != 4 or not shows_middle(masked_text(text), sign), "a report seeks fours"
    for is_ascii in (True, False):
        shown = glance(json.dumps({"memo": text}, ensure_ascii=is_ascii).encode())
        assert shown is None or MIDDLE not in shown.decode()
    sent = masked_parameters({"merchantMemo": text, "merchantTransactionId": "4711"})
    assert not sent.is_clean or not shows_middle(sent.values, sign)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-26T20:30:15.123456789+01:00",
        "2026-11-26 20:30:15.123456",
        "2026:11:26 20:30:15",
        "10.42.101.200:54321",
        "52.148.101.200:54321",
        "2001:4860:4860::8888",
        "12:30:45,123 500 ms",
        "[4200, 10, 0, 12]",
    ],
)
def test_times_addresses_and_lists_are_no_numbers(text: str) -> None:
    assert mask_text(text) == text
    assert not has_card_number(text)
    assert glance(json.dumps({"at": text}).encode()) is not None


def test_digits_in_front_of_an_id_are_no_number_with_its_first_digits() -> None:
    ndc = "847d4b0aa9f964a072923a8ffa652395-867581ada552c63bed06b7d0603ac9a9"
    line = f"POST  /v1/payments  400  800.100.203  {ndc}"

    assert mask_text(line) == line
    assert mask_text(f"{NUMBER} {ndc}") == f"{NUMBER[:6]}******{NUMBER[-4:]} {ndc}"
