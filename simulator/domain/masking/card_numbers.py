"""Card numbers in texts: found however they are spelled, and masked.

A number may stand in the middle of a text, in digits of any script and form (also raised, lowered
or in circles), and with blanks, dashes, dots, line breaks or invisible characters between its
digits. The cost grows with the length of the text alone. The ids of records, 32 hex digits, are
left as they are. Choice: D-94.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, product
from unicodedata import digit as digit_of

from simulator.catalogue.brands import BRANDS
from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand, passes_luhn

DIGITS_MIN, DIGITS_MAX = 12, 19
SHOWN_IN_FRONT, SHOWN_AT_END, LENGTH_SHOWN_IN_FRONT = 6, 4, 16
HEX = r"(?<![0-9A-Za-z])(?:{0})(?![0-9A-Za-z])"
# What may stand between two digits of a spelled number: what separates neither values nor times.
BETWEEN = r"(?:[^\w\"'()\[\]{}<>=&:;?!@#$%]|_){0,3}"
# What reads as a digit and is none of `\d`: raised, lowered, in circles, with a dot, ancient.
FORMS = (
    "\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c"
    "\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792"
    "\U00010a40-\U00010a43\U00010e60-\U00010e68\U00011052-\U0001105a\U0001f100-\U0001f10a"
)
DIGIT = rf"[\d{FORMS}]"
CHAIN = re.compile(rf"{DIGIT}(?:{BETWEEN}{DIGIT}){{{DIGITS_MIN - 1},}}")
CHAIN_OR_ID = re.compile(rf"{HEX.format('(?=[0-9]{0,31}[a-f])[0-9a-f]{32}')}|({CHAIN.pattern})")
GROUP = re.compile(rf"{DIGIT}+")
PLAIN = re.compile(rf"{DIGIT}(?:[ -]?{DIGIT})*")
FIRST_DIGITS = frozenset(low[0] for brand in BRANDS.values() for low, _ in brand.ranges)
SHORT_CHAIN = 40
DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
# For a look at bytes: digits as 0, what may stand between them as blank, anything else as _. Runs
# of the first two are found much faster than chains.
SEPARATORS = bytes(
    sign for sign in range(256) if sign >= 0x80 or chr(sign) in " -./_,*+|\\\t\n\r\v\f~^`"
)
DIGIT_TABLE = bytes(48 if 48 <= sign <= 57 else 95 for sign in range(256))
CHAIN_TABLE = bytes(
    48 if 48 <= sign <= 57 else 32 if sign in SEPARATORS else 95 for sign in range(256)
)
CHAIN_RUN = re.compile(rb"0[0 ]{11,}")
LIKE_CHAIN = re.compile(rf"[\d\W_{FORMS}]{{12,}}")
LONG_RUN, RUN = b"0" * DIGITS_MIN, re.compile(rb"[0-9]+")
# A digit beside an escape of JSON, behind which a number may go on.
ESCAPE_BETWEEN = re.compile(rb"[0-9][^0-9A-Za-z]{0,2}\\[bfnrtu]|\\u[0-9a-f]{4}[0-9]")
# The first bytes of the digits of other scripts and forms.
ODD_DIGIT = re.compile(
    rb"[\xd9\xdb\xdf\xe0\xe1\xea\xef\xf0]|\xc2[\xb2\xb3\xb9]"
    rb"|\xe2(?:\x81[\xb0-\xb9]|\x82[\x80-\x89]|[\x91-\x93\x9d\x9e])"
)
HEX_LETTERS = b"abcdef"
ID, ID_LENGTH = re.compile(rb"(?=[0-9]*[a-f])[0-9a-f]{32}"), 32
TOKEN, TOKEN_BEFORE = re.compile(rb"[0-9A-Za-z]{0,33}"), re.compile(rb"[0-9A-Za-z]*\Z")


def masked_number(number: str) -> str:
    """A card number without its middle: 420000******0000; of a short one the last four digits."""
    if len(number) < DIGITS_MIN:
        return "***"
    front = SHOWN_IN_FRONT if len(number) >= LENGTH_SHOWN_IN_FRONT else 0
    middle = "*" * (len(number) - front - SHOWN_AT_END)
    return f"{number[:front]}{middle}{number[-SHOWN_AT_END:]}"


def mask_card_numbers(text: str) -> str:
    """The text with each number masked that may be a card number."""
    if not LIKE_CHAIN.search(text) or not CHAIN.search(text):
        return text
    return CHAIN_OR_ID.sub(lambda found: Chain(found[1]).masked() if found[1] else found[0], text)


def has_spelled_number(encoded: bytes) -> bool:
    """Whether JSON or text in UTF-8 may have a card number that is no plain run of digits.

    Nearly all have none and are only looked at: 4 KB take some microseconds.
    """
    if not encoded.isascii() and ODD_DIGIT.search(encoded):
        return has_card_number(encoded.decode("utf-8", "replace"))
    if b"\\" in encoded and ESCAPE_BETWEEN.search(encoded):
        return True
    if LONG_RUN not in encoded.translate(DIGIT_TABLE, SEPARATORS):
        return False
    flat = encoded.translate(CHAIN_TABLE)
    for found in CHAIN_RUN.finditer(flat):
        run = found[0].rstrip()
        if b" " in run and run.count(b"0") >= DIGITS_MIN:
            start, end = found.span()
            if has_card_number(encoded[start:end].decode("utf-8", "replace"), is_spelled=True):
                return True
    return False


def has_card_number(text: str, *, is_spelled: bool = False) -> bool:
    """Whether a number in the text is masked; with `is_spelled`, one that is no plain run."""
    for found in CHAIN_OR_ID.finditer(text):
        chain = found[1]
        if chain is None or (is_spelled and chain.isascii() and chain.isdecimal()):
            continue
        if next(Chain(chain).numbers(), None) is not None:
            return True
    return False


def mask_runs(encoded: bytes) -> bytes:
    """JSON or text in UTF-8 with the plain runs of digits masked that may be card numbers."""
    flat = encoded.translate(DIGIT_TABLE)
    shown, done, position, harmless = [], 0, flat.find(LONG_RUN), b""
    while position >= 0:
        end = _end_of(RUN, encoded, position)
        digits = encoded[position:end]
        if digits == harmless or _is_in_id(encoded, position, end):
            pass
        elif not _is_hidden(digits.decode()):
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
    """Groups of digits, with what stands between them."""

    __slots__ = ("_before", "_digits", "_groups", "_sums", "_text")

    def __init__(self, text: str):
        digits = "".join(GROUP.findall(text))
        self._text = text
        self._digits = (
            digits if digits.isascii() else "".join(str(digit_of(sign)) for sign in digits)
        )
        self._groups = [found.span() for found in GROUP.finditer(text)]
        self._before = [0, *accumulate(end - start for start, end in self._groups)]
        self._sums: tuple[list[int], ...] = ()

    def masked(self) -> str:
        """The text with every number masked that may be a card number."""
        shown, done = [], 0
        for first, end in self.numbers():
            start, stop = self._place(first), self._place(end - 1) + 1
            shown += [self._text[done:start], masked_number(self._digits[first:end])]
            done = stop
        return "".join(shown) + self._text[done:]

    def numbers(self) -> Iterator[tuple[int, int]]:
        """The first digit of each number that may be a card number, and the one behind it."""
        before, group = self._before, 0
        while group < len(self._groups) and before[-1] - before[group] >= DIGITS_MIN:
            start, end = before[group], before[group + 1]
            last: int | None = group
            found: tuple[int, int] | None = (start, end)
            if end - start < DIGITS_MIN:
                last, found = self._number_from(group)
            elif not _is_hidden(self._digits[start:end]):
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
        for last in range(beyond - 1, group, -1):
            for end, start in product(self._ends(last), self._starts(group)):
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
        if PLAIN.fullmatch(self._text, self._place(start), self._place(end - 1) + 1):
            return True
        brand = BRANDS.get(detected_brand(self._digits[start : start + BIN_LENGTH]) or "")
        return brand is not None and end - start in brand.lengths

    def _passes_luhn(self, start: int, end: int) -> bool:
        """The check of a last digit; in a long chain by sums up to each place, made once."""
        if len(self._digits) <= SHORT_CHAIN:
            return passes_luhn(self._digits[start:end])
        if not self._sums:
            digits = [*map(int, self._digits)]
            self._sums = tuple([0, *accumulate(_weighted(digits, parity))] for parity in (0, 1))
        sums = self._sums[(end - 1) % 2]
        return (sums[end] - sums[start]) % 10 == 0

    def _place(self, digit: int) -> int:
        """Where a digit stands in the text."""
        group = bisect_right(self._before, digit) - 1
        return self._groups[group][0] + digit - self._before[group]


def _weighted(digits: Sequence[int], parity: int) -> Iterator[int]:
    """Each digit as it counts for a check digit at a place of this parity."""
    for place, digit in enumerate(digits):
        yield digit if place % 2 == parity else DOUBLED[digit]


def _is_hidden(digits: str) -> bool:
    """Whether a run of digits is a card number or holds one of a known brand."""
    if len(digits) > DIGITS_MAX or passes_luhn(digits):
        return True
    return any(
        _begins_with_number(digits[start:])
        for start in range(len(digits) - DIGITS_MIN + 1)
        if digits[start] in FIRST_DIGITS
    )


def _begins_with_number(digits: str) -> bool:
    brand = BRANDS.get(detected_brand(digits[:BIN_LENGTH]) or "")
    if brand is None:
        return False
    if not brand.luhn:
        return len(digits) in brand.lengths
    return any(length <= len(digits) and passes_luhn(digits[:length]) for length in brand.lengths)
