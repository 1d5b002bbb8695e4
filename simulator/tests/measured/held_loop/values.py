"""Values that no reasonable client sends, as texts and as JSON."""

import json
from collections.abc import Callable, Mapping
from functools import partial

# What long values are made of: each comes close to a pattern again and again.
PIECES: Mapping[str, str] = {
    "digits": "9",
    "single digits": "1 ",
    "digits and percents": "4%",
    "groups of digits": "0000 ",
    "almost numbers": "424242424242a",
    "numbers": "4539578763621486 ",
    "numbers in names": "4539578763621486.a1.1.1",
    "coded digits": "%34",
    "hex digits": "0123456789abcdef",
    "letters": "a",
    "quotes": '"',
    "apostrophes": "'",
    "backslashes": "\\",
    "escapes": "\\4",
    "coded escapes": "\\u0034",
    "brackets": "[",
    "closed brackets": "]",
    "braces": "{",
    "parentheses": "(",
    "tags": "<a>",
    "colons": "a: ",
    "commas": "a,",
    "dots": "a.",
    "slashes": "/a",
    "questions": "?a=",
    "ats": "a@",
    "stars": "*",
    "anchors": "- &a *a\n",
    "lines": "4\n4",
    "minuses": "-",
    "blanks": " ",
    "named secrets": "token='",
    "named members": '"cvv":"',
    "credentials": "bearer abcdefg ",
    "certificates": "-----BEGIN CERTIFICATE-----\n",
    "keys": "ssh-rsa AAAA",
    "spans": "1h1m",
    "instants": "2027-01-31T12:00:00",
    "umlauts": "\u00e94",
    "wide digits": "\uff14",
    "emoji": "\U0001f600",
    "right to left": "\u202e",
    "control characters": "\x1b[2J",
    "nul": "\x00",
}
DIGITS_OF_NUMBER = 4000
DEPTH_READ = 900
EXPONENTS = ("1e308", "1E+30000000", "1e-30000000", "-1e30000000", "0e99999999")


def text_of(piece: str, size: int) -> str:
    """A text of `piece` again and again, of about so many bytes."""
    return piece * max(1, size // len(piece.encode()))


def json_values(item: object) -> Mapping[str, Callable[[int], str]]:
    """What makes JSON of about so many bytes, by what it is; lists have `item` among others."""

    def many(each: str) -> Callable[[int], str]:
        return lambda size: f"[{','.join([each] * (size // (len(each) + 1)))}]"

    return {
        "many digits": lambda size: "9" * min(size, DIGITS_OF_NUMBER),
        "more digits": lambda size: "9" * size,
        **{number: partial(_always, number) for number in EXPONENTS},
        **{f"text {number}": partial(_always, json.dumps(number)) for number in EXPONENTS},
        "numbers": many("0"),
        "texts": many('""'),
        "objects": many("{}"),
        "lists": many("[]"),
        "items": many(json.dumps(item)),
        "different texts": lambda size: json.dumps([f"a{each}" for each in range(size // 12)]),
        "many names": lambda size: json.dumps({f"a{each}": 0 for each in range(size // 13)}),
        "deep lists": lambda size: "[" * (size // 2) + "]" * (size // 2),
        "lists as deep as are read": lambda size: _deep("[", "]", size // 2),
        "deep objects": lambda size: _deep('{"a":', "0}", size // 6),
        "one long name": lambda size: json.dumps({"1 " * (size // 2): 0}),
        "a name as a place": lambda size: json.dumps({"a` - at `$" + ".a[0]" * (size // 5): 0}),
    }


def _always(text: str, _: int) -> str:
    return text


def _deep(opening: str, closing: str, size: int) -> str:
    depth = min(DEPTH_READ, size)
    return opening * depth + closing[:-1] + closing[-1] * depth
