"""What must never be shown, and how the rest is: one place for journal, trace, log and reports.

Hidden are the values of secret rows of the catalogue and of names that say as much (card.numbr,
customParameters[cvv]), card numbers wherever they stand, access tokens, keys, and what follows a
secret name in a text. The ids of records are 32 hex digits and stay readable. Choice: D-94.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import chain

import msgspec

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.fields.parameters import TABLES
from simulator.domain.accounts.cards import BIN_LENGTH, detected_brand, passes_luhn
from simulator.domain.core.parameters import SECRET

MASK = "***"
NAME_LENGTH_MAX = 100
FOUND_ANYWHERE_LENGTH = 6
DIGITS_MIN, DIGITS_MAX = 12, 19
KEY_LENGTH = 48
SHOWN_IN_FRONT, SHOWN_AT_END, LENGTH_SHOWN_IN_FRONT = 6, 4, 16
COUNTRY_LENGTH, LENGTH_OF_ACCOUNT_SHOWN = 2, 8


class ValueKind(Enum):
    """What a name promises of its value."""

    PLAIN = 0
    SECRET = 1
    CARD_NUMBER = 2
    BANK_NUMBER = 3


ROWS = tuple(row for table in TABLES for row in table.rows)
ACCOUNT_MARKER = b'"bankAccount":{'
# The numbers of bank accounts, as parameters and as members of answers. Choice: D-150.
BANK_NUMBERS = frozenset(
    {"bankAccount.iban", "bankAccount.number", "merchant.bankAccount.number", "iban", "number"}
)
PLAIN = (
    frozenset(
        name
        for row in ROWS
        for full in row.concrete_names
        for name in (full, full.rpartition(".")[2])
    )
    - SECRET
    - {name.rpartition(".")[2] for name in SECRET}
    - BANK_NUMBERS
)
# Parts of a name, as it reads without capitals and signs, that leave no doubt.
STEMS = (
    "cvv", "cvc", "securitycode", "verificationcode", "cardcode", "password", "passwd",
    "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "authorization",
    "credential", "trackdata", "track1", "track2", "pinblock", "encryptedpin",
)  # fmt: skip
NUMBER_STEMS = ("cardnumber", "cardno", "creditcard", "debitcard")
# Words that are secret as whole words only: "pin" is part of "shipping".
WORDS = frozenset({"pin", "csc", "cid", "otp", "tan", "key", "pwd"})
NUMBER_WORDS = frozenset({"pan", "ccn"})
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class FreeData(msgspec.Struct, frozen=True):
    """The part of merchant that has such names."""

    data: Mapping[str, msgspec.Raw] = {}


class FreeMembers(msgspec.Struct, frozen=True):
    """The parts of an answer whose names merchants make up. Reading them alone is quick."""

    customParameters: Mapping[str, msgspec.Raw] = {}
    merchant: FreeData = FreeData()

    def names(self) -> Iterator[str]:
        """All of them."""
        return chain(self.customParameters, self.merchant.data)


FREE_MEMBERS = msgspec.json.Decoder(FreeMembers)
FREE_MARKERS = (b'"customParameters":{', b'"data":{')
HEX = r"(?<![0-9A-Za-z])(?:{0})(?![0-9A-Za-z])"
DIGITS = re.compile(r"[0-9](?:[ -]?[0-9]){11,}")
DIGITS_OR_ID = re.compile(rf"{HEX.format('(?=[0-9]{0,31}[a-f])[0-9a-f]{32}')}|({DIGITS.pattern})")
KEY = re.compile(HEX.format("[0-9a-f]{64}|[0-9a-f]{48}"))
SCHEME = re.compile(
    r"((?i:bearer|basic) +)(?=[A-Za-z._~+/-]*[0-9]|[^ ]{16})[A-Za-z0-9._~+/-]{6,}=*"
)
NAMED = re.compile(
    r"((?i:cvv|cvc|security.?code|passw|secret|token|api.?key|credential"
    r"|(?<![a-z])(?:pin|csc|otp|key)(?![a-z]))[\w.\]]{0,40}['\"]?\s{0,3}[=:]\s{0,3})"
    r"(?:'[^']*'|\"[^\"]*\"|[^\s'\"&,;)}]+)"
)
REDIRECT_MARKER, SECURE_MARKER = b"/redirect/", b"/threeDSecure/"
REDIRECT = re.compile(rb"(/(?:redirect|threeDSecure)/[0-9a-f]{32}/[0-9a-f]{32}/)[0-9a-f]{48}")
LATER_INDEX = re.compile(r"\[[1-9][0-9]+\]")
GROUP = re.compile("[0-9]+")
MASKED_NUMBER = re.compile(r"[0-9]{0,6}\*+[0-9]{4}")
DIGIT_TABLE = bytes(48 if 48 <= sign <= 57 else 32 if sign in b" -" else 95 for sign in range(256))
LONG_RUN, RUN = b"0" * DIGITS_MIN, re.compile(rb"[0-9]+")
GROUPED = b"0000 0000"
GROUPED_BY_FOUR, GROUPED_AMEX = b"0000 0000 0000", b"0000 000000 0000"
HEX_LETTERS = b"abcdef"
FIRST_DIGITS = frozenset(low[0] for brand in BRANDS.values() for low, _ in brand.ranges)
TOKEN, TOKEN_BEFORE = re.compile(rb"[0-9A-Za-z]*"), re.compile(rb"[0-9A-Za-z]*\Z")
ID, ID_LENGTH = re.compile(rb"(?=[0-9]*[a-f])[0-9a-f]{32}"), 32


def kind_of(name: str) -> ValueKind:
    """What the parameter or member `name` holds. An unknown name of `card.` is taken for a
    slip of the pen.
    """
    if len(name) > NAME_LENGTH_MAX:
        return ValueKind.SECRET
    # A thousand items have the names of ten.
    return _kind_of(LATER_INDEX.sub("[10]", name) if "[" in name else name)


@lru_cache(maxsize=4096)
def _kind_of(name: str) -> ValueKind:
    if name in PLAIN:
        return ValueKind.PLAIN
    if name in BANK_NUMBERS:
        return ValueKind.BANK_NUMBER
    squashed = "".join(letter for letter in name.lower() if letter.isalnum())
    words = {word.lower() for word in WORD.findall(name)}
    if squashed.endswith(NUMBER_STEMS) or words & NUMBER_WORDS:
        return ValueKind.CARD_NUMBER
    secret = name in SECRET or any(stem in squashed for stem in STEMS) or words & WORDS
    return ValueKind.SECRET if secret or name.lower().startswith("card.") else ValueKind.PLAIN


def masked_value(value: str, kind: ValueKind) -> str:
    """A value of that kind as it may be shown."""
    if kind is ValueKind.CARD_NUMBER and value.isascii() and value.isdigit():
        return masked_number(value)
    if kind is ValueKind.BANK_NUMBER:
        return masked_account(value)
    return value if MASKED_NUMBER.fullmatch(value) else MASK


def masked_number(number: str) -> str:
    """A card number without its middle: 420000******0000; of a short one the last four digits."""
    if len(number) < DIGITS_MIN:
        return MASK
    front = SHOWN_IN_FRONT if len(number) >= LENGTH_SHOWN_IN_FRONT else 0
    middle = "*" * (len(number) - front - SHOWN_AT_END)
    return f"{number[:front]}{middle}{number[-SHOWN_AT_END:]}"


def masked_account(number: str) -> str:
    """A bank account number or IBAN: its country, if any, and the last four signs. A short one
    shows nothing.
    """
    if "*" in number or len(number) < LENGTH_OF_ACCOUNT_SHOWN:
        return number if "*" in number else MASK
    front = COUNTRY_LENGTH if number[:COUNTRY_LENGTH].isalpha() else 0
    middle = "*" * (len(number) - front - SHOWN_AT_END)
    return f"{number[:front]}{middle}{number[-SHOWN_AT_END:]}"


def masked_proof(value: str) -> str:
    """A proof of an authentication: enough of it to tell two apart, not enough to use it again."""
    return f"{value[:SHOWN_AT_END]}{MASK}"


def mask_text(text: str) -> str:
    """Any text, such as a line of a log or a traceback, as it may be shown."""
    if len(text) >= DIGITS_MIN and DIGITS.search(text):
        text = DIGITS_OR_ID.sub(_without_card_numbers, text)
    if len(text) >= KEY_LENGTH:
        text = KEY.sub(MASK, text)
    if "=" in text or ":" in text:
        text = NAMED.sub(rf"\1{MASK}", text)
    return SCHEME.sub(rf"\1{MASK}", text) if " " in text else text


def mask_url(url: str) -> str:
    """An address without its user part and without what its query says."""
    head, sign, rest = url.partition("://")
    place, question, _ = (rest if sign else head).partition("?")
    host, slash, path = place.partition("/")
    shown = f"{host.rpartition('@')[2]}{slash}{path}" + (f"?{MASK}" if question else "")
    return mask_text(f"{head}{sign}{shown}" if sign else shown)


def glance(encoded: bytes, secrets: Collection[str] = ()) -> bytes | None:
    """JSON or text without card numbers, or None where `masked` must walk through its texts.

    `secrets` are sought in JSON. Nearly all JSON holds nothing to mask and is only looked at: 4 KB
    take some microseconds.
    """
    flat = encoded.translate(DIGIT_TABLE)
    if GROUPED in flat and (GROUPED_BY_FOUR in flat or GROUPED_AMEX in flat):
        return None
    for secret in secrets:
        if (secret.encode() if secret.isalnum() else _as_json(secret)) in encoded:
            return None
    if LONG_RUN not in flat:
        return encoded
    # An escape such as \\u0007 would run into the digits after it. One sign is sought much faster.
    if b"\\" in encoded and b"\\u" in encoded:
        return None
    return _without_long_numbers(encoded, flat)


def masked_free_members(answer: bytes) -> bytes:
    """An answer in JSON, masked if a name that merchants make up says that something is secret."""
    if not any(marker in answer for marker in FREE_MARKERS):
        return answer
    try:
        found = FREE_MEMBERS.decode(answer)
        is_plain = all(kind_of(name) is ValueKind.PLAIN for name in found.names())
    except msgspec.ValidationError:
        is_plain = False
    return answer if is_plain else msgspec.json.encode(masked(msgspec.json.decode(answer)))


def masked_accounts(answer: bytes) -> bytes:
    """An answer in JSON without the numbers of the bank accounts in it. Choice: D-150."""
    if ACCOUNT_MARKER not in answer:
        return answer
    return msgspec.json.encode(masked(msgspec.json.decode(answer)))


def masked_redirects(answer: bytes) -> bytes:
    """An answer in JSON without what opens the redirect page of a shopper. Choice: D-135."""
    is_marked = REDIRECT_MARKER in answer or SECURE_MARKER in answer
    return REDIRECT.sub(rb"\1***", answer) if is_marked else answer


def _without_long_numbers(encoded: bytes, flat: bytes) -> bytes:
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
    if encoded[start - 1] not in HEX_LETTERS and encoded[end : end + 1] not in HEX_LETTERS:
        return False
    before = TOKEN_BEFORE.search(encoded, max(0, start - ID_LENGTH), start)
    first = start if before is None else before.start()
    return ID.fullmatch(encoded, first, _end_of(TOKEN, encoded, first)) is not None


def _end_of(pattern: re.Pattern[bytes], encoded: bytes, start: int) -> int:
    """Where what begins at `start` ends; `start` itself where nothing does."""
    found = pattern.match(encoded, start)
    return start if found is None else found.end()


def masked(value: object, secrets: Collection[str] = ()) -> object:
    """Mappings, lists and texts, masked by their names and their form."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, MASK)
        return mask_text(value)
    if isinstance(value, Mapping):
        return {masked(key, secrets): _member(key, each, secrets) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [masked(each, secrets) for each in value]
    return value


def _member(name: object, value: object, secrets: Collection[str]) -> object:
    if isinstance(name, str) and isinstance(value, str) and kind_of(name) is not ValueKind.PLAIN:
        return masked_value(value, kind_of(name))
    return masked(value, secrets)


def _as_json(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]


def _without_card_numbers(found: re.Match[str]) -> str:
    """Digits in groups, with every sequence of groups that can be a card number masked."""
    text = found[1]
    if text is None:
        return found[0]
    groups = [found.span() for found in GROUP.finditer(text)]
    shown, done, first = [], 0, 0
    while first < len(groups):
        last = _end_of_number(text, groups, first)
        if last is not None:
            start, end = groups[first][0], groups[last][1]
            shown += [text[done:start], masked_number(_joined(text[start:end]))]
            done = end
        first = (first if last is None else last) + 1
    return "".join(shown) + text[done:]


def _end_of_number(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """The last group of the card number that begins with the group `first`, or None."""
    start, end = groups[first]
    if end - start >= DIGITS_MIN:
        return first if _is_hidden(text[start:end]) else None
    for last in reversed(range(first + 1, min(first + DIGITS_MAX, len(groups)))):
        digits = _joined(text[start : groups[last][1]])
        if DIGITS_MIN <= len(digits) <= DIGITS_MAX and passes_luhn(digits):
            is_long = any(end - start >= DIGITS_MIN for start, end in groups[first + 1 : last + 1])
            return None if is_long else last
    return None


def _joined(text: str) -> str:
    return text.replace(" ", "").replace("-", "")


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
