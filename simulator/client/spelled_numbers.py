"""How a card number may be spelled in a text: what reads as a digit, and what stands between two.

The gateway, the terminal and reports find numbers by this alone; which of them are numbers of cards
each decides for itself. The cost grows with the length of the text alone. Choices: D-94, D-487.
"""

import re
from collections.abc import Callable, Iterator
from unicodedata import digit as digit_of

DIGITS_MIN, DIGITS_MAX = 12, 19
# What reads as a digit and is none of `\d`: raised, lowered, in circles, with a dot, ancient.
FORMS = (
    "\xb2\xb3\xb9\u1369-\u1371\u19da\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c"
    "\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792"
    "\U00010a40-\U00010a43\U00010e60-\U00010e68\U00011052-\U0001105a\U0001f100-\U0001f10a"
)
DIGIT = rf"[\d{FORMS}]"
# Signs that no letter or digit is. Those of STRUCTURE also separate values and parts of times.
STRUCTURE = r"\"'()\[\]{}<>=&:;?!@#$%"
# Letters that show as blanks.
FILLERS = "\u115f\u1160\u3164\uffa0"
SIGN = rf"(?:[^\w{STRUCTURE}]|[_{FILLERS}])"
ANY_SIGN = rf"[\W_{FILLERS}]"
# A sign as addresses (%20) and languages (\n, \x20, \u00a0) write it out.
ESCAPE = (
    r"(?:%(?:[0189A-Fa-f][0-9A-Fa-f]|2[0-9A-Fa-f]|3[A-Fa-f]|[46]0|[57][B-Fb-f])"
    r"|\\(?:[abfnrtv]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}))"
)
SEPARATOR = rf"(?:{ESCAPE}|{ANY_SIGN}){{1,8}}"
# A digit as they write it out (%34, \x34, \u0034).
WRITTEN_DIGIT = re.compile(r"(?:%|\\x|\\u00)3([0-9])")
# Up to three of them, the likely cases first, which halves the time.
NEXT_DIGIT = rf"(?:{DIGIT}|{SIGN}{DIGIT}|(?:{SIGN}|{ESCAPE}){{1,3}}{DIGIT})"
CHAIN = rf"{DIGIT}{NEXT_DIGIT}{{{DIGITS_MIN - 1},}}+"
# What may be as long as an id and is none: track 2 of a card (alone, or as the tag of a chip, among
# others or in a template), a number filled with F, and the tag of a number among others. An id that
# is like it and has a number that is right is one in some ten million.
TRACK_2 = r"(?:57[0-9A-Fa-f]{2})?[0-9]{12,19}(?:[Dd][0-9]{7,}[Ff]?|[Ff]+)(?![0-9A-Za-z])"
NUMBER_TAG = r"(?:[0-9A-Fa-f]{2}){0,8}5[Aa](?:07[0-9]{13}|08[0-9]{15}|09[0-9]{17}|0[Aa][0-9]{19})"
TRACK_TAG = r"(?:[0-9A-Fa-f]{2}){0,8}57(?:81)?[0-9A-Fa-f]{2}[0-9]{12,19}[Dd][0-9]{3}"
NO_ACCOUNT = rf"(?!{TRACK_2})(?!{NUMBER_TAG})(?!{TRACK_TAG})"
# The ids of records; those of checkouts are in capitals.
ID = (
    r"(?<![0-9A-Za-z])(?=[0-9]{0,31}[A-Fa-f])(?=[0-9A-Fa-f]{32}(?![0-9A-Za-z]))"
    rf"{NO_ACCOUNT}[0-9A-Fa-f]{{32}}"
)
CHAIN_OR_ID = re.compile(rf"{ID}|({CHAIN})")
START_OF_ID = re.compile(ID)
WRITTEN_CHAIN = rf"{DIGIT}(?:{DIGIT}|{SIGN}{{1,3}}{DIGIT}){{{DIGITS_MIN - 1},}}+"
WRITTEN_CHAIN_OR_ID = re.compile(rf"{ID}|({WRITTEN_CHAIN})")
GROUP = re.compile(rf"{DIGIT}+")
GROUP_BESIDE_ESCAPES = re.compile(rf"{ESCAPE}|({DIGIT}+)")
# The same signs between all groups: long ones, or with a sign of STRUCTURE among them.
REPEATED = rf"(?:{SIGN}{{0,3}}+[{STRUCTURE}]{ANY_SIGN}{{0,4}}+|{SIGN}{{4,8}}+)"
SAME = re.compile(rf"(?<!{DIGIT})({DIGIT}++)({REPEATED})({DIGIT}++)(?:\2({DIGIT}++))*+")
# Without so much beside letters there is no chain, unless an escape brings letters in.
LIKE_CHAIN = re.compile(rf"[\d\W_{FILLERS}{FORMS}]{{{DIGITS_MIN},}}")

# The first place of a group of digits in a text, and the one behind it.
Group = tuple[int, int]
FindChains = Callable[[str], Iterator[list[Group]]]


def may_hold_chain(text: str) -> bool:
    """Whether a text is worth a search; nearly all are not."""
    return LIKE_CHAIN.search(text) is not None or "\\" in text or "%" in text


def read_digits(text: str) -> str:
    """The text with a digit in the place of each that is written out."""
    is_likely = "%3" in text or "\\" in text
    return WRITTEN_DIGIT.sub(r"\1", text) if is_likely else text


def mask_as_read(text: str, mask: Callable[[str], str]) -> str:
    """The text masked by `mask`. Where it masks something in the text with plain digits, these are
    shown; else what was written stays. A number in front of a written digit may be none together
    with it, so that it is looked for alone too.
    """
    parts = WRITTEN_DIGIT.split(text)
    if len(parts) == 1:
        return mask(text)
    read = "".join(parts)
    parts[::2] = map(mask, parts[::2])
    shown = mask("".join(parts))
    return mask(text) if shown == read else shown


def chains_as_written(text: str) -> Iterator[list[Group]]:
    """The groups of digits beside what may be escapes, and is none: the first digit of track 1,
    `%B4`, would be taken for a part of one behind another digit.
    """
    if "\\" in text or "%" in text:
        for found in WRITTEN_CHAIN_OR_ID.finditer(text):
            if found[1]:
                yield [group.span() for group in GROUP.finditer(text, *found.span())]


def chains_of_any_signs(text: str) -> Iterator[list[Group]]:
    """The groups of digits that follow each other with up to three signs between them."""
    has_escapes = "\\" in text or "%" in text
    position = 0
    while found := CHAIN_OR_ID.search(text, position):
        position = found.end()
        if not found[1]:
            continue
        if has_escapes:
            matches = GROUP_BESIDE_ESCAPES.finditer(text, *found.span())
            groups = [group.span(1) for group in matches if group[1]]
        else:
            groups = [group.span() for group in GROUP.finditer(text, *found.span())]
        # The last group may be where an id begins: of `800.100.203 847d4b...` this is `847`.
        if ended := START_OF_ID.match(text, groups[-1][0]):
            position = ended.end()
            groups.pop()
        yield groups


def chains_of_one_sign(text: str) -> Iterator[list[Group]]:
    """The groups of digits that follow each other with the same signs between all of them."""
    for like in LIKE_CHAIN.finditer(text):
        start, end = like.span()
        while found := SAME.search(text, start, end):
            groups = [group.span() for group in GROUP.finditer(text, *found.span())]
            if sum(stop - first for first, stop in groups) >= DIGITS_MIN:
                yield groups
            # The last group may be the first of a chain with other signs.
            start = groups[-1][0]


FINDERS: tuple[FindChains, ...] = (chains_as_written, chains_of_any_signs, chains_of_one_sign)


def plain_digits(text: str, groups: list[Group]) -> str:
    """The digits of these groups in ASCII, whatever their script and form."""
    digits = "".join([text[start:end] for start, end in groups])
    return digits if digits.isascii() else "".join(str(digit_of(sign)) for sign in digits)
