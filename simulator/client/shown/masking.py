"""Masking of card numbers, codes, tokens and keys, before anything is written.

Values are hidden by the names they travel under; card numbers, credentials and the secrets of this
run wherever they stand, in any text. What is hidden stays recognisable where that is harmless: of a
card number the first six and the last four digits.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from simulator.client.named_values import VALUE, NamedValues
from simulator.client.shown import secret_names
from simulator.client.shown.packed_secrets import (
    is_wallet_token,
    without_packed,
    without_wallet_tokens,
)
from simulator.client.shown.spelled_secrets import spellings_of
from simulator.client.shown.user_parts import without_user_parts
from simulator.client.spelled_numbers import (
    DIGIT,
    DIGITS_MAX,
    DIGITS_MIN,
    ID,
    SEPARATOR,
    mask_as_read,
    plain_digits,
)

MASK = "***"
# Most of what is masked comes again and again: names, headers, steps. So many are remembered.
SHORT_MAX, KEPT_MAX = 200, 8192
BIN, LAST = 6, 4
# A shorter text is too likely to stand somewhere by chance: it is not learned, and one that was
# given is hidden as a whole word only.
SECRET_LENGTH_MIN = 8
SECRET_WORD = re.compile(rf"[0-9A-Za-z_-]{{{SECRET_LENGTH_MIN},}}")
# In a quoted text the sign before a word reads as two more letters of it: `Bearer%20abc`.
QUOTED_WORD = re.compile(rf"%[0-9A-Fa-f]{{2}}|{SECRET_WORD.pattern}")

# Where a word begins: after no letter or digit, after a quoted sign (`%20`), after `\n` in JSON.
WORD_BEGINS = r"(?:(?<![0-9A-Za-z])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[nrt]))"
WORD_ENDS = r"(?![0-9A-Za-z])"

# Parts of a name, as it reads without capitals and signs, that leave no doubt.
STEMS = (
    *secret_names.STEMS, "secret", "token", "apikey", "controlkey", "privatekey", "authorization",
    "capability", "cookie",
)  # fmt: skip
# Words that are secret as whole words only: "key" is part of "keyboard".
WORDS = secret_names.WORDS | {"tan", "key", "auth", "signature", "sig"}
NUMBERS = frozenset({"cardnumber", "cardno", "number", "pan"})
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

RUN = rf"{DIGIT}{{{DIGITS_MIN},}}"
# In fours, with the same signs between them: a report is full of other numbers.
GROUPS = (
    rf"(?<!{DIGIT}){DIGIT}{{4}}({SEPARATOR}){DIGIT}{{4}}\2{DIGIT}{{4}}\2{DIGIT}{{1,7}}(?!{DIGIT})"
)
# The ids of records have 32 signs, and some of them twelve digits in a row: they stay readable.
NUMBER = re.compile(rf"{ID}|({RUN}|{GROUPS})")
CREDENTIALS = re.compile(r"((?i:bearer|basic|checkout) +)[A-Za-z0-9._~+/-]{8,}=*")
NAMED = NamedValues(
    (*secret_names.BEGINNINGS, "token", "control", "api", "key", "auth", "sig"),
    rf"{secret_names.IN_TEXTS}|(?i:secret|token(?!s: )|control.?key|api.?key"
    # Words of everyday speech: only where a name stands, in a query, a header or an object.
    r"|(?:^|(?<=[?&'\"_\[-]))(?:key|auth|signature|sig)(?![a-z]))",
)
PAIR = re.compile(
    r"((['\"])name\2\s{0,3}:\s{0,3}\2(?P<name>[^'\"]{0,100})\2\s{0,3},"
    rf"\s{{0,3}}\2value\2\s{{0,3}}:\s{{0,3}}){VALUE}"
)
# Such an address is a credential. Ids have 32 characters, and what is longer is a secret.
SEGMENT = r"(?:/|%2[Ff])"
CAPABILITY = re.compile(
    rf"((?:^|{SEGMENT})results{SEGMENT})[\w~-]{{{SECRET_LENGTH_MIN},}}"
    rf"|((?:^|{SEGMENT})redirect(?:{SEGMENT}[\w~-]+){{2}}{SEGMENT})[\w~-]{{{SECRET_LENGTH_MIN},}}"
    rf"|({SEGMENT})[0-9A-Fa-f]{{33,}}(?![0-9A-Za-z])"
)


class Masking:
    """The secrets of a run. It learns them as they come, and hides them from then on.

    Those it is given are hidden however short they are. Choice: D-245.
    """

    def __init__(self, *secrets: str):
        self._secrets: dict[str, re.Pattern[str]] = {}
        # Every sandbox brings some: thousands are looked up, and not sought one by one.
        self._words: set[str] = set()
        for each in filter(None, secrets):
            self._seek(each)

    def learn(self, secret: str) -> None:
        """Hide a text wherever it stands from now on, unless it is too short to be distinctive."""
        if SECRET_WORD.fullmatch(secret):
            self._words.add(secret.lower())
        elif len(secret) >= SECRET_LENGTH_MIN:
            self._seek(secret)

    def learn_from(self, body: Any) -> None:
        """Hide the values of secret names in a JSON answer, wherever they stand from now on."""
        for secret in _secrets_in(body):
            self.learn(secret)

    def text(self, text: str) -> str:
        """A text as it may be shown."""
        for secret in self._secrets.values():
            text = secret.sub(MASK, text)
        if self._words:
            text = SECRET_WORD.sub(self._word, text)
            text = QUOTED_WORD.sub(self._word, text) if "%" in text else text
        return masked_text(text)

    def value(self, name: str, value: str) -> str:
        """What is sent or answered under a name, as it may be shown."""
        return str(self.member(name, value))

    def member(self, name: str, value: Any) -> Any:
        """What JSON holds under a name: of a secret nothing but whether there is one."""
        if is_secret(name):
            return value if value is None or isinstance(value, bool) else MASK
        digits = str(value) if isinstance(value, str | int) else ""
        if _squashed(name.rpartition(".")[2]) in NUMBERS and digits.isdigit():
            is_short = isinstance(value, int) and len(digits) < DIGITS_MIN
            return value if is_short else masked_number(digits)
        return self.body(value)

    def body(self, value: Any) -> Any:
        """Mappings, lists and texts, masked by their names and by their form."""
        if isinstance(value, Mapping) and is_wallet_token(value):
            return {self.text(str(name)): MASK for name in value}
        if isinstance(value, Mapping):
            shown = {self.text(str(name)): self.member(str(name), each)
                     for name, each in value.items()}  # fmt: skip
            name = _name_of(value)
            return shown if name is None else shown | {"value": self.member(name, value["value"])}
        if isinstance(value, list | tuple):
            return [self.body(each) for each in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            number = self.text(str(value))
            return value if number == str(value) else number
        return self.text(value) if isinstance(value, str) else value

    def _seek(self, secret: str) -> None:
        """Seek a secret however it is written, in capitals or not."""
        forms = sorted(spellings_of(secret), key=len, reverse=True)
        sought = "|".join(map(re.escape, forms))
        if len(secret) < SECRET_LENGTH_MIN:
            sought = f"{WORD_BEGINS}(?:{sought}){WORD_ENDS}"
        self._secrets[secret] = re.compile(sought, re.IGNORECASE)

    def _word(self, found: re.Match[str]) -> str:
        return MASK if found[0].lower() in self._words else found[0]


@lru_cache(KEPT_MAX)
def is_secret(name: str) -> bool:
    """Whether what travels under this name must not be shown."""
    squashed = _squashed(name)
    words = {word.lower() for word in WORD.findall(name)}
    return any(stem in squashed for stem in STEMS) or bool(words & WORDS)


def masked_text(text: str) -> str:
    """A text without card numbers, credentials, the user parts of addresses, and what follows a
    secret name in it.
    """
    return _masked_short(text) if len(text) <= SHORT_MAX else _masked(text)


@lru_cache(KEPT_MAX)
def _masked_short(text: str) -> str:
    return _masked(text)


def _masked(text: str) -> str:
    return _without_plain(without_packed(text, MASK, _holds_secret))


def _holds_secret(text: str) -> bool:
    return _without_plain(text) != text


def _without_plain(text: str) -> str:
    text = without_user_parts(text, MASK)
    text = CAPABILITY.sub(lambda found: f"{found[1] or found[2] or found[3]}{MASK}", text)
    text = PAIR.sub(_without_pair, NAMED.masked(without_numbers(text), MASK))
    return without_wallet_tokens(CREDENTIALS.sub(rf"\1{MASK}", text), MASK)


def without_numbers(text: str) -> str:
    """A text without card numbers: for names of our own, which may hold the word `cvv:`."""
    return mask_as_read(text, partial(NUMBER.sub, _without_number))


def masked_number(digits: str) -> str:
    """A card number without its middle, as `420000******0000`; of a short one nothing."""
    if len(digits) < DIGITS_MIN:
        return MASK
    return digits[:BIN] + "*" * (len(digits) - BIN - LAST) + digits[-LAST:]


def passes_luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of those before it."""
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(doubled)) % 10 == 0


def _without_number(found: re.Match[str]) -> str:
    written = found[1] or ""
    written = "".join(written.split(found[2])) if found[2] else written
    digits = plain_digits(written, [(0, len(written))])
    # A longer run is no card number, and may hold one.
    is_hidden = len(digits) > DIGITS_MAX or (digits and passes_luhn(digits))
    return masked_number(digits) if is_hidden else found[0]


def _without_pair(found: re.Match[str]) -> str:
    return f"{found[1]}{MASK}" if is_secret(found["name"]) else found[0]


def _secrets_in(body: Any) -> Iterator[str]:
    if isinstance(body, Mapping):
        name = _name_of(body)
        if name is not None and is_secret(name):
            yield from _values_in(body["value"])
        for key, value in body.items():
            yield from _values_in(value) if is_secret(str(key)) else ()
            yield from _secrets_in(value)
    elif isinstance(body, list):
        for each in body:
            yield from _secrets_in(each)


def _values_in(value: Any) -> Iterator[str]:
    """The secrets under a secret name. What an object has beside them, as its id, is none."""
    if isinstance(value, str | int) and not isinstance(value, bool):
        yield str(value)
    for each in value if isinstance(value, list) else ():
        yield from _values_in(each)
    if isinstance(value, Mapping):
        yield from _values_in(value.get("value"))


def _name_of(body: Mapping[Any, Any]) -> str | None:
    """The name in `{"name": ..., "value": ...}`, the form of parameters in redirects."""
    name = body.get("name")
    return name if isinstance(name, str) and "value" in body else None


@lru_cache(KEPT_MAX)
def _squashed(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
