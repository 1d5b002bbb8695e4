"""What a judge never shows: card numbers, codes, tokens, keys. It is masked before it is written.

Values are hidden by the names they travel under; card numbers, credentials and the secrets of this
run wherever they stand, in any text. What is hidden stays recognisable where that is harmless: of a
card number the first six and the last four digits.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

MASK = "***"
BIN, LAST = 6, 4
DIGITS_MIN, DIGITS_MAX = 12, 19
# A shorter text is too likely to stand somewhere by chance.
SECRET_LENGTH_MIN = 8
SECRET_WORD = re.compile(rf"[0-9A-Za-z_-]{{{SECRET_LENGTH_MIN},}}")

# Parts of a name, as it reads without capitals and signs, that leave no doubt.
STEMS = (
    "cvv", "cvc", "securitycode", "password", "passwd", "passphrase", "secret", "token", "apikey",
    "controlkey", "privatekey", "authorization", "capability", "track1", "track2", "trackdata",
    "pinblock", "encryptedpin", "cookie", "verificationvalue",
)  # fmt: skip
# Words that are secret as whole words only: "pin" is part of "shipping".
WORDS = frozenset({"pin", "csc", "otp", "tan", "pwd"})
NUMBERS = frozenset({"cardnumber", "cardno", "number", "pan"})
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

ID = r"(?<![0-9A-Za-z])(?=[0-9]{0,31}[A-Fa-f])[0-9A-Fa-f]{32}(?![0-9A-Za-z])"
RUN = rf"[0-9]{{{DIGITS_MIN},}}"
GROUPS = r"(?<![0-9])[0-9]{4}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{1,7}(?![0-9])"
# The ids of records have 32 signs, and some of them twelve digits in a row: they stay readable.
NUMBER = re.compile(rf"{ID}|({RUN}|{GROUPS})")
CREDENTIALS = re.compile(r"((?i:bearer|basic|checkout) +)[A-Za-z0-9._~+/-]{8,}=*")
NAMED = re.compile(
    r"((?i:cvv|cvc|security.?code|passw|passphrase|secret|token|control.?key|api.?key"
    r"|(?<![a-z])(?:pin|csc|otp)(?![a-z]))[\w.\]]{0,40}['\"]?\s{0,3}[=:]\s{0,3})"
    r"(?:'[^']*'|\"[^\"]*\"|[^\s'\"&,;)}]+)"
)


class Masking:
    """What this run must not show. It learns secrets as they come, and hides them from then on."""

    def __init__(self, *secrets: str):
        self._secrets = [each for each in secrets if len(each) >= SECRET_LENGTH_MIN]
        # Every sandbox brings some: thousands are looked up, and not sought one by one.
        self._words: set[str] = set()

    def learn_from(self, body: Any) -> None:
        """Hide what an answer of JSON tells under a secret name, wherever it stands from now on."""
        for secret in _secrets_in(body):
            if SECRET_WORD.fullmatch(secret):
                self._words.add(secret)
            elif len(secret) >= SECRET_LENGTH_MIN:
                self._secrets.append(secret)

    def text(self, text: str) -> str:
        """A text as it may be shown."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        if self._words:
            text = SECRET_WORD.sub(lambda word: MASK if word[0] in self._words else word[0], text)
        return masked_text(text)

    def value(self, name: str, value: str) -> str:
        """What is sent or answered under a name, as it may be shown."""
        if is_secret(name):
            return MASK
        if _squashed(name.rpartition(".")[2]) in NUMBERS and value.isdigit():
            return masked_number(value)
        return self.text(value)

    def body(self, value: Any) -> Any:
        """Mappings, lists and texts, masked by their names and by their form."""
        if isinstance(value, Mapping):
            return {self.text(str(name)): self._member(str(name), each)
                    for name, each in value.items()}  # fmt: skip
        if isinstance(value, list | tuple):
            return [self.body(each) for each in value]
        if isinstance(value, int) and not isinstance(value, bool):
            shown = masked_text(str(value))
            return value if shown == str(value) else shown
        return self.text(value) if isinstance(value, str) else value

    def _member(self, name: str, value: Any) -> Any:
        return self.value(name, value) if isinstance(value, str) else self.body(value)


def is_secret(name: str) -> bool:
    """Whether what travels under this name must not be shown."""
    squashed = _squashed(name)
    words = {word.lower() for word in WORD.findall(name)}
    return any(stem in squashed for stem in STEMS) or bool(words & WORDS)


def masked_text(text: str) -> str:
    """A text without card numbers, credentials and what follows a secret name in it."""
    return CREDENTIALS.sub(rf"\1{MASK}", NAMED.sub(rf"\1{MASK}", without_numbers(text)))


def without_numbers(text: str) -> str:
    """A text without card numbers: for names of our own, which may hold the word `cvv:`."""
    return NUMBER.sub(_without_number, text)


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
    digits = "" if found[1] is None else re.sub("[ -]", "", found[1])
    # A longer run is no card number, and may hold one.
    is_hidden = len(digits) > DIGITS_MAX or (digits and passes_luhn(digits))
    return masked_number(digits) if is_hidden else found[0]


def _secrets_in(body: Any) -> Iterator[str]:
    if isinstance(body, Mapping):
        for name, value in body.items():
            if isinstance(value, str) and is_secret(str(name)):
                yield value
            else:
                yield from _secrets_in(value)
    elif isinstance(body, list):
        for each in body:
            yield from _secrets_in(each)


def _squashed(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
