"""Card numbers in texts: found however they are spelled, and masked.

A number may stand in the middle of a text, in digits of any script and form, and with signs between
its digits: see `simulator.client.spelled_numbers`, which the terminal follows too. The cost grows
with the length of the text alone. The ids of records, 32 hex digits, are left as they are.
Choice: D-94.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from string import ascii_letters

from simulator.client.spelled_numbers import (
    DIGITS_MIN,
    FINDERS,
    FindChains,
    Group,
    mask_as_read,
    may_hold_chain,
    read_digits,
)
from simulator.domain.core.card_ranges import holds_card_number, passes_luhn
from simulator.domain.masking.chains import Number, numbers_in
from simulator.domain.masking.looks import (
    CHAIN_RUN,
    DIGIT_TABLE,
    ESCAPE_BETWEEN,
    HEX_LETTERS,
    ID,
    ID_LENGTH,
    LONG_RUN,
    LOOKS,
    ODD_DIGIT,
    PERCENT_BETWEEN,
    RUN,
    TOKEN,
    TOKEN_BEFORE,
)

SHOWN_IN_FRONT, SHOWN_AT_END, LENGTH_SHOWN_IN_FRONT = 6, 4, 16
# The length of all runs of digits and signs that are looked at in a millisecond.
RUNS_AT_ONCE = 300
LETTERS = ascii_letters.encode()
# What stands behind the masked number of a track: expiry, service code, and what an issuer checks;
# on track 1 the name of the holder comes before them.
BEHIND_ON_TRACK_2 = r"(\*[0-9]{4}(?:[=Dd^]|%3[Dd]))[0-9*]{7,}+"
CARET = r"(?:\^|%5[Ee])"
BEHIND_ON_TRACK_1 = rf"(\*[0-9]{{4}}{CARET})[^\^\r\n\"]{{0,45}}?{CARET}[0-9A-Za-z*\^ .]{{4,}}+"
BEHIND_NUMBER = tuple(map(re.compile, (BEHIND_ON_TRACK_2, BEHIND_ON_TRACK_1)))
BEHIND_IN_BYTES = tuple(re.compile(each.pattern.encode()) for each in BEHIND_NUMBER)
FindNumbers = Callable[[str, list[Group]], Iterator[Number]]


def masked_number(number: str) -> str:
    """A card number without its middle: 420000******0000; of a short one the last four digits."""
    if len(number) < DIGITS_MIN:
        return "***"
    front = SHOWN_IN_FRONT if len(number) >= LENGTH_SHOWN_IN_FRONT else 0
    middle = "*" * (len(number) - front - SHOWN_AT_END)
    return f"{number[:front]}{middle}{number[-SHOWN_AT_END:]}"


def mask_card_numbers(text: str) -> str:
    """The text with each number masked that may be a card number. Where its digits were written out
    the whole text is shown with plain ones.
    """
    if not may_hold_chain(text):
        return text
    shown = mask_as_read(text, partial(mask_numbers, numbers_in))
    if shown == text:
        return text
    for behind in BEHIND_NUMBER:
        shown = behind.sub(r"\1***", shown)
    return shown


def mask_numbers(numbers: FindNumbers, text: str) -> str:
    """The text with each of the numbers masked that are found in its chains of digits."""
    for find in FINDERS:
        text = _masked_by(find, numbers, text)
    return text


def _masked_by(find: FindChains, numbers: FindNumbers, text: str) -> str:
    shown, done = [], 0
    for groups in find(text):
        for found in numbers(text, groups):
            shown += [text[done : found.start], masked_number(found.digits)]
            done = found.stop
    return "".join(shown) + text[done:] if shown else text


def has_spelled_number(encoded: bytes) -> bool:
    """Whether JSON or text in UTF-8 may have a card number that is no plain run of digits.

    Nearly all have none and are only looked at: 4 KB take some microseconds.
    """
    if not encoded.isascii() and ODD_DIGIT.search(encoded):
        return has_card_number(encoded.decode("utf-8", "replace"))
    return _has_escape_between(encoded) or any(
        _has_number_in_runs(encoded, separators, table, sign)
        for separators, table, sign in LOOKS
        if LONG_RUN in encoded.translate(DIGIT_TABLE, separators)
    )


def takes_long(text: str) -> bool:
    """Whether to look for the numbers in a text takes milliseconds: digits of other scripts, or
    written out, or many of them with signs between.
    """
    encoded = text.encode("utf-8", "replace")
    if not encoded.isascii() and ODD_DIGIT.search(encoded):
        return True
    if _has_escape_between(encoded):
        return True
    return len(encoded.translate(None, LETTERS)) > RUNS_AT_ONCE and any(
        sum(map(len, CHAIN_RUN.findall(encoded.translate(table)))) > RUNS_AT_ONCE
        for separators, table, _ in LOOKS
        if LONG_RUN in encoded.translate(DIGIT_TABLE, separators)
    )


def _has_escape_between(encoded: bytes) -> bool:
    # Nearly no text has such a sign: to look for the patterns takes a hundred times as long.
    if b"\\" in encoded and ESCAPE_BETWEEN.search(encoded):
        return True
    return b"%" in encoded and PERCENT_BETWEEN.search(encoded) is not None


def _has_number_in_runs(encoded: bytes, separators: bytes, table: bytes, sign: bytes) -> bool:
    """Whether a spelled number stands in digits that only such signs separate, this one too."""
    for found in CHAIN_RUN.finditer(encoded.translate(table)):
        run = found[0].rstrip()
        text = encoded[found.start() : found.start() + len(run)]
        if b" " not in run or sign not in text:
            continue
        digits = text.translate(None, separators)
        if len(digits) < DIGITS_MIN:
            continue
        # As long as addresses of machines and descriptors: nearly all are no number at a look.
        if len(digits) == DIGITS_MIN and not passes_luhn(digits.decode()):
            continue
        if has_card_number(text.decode("utf-8", "replace"), is_spelled=True):
            return True
    return False


def has_card_number(text: str, *, is_spelled: bool = False) -> bool:
    """Whether a number in the text is masked; with `is_spelled`, one that is no plain run."""
    return any(
        next(numbers_in(each, groups), None) is not None
        for each in {text, read_digits(text)}
        for find in FINDERS
        for groups in find(each)
        if not is_spelled or len(groups) > 1 or not each[slice(*groups[0])].isascii()
    )


def mask_runs(encoded: bytes) -> bytes:
    """JSON or text in UTF-8 with the plain runs of digits masked that may be card numbers."""
    flat = encoded.translate(DIGIT_TABLE)
    shown, done, position, harmless = [], 0, flat.find(LONG_RUN), b""
    while position >= 0:
        end = _end_of(RUN, encoded, position)
        digits = encoded[position:end]
        if digits == harmless or _is_in_id(encoded, position, end):
            pass
        elif not holds_card_number(digits.decode()):
            harmless = digits
        else:
            shown += [encoded[done:position], masked_number(digits.decode()).encode()]
            done = end
        position = flat.find(LONG_RUN, end)
    if not shown:
        return encoded
    masked = b"".join(shown) + encoded[done:]
    for behind in BEHIND_IN_BYTES:
        masked = behind.sub(rb"\1***", masked)
    return masked


def _is_in_id(encoded: bytes, start: int, end: int) -> bool:
    """Whether digits stand in the id of a record: one id in thirty has twelve in a row."""
    if end - start >= ID_LENGTH:
        return False
    if encoded[start - 1] not in HEX_LETTERS and encoded[end : end + 1] not in HEX_LETTERS:
        return False
    before = TOKEN_BEFORE.search(encoded, max(0, start - ID_LENGTH), start)
    first = start if before is None else before.start()
    return ID.fullmatch(encoded, first, _end_of(TOKEN, encoded, first)) is not None


def _end_of(pattern: re.Pattern[bytes], encoded: bytes, start: int) -> int:
    """Where what begins at `start` ends; `start` itself where nothing does."""
    found = pattern.match(encoded, start)
    return start if found is None else found.end()
