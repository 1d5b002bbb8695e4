"""Card numbers in texts: found however they are spelled, and masked.

A number may stand in the middle of a text, in digits of any script and form, and with signs between
its digits: see `simulator.client.spelled_numbers`, which the terminal follows too. The cost grows
with the length of the text alone. The ids of records, 32 hex digits, are left as they are.
Choice: D-94.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, product

from simulator.catalogue.brands import BRANDS
from simulator.client.spelled_numbers import (
    DIGIT,
    DIGITS_MAX,
    DIGITS_MIN,
    FINDERS,
    FindChains,
    Group,
    mask_as_read,
    may_hold_chain,
    plain_digits,
    read_digits,
)
from simulator.domain.core.card_ranges import (
    BIN_LENGTH,
    detected_brand,
    holds_card_number,
    passes_luhn,
)
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
HEX = r"(?<![0-9A-Za-z])(?:{0})(?![0-9A-Za-z])"
PLAIN = re.compile(rf"{DIGIT}(?:[ -]?{DIGIT})*")
SHORT_CHAIN = 40
DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


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
    return mask_as_read(text, _masked_by_all) if may_hold_chain(text) else text


def _masked_by_all(text: str) -> str:
    for find in FINDERS:
        text = _masked_by(find, text)
    return text


def _masked_by(find: FindChains, text: str) -> str:
    shown, done = [], 0
    for groups in find(text):
        found = Chain(text, groups)
        for first, end in found.numbers():
            start, stop = found.place(first), found.place(end - 1) + 1
            shown += [text[done:start], masked_number(found.digits[first:end])]
            done = stop
    return "".join(shown) + text[done:] if shown else text


def has_spelled_number(encoded: bytes) -> bool:
    """Whether JSON or text in UTF-8 may have a card number that is no plain run of digits.

    Nearly all have none and are only looked at: 4 KB take some microseconds.
    """
    if not encoded.isascii() and ODD_DIGIT.search(encoded):
        return has_card_number(encoded.decode("utf-8", "replace"))
    if b"\\" in encoded and ESCAPE_BETWEEN.search(encoded):
        return True
    if b"%" in encoded and PERCENT_BETWEEN.search(encoded):
        return True
    return any(
        _has_number_in_runs(encoded, separators, table)
        for separators, table in LOOKS
        if LONG_RUN in encoded.translate(DIGIT_TABLE, separators)
    )


def _has_number_in_runs(encoded: bytes, separators: bytes, table: bytes) -> bool:
    """Whether a spelled number stands in digits that only such signs separate."""
    for found in CHAIN_RUN.finditer(encoded.translate(table)):
        run = found[0].rstrip()
        if b" " not in run:
            continue
        text = encoded[found.start() : found.start() + len(run)]
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
        next(Chain(each, groups).numbers(), None) is not None
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
    return b"".join(shown) + encoded[done:] if shown else encoded


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


class Chain:
    """Groups of digits in a text, with what stands between them."""

    __slots__ = ("_before", "_groups", "_sums", "_text", "digits")

    def __init__(self, text: str, groups: list[Group]):
        self.digits = plain_digits(text, groups)
        self._text, self._groups = text, groups
        self._before = [0, *accumulate(end - start for start, end in groups)]
        self._sums: tuple[list[int], ...] = ()

    def numbers(self) -> Iterator[tuple[int, int]]:
        """The first digit of each number that may be a card number, and the one behind it."""
        before, group = self._before, 0
        while group < len(self._groups) and before[-1] - before[group] >= DIGITS_MIN:
            start, end = before[group], before[group + 1]
            last: int | None = group
            found: tuple[int, int] | None = (start, end)
            if end - start < DIGITS_MIN:
                last, found = self._number_from(group)
            elif not holds_card_number(self.digits[start:end]):
                found = None
            if found is not None:
                yield found
            group = (group if found is None or last is None else last) + 1

    def _number_from(self, group: int) -> tuple[int, tuple[int, int] | None]:
        """The last group of the longest number that begins in this one, and its digits."""
        before = self._before
        beyond = group + 1
        while (
            beyond < len(self._groups)
            and before[beyond + 1] - before[beyond] < DIGITS_MIN
            and before[beyond] - before[group] < DIGITS_MAX
        ):
            beyond += 1
        starts = self._starts(group) if beyond > group + 1 else ()
        for last in range(beyond - 1, group, -1):
            if before[last + 1] - before[group] < DIGITS_MIN:
                break
            for end, start in product(self._ends(last), starts):
                if self._is_number(start, end):
                    return last, (start, end)
        return group, None

    def _starts(self, group: int) -> tuple[int, ...]:
        """Where a number may begin: with the group, or as far before its end as the next is long,
        where other digits run into it.
        """
        start, end, behind = self._before[group : group + 3]
        return (start, 2 * end - behind) if behind - end < end - start else (start,)

    def _ends(self, group: int) -> tuple[int, ...]:
        """Where a number may end, likewise."""
        ahead, start, end = self._before[group - 1 : group + 2]
        return (end, 2 * start - ahead) if start - ahead < end - start else (end,)

    def _is_number(self, start: int, end: int) -> bool:
        if not DIGITS_MIN <= end - start <= DIGITS_MAX:
            return False
        if not self._passes_luhn(start, end):
            return False
        brand = BRANDS.get(detected_brand(self.digits[start : start + BIN_LENGTH]) or "")
        if brand is not None and end - start in brand.lengths:
            return True
        return bool(PLAIN.fullmatch(self._text, self.place(start), self.place(end - 1) + 1))

    def _passes_luhn(self, start: int, end: int) -> bool:
        """The check of a last digit; in a long chain by sums up to each place, made once."""
        if len(self.digits) <= SHORT_CHAIN:
            return passes_luhn(self.digits[start:end])
        if not self._sums:
            digits = [*map(int, self.digits)]
            self._sums = tuple([0, *accumulate(_weighted(digits, parity))] for parity in (0, 1))
        sums = self._sums[(end - 1) % 2]
        return (sums[end] - sums[start]) % 10 == 0

    def place(self, digit: int) -> int:
        """Where a digit stands in the text."""
        group = bisect_right(self._before, digit) - 1
        return self._groups[group][0] + digit - self._before[group]


def _weighted(digits: Sequence[int], parity: int) -> Iterator[int]:
    """Each digit as it counts for a check digit at a place of this parity."""
    for place, digit in enumerate(digits):
        yield digit if place % 2 == parity else DOUBLED[digit]
