"""What must never be shown, and how the rest is: one place for journal, trace, log and reports.

Hidden are the values of secret rows of the catalogue and of names that say as much (card.numbr,
customParameters[cvv]), card numbers wherever they stand, access tokens, keys, the user part of an
address, what follows a secret name in a text, and JSON in base64 that has one. The ids of records
are 32 hex digits and stay readable. Choice: D-94.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache

import msgspec

from simulator.catalogue.fields.limits import FORBIDDEN_KEYS
from simulator.catalogue.fields.parameters import TABLES
from simulator.client.named_values import NamedValues
from simulator.client.shown import packed_secrets
from simulator.client.shown.secret_names import BEGINS, ENDS, IN_TEXTS, STEMS_IN_TEXTS
from simulator.client.shown.user_parts import may_have_user_part, without_user_parts
from simulator.domain.core.parameters import SECRET
from simulator.domain.masking.card_numbers import (
    SHOWN_AT_END,
    has_spelled_number,
    mask_card_numbers,
    mask_runs,
)
from simulator.domain.masking.card_numbers import (
    masked_number as masked_number,
)
from simulator.domain.masking.chosen_keys import ChosenKeys
from simulator.grammar.names import Words, squashed_name, words_of

MASK = "***"
# The parameter whose address is called. Choice: D-703.
CALLED = "notificationUrl"
NAME_LENGTH_MAX = 100
SHOWN_LENGTH_MAX = 255
FOUND_ANYWHERE_LENGTH = 6
# Of so short a text, and of few places in a longer one, values of secrets are sought in no time.
SOUGHT_AT_ONCE, PLACES_AT_ONCE = 2000, 100
# Of a token or key 48 hex digits are shown nowhere, nor 40 of them: errors cut what they repeat.
KEY_LENGTH = 40
# So much more of a text is looked at than is shown of it.
SEEN_BEYOND = 4096
COUNTRY_LENGTH, LENGTH_OF_ACCOUNT_SHOWN = 2, 8


class ValueKind(Enum):
    """What a name promises of its value."""

    PLAIN = 0
    SECRET = 1
    CARD_NUMBER = 2
    BANK_NUMBER = 3


ROWS = tuple(row for table in TABLES for row in table.rows)
# The numbers of bank accounts, as parameters and as members of answers. Choice: D-150.
BANK_NUMBERS = frozenset(
    {"bankAccount.iban", "bankAccount.number", "merchant.bankAccount.number", "iban", "number"}
)
# Fields of card messages: a number that is masked already, and the code of an authorization.
CARD_LABELS = frozenset({"2 primary account number", "38 authorization identification response"})
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
) | CARD_LABELS
# Names that leave no doubt, beside those that no request may carry.
SECRETS = Words(
    stems=(
        *FORBIDDEN_KEYS.stems, "secret", "token", "apikey", "accesskey", "privatekey",
        "authorization", "credential", "pincode", "passcode", "accesscode", "passwort", "cookie",
        "bearer",
    ),
    whole=FORBIDDEN_KEYS.whole | {"tan", "key", "pass", "jwt"},
)  # fmt: skip
# Credentials as the whole or the end of a name: an AuthCode is that of an approval, and so is what
# a text calls "auth code" or "authorization number".
APPROVAL = r"|[ _-](?:code|number)"
AUTH = re.compile(r"(?:(?<![A-Za-z])[Aa]|(?<=[a-z])A)(?:uth|UTH)\W*\Z")
NUMBER_STEMS = ("cardnumber", "cardno", "creditcard", "debitcard")
NUMBER_WORDS = frozenset({"pan", "ccn"})

# Names whose values are masked before they are looked at.
LOOKED_AT_ELSEWHERE = frozenset({"number", "iban", "card.number"})
# What stands before a key may be hex digits as well: those of an escape, as in `%3D`.
KEY = re.compile(f"[0-9A-Fa-f]{{{KEY_LENGTH},}}")
# For a look at bytes: hex digits as 0, anything else as _. Runs are found much faster than keys.
KEY_TABLE = bytes(48 if sign in b"0123456789abcdefABCDEF" else 95 for sign in range(256))
KEY_RUN, KEY_IN_BYTES = b"0" * KEY_LENGTH, re.compile(KEY.pattern.encode())
SCHEME = re.compile(
    r"((?ai:bearer|basic) +)(?=[A-Za-z._~+/-]*[0-9]|[^ ]{16})[A-Za-z0-9._~+/-]{6,}=*"
)
SCHEME_IN_BYTES = re.compile(SCHEME.pattern.replace("?ai", "?i").encode())
LATER_INDEX = re.compile(r"\[[1-9][0-9]+\]")
# A parameter that a sentence begins with, as in `card.cvv: expected 3 digits`.
NAME = re.compile(r"([\w.\[\]-]++): ")
MASKED_NUMBER = re.compile(r"(?=.{12})[0-9]{0,6}\*+[0-9]{4}")
CHOSEN_KEYS = ChosenKeys()


def hide_key(key: str) -> None:
    """Show this key nowhere from here on, whatever its form. Choice: D-359."""
    if not KEY.fullmatch(key):
        CHOSEN_KEYS.add(key)


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
    if squashed_name(name).endswith(NUMBER_STEMS) or words_of(name) & NUMBER_WORDS:
        return ValueKind.CARD_NUMBER
    is_named = name in SECRET or SECRETS.are_in(name) or AUTH.search(name)
    return ValueKind.SECRET if is_named or name.lower().startswith("card.") else ValueKind.PLAIN


def _is_hidden_member(name: str) -> bool:
    """Whether what stands under the name of a member of JSON is masked for its name."""
    return name not in LOOKED_AT_ELSEWHERE and _is_hidden(name)


def _is_hidden(name: str) -> bool:
    return kind_of(name) is not ValueKind.PLAIN


# The names of SECRETS as they are written.
SECRET_VALUES = NamedValues(
    STEMS_IN_TEXTS,
    rf"{IN_TEXTS}|(?i:secret|token|credential|cookie|(?:pass|access).?code"
    rf"|(?:{BEGINS}|(?<=api)|(?<=api.)|(?<=access)|(?<=private))key{ENDS}"
    rf"|{BEGINS}(?:pass|bearer|jwt){ENDS}|{BEGINS}auth(?:orization)?(?![a-z]{APPROVAL}))"
    r"|(?<=[a-z])(?:Key|Pass|Jwt)(?![a-z])|(?<=[a-z])A(?:uth|UTH)(?![A-Za-z])",
    _is_hidden_member,
)


def masked_value(value: str, kind: ValueKind) -> str:
    """A value of that kind as it may be shown."""
    if kind is ValueKind.CARD_NUMBER and value.isascii() and value.isdigit():
        return masked_number(value)
    if kind is ValueKind.BANK_NUMBER:
        return masked_account(value)
    is_masked = kind is ValueKind.CARD_NUMBER and MASKED_NUMBER.fullmatch(value)
    return value if is_masked else MASK


def masked_account(number: str) -> str:
    """A bank account number or IBAN: its country, if any, and the last four signs. A short one
    shows nothing.
    """
    if "*" in number or len(number) < LENGTH_OF_ACCOUNT_SHOWN:
        return number if "*" in number else MASK
    front = COUNTRY_LENGTH if number[:COUNTRY_LENGTH].isalpha() else 0
    middle = "*" * (len(number) - front - SHOWN_AT_END)
    return f"{number[:front]}{middle}{number[-SHOWN_AT_END:]}"


def mask_explanation(text: str) -> str:
    """A sentence of the gateway that repeats what was sent: without card numbers, keys and
    the user parts of addresses. What follows the name of a secret stays, for the sentence names
    parameters.
    """
    # Keys come first, for digits of one may look like a card number, and again for those whose
    # digits were written otherwise.
    return _without_plain(_without_packed(CHOSEN_KEYS.replaced_in(text, MASK)))


def _without_packed(text: str) -> str:
    return packed_secrets.without_packed(text, MASK, _holds_secret)


def _holds_secret(text: str) -> bool:
    """Whether something in a text that was in base64 would be masked; nearly none is."""
    encoded = text.encode()
    # Behind a blank may be the secret of a scheme; what JSON escapes reads otherwise.
    is_likely = " " in text or "\\" in text or _has_key(encoded) or CHOSEN_KEYS.are_in(encoded)
    is_named = may_have_user_part(encoded) or SECRET_VALUES.are_in(encoded)
    if not is_likely and not is_named and not has_spelled_number(encoded):
        return mask_runs(encoded) is not encoded
    return _without_values(_without_plain(CHOSEN_KEYS.replaced_in(text, MASK))) != text


def _without_plain(text: str) -> str:
    text = _without_keys(without_user_parts(text, MASK))
    return _without_keys(mask_card_numbers(text))


def _without_keys(text: str) -> str:
    return KEY.sub(_without_key, text) if len(text) >= KEY_LENGTH else text


def _without_key(found: re.Match[str]) -> str:
    """A run of hex digits as it may be shown: what has digits or letters alone is no key."""
    return found[0] if found[0].isalpha() or found[0].isdigit() else MASK


def mask_text(text: str) -> str:
    """Any text, such as a line of a log or a traceback, as it may be shown."""
    return _without_values(mask_explanation(text))


def mask_reason(text: str) -> str:
    """A sentence of the gateway that says why something is refused: what it repeats is masked as
    any text, and what it says of the parameters that it begins with is no value of theirs.
    """
    text = mask_explanation(text)
    end = _end_of_names(text)
    return text[:end] + _without_values(text[end:])


def _end_of_names(text: str) -> int:
    """Where the parameters end that a sentence begins with. What follows the name of a secret may
    be its value, although it looks like one more name.
    """
    end = 0
    while name := NAME.match(text, end):
        if kind_of(name[1]) is not ValueKind.PLAIN and NAME.match(text, name.end()):
            break
        end = name.end()
    return end


def _without_values(text: str) -> str:
    # A scheme before its secret would be taken for the value of a name before it.
    text = SCHEME.sub(rf"\1{MASK}", text) if " " in text else text
    return packed_secrets.without_wallet_tokens(SECRET_VALUES.masked(text, MASK), MASK)


def takes_long(text: str) -> bool:
    """Whether to seek the values of secrets in a text takes milliseconds."""
    if len(text) <= SOUGHT_AT_ONCE:
        return False
    return SECRET_VALUES.places_in(text.encode("utf-8", "replace")) > PLACES_AT_ONCE


def shown_text(text: str, length_max: int = SHOWN_LENGTH_MAX) -> str:
    """What was sent, as an answer or a log may repeat it: cut, then masked. Choice: D-265."""
    return mask_text(cut_text(text, length_max))


def cut_text(text: str, length_max: int) -> str:
    """The beginning of a long text, without digits at the cut, which may be part of a number, and
    without the keys that users chose and the user parts of addresses, of which a part would be
    left.
    """
    if len(text) <= length_max:
        return text
    text = CHOSEN_KEYS.replaced_in(text, MASK)
    text = _without_packed(text[: length_max + SEEN_BEYOND])
    text = packed_secrets.without_wallet_tokens(without_user_parts(text, MASK), MASK)
    end = min(length_max, len(text))
    while end and not text[end - 1].isalpha():
        end -= 1
    return text[:end]


def mask_url(url: str) -> str:
    """An address without its user part and without what its query says."""
    head, sign, rest = without_query(url).partition("://")
    host, slash, path = (rest if sign else head).partition("/")
    shown = f"{host.rpartition('@')[2]}{slash}{path}"
    return mask_text(f"{head}{sign}{shown}" if sign else shown)


def without_query(url: str) -> str:
    """An address without what its query says; where that may be in the user part, without both."""
    if "?" not in url:
        return url
    return f"{without_user_parts(url, MASK).partition('?')[0]}?{MASK}"


def called_without_query(name: str, value: str) -> str:
    """The value of a parameter: an address that is called is shown without what its query says."""
    return without_query(value) if name == CALLED else value


def glance(encoded: bytes, secrets: Collection[str] = ()) -> bytes | None:
    """JSON or text without card numbers, or None where `masked` must walk through its texts: also
    where a key stands in it, or the value of a secret behind its name, or what JSON escapes, which
    reads otherwise than the text that is meant.

    `secrets` are sought in JSON. Nearly all JSON holds nothing to mask and is only looked at: 4 KB
    take some microseconds.
    """
    for secret in secrets:
        if (secret.encode() if secret.isalnum() else _as_json(secret)) in encoded:
            return None
    if b"\\" in encoded or _has_key(encoded) or CHOSEN_KEYS.are_in(encoded):
        return None
    if has_secret_value(encoded):
        return None
    return None if has_spelled_number(encoded) else mask_runs(encoded)


def has_secret_value(encoded: bytes) -> bool:
    """Whether a secret may stand in JSON or text: behind its name, behind the scheme of a header,
    in the user part of an address, or in base64.
    """
    if may_have_user_part(encoded) or packed_secrets.may_be_packed(encoded, _holds_secret):
        return True
    lowered = encoded.lower()
    if (b"bearer " in lowered or b"basic " in lowered) and SCHEME_IN_BYTES.search(encoded):
        return True
    return SECRET_VALUES.are_in(encoded)


def _has_key(encoded: bytes) -> bool:
    is_likely = KEY_RUN in encoded.translate(KEY_TABLE)
    return is_likely and any(
        not (found[0].isalpha() or found[0].isdigit()) for found in KEY_IN_BYTES.finditer(encoded)
    )


def masked(value: object, secrets: Collection[str] = ()) -> object:
    """Mappings, lists and texts, masked by their names and their form."""
    if isinstance(value, str):
        return mask_text(without_secrets(value, secrets))
    if isinstance(value, Mapping):
        if packed_secrets.is_wallet_token(value):
            return {masked(key, secrets): MASK for key in value}
        return {masked(key, secrets): _member(key, each, secrets) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [masked(each, secrets) for each in value]
    return value


def masked_wholly(value: object, secrets: Collection[str] = ()) -> object:
    """The same, and what is masked by its name in it stands under no other name either."""
    return masked(value, longest_first([*secrets, *hidden_in(value)]))


def hidden_in(value: object, kind: ValueKind = ValueKind.PLAIN) -> Iterator[str]:
    """The texts that are masked by their names, so long that they are masked anywhere else too."""
    if isinstance(value, str):
        is_hidden = kind is not ValueKind.PLAIN and masked_value(value, kind) != value
        if is_hidden and len(value) >= FOUND_ANYWHERE_LENGTH:
            yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from hidden_in(each, kind_of(name) if isinstance(name, str) else ValueKind.PLAIN)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from hidden_in(each, kind)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """A text in which these secrets, the longest first, are masked."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def longest_first(secrets: Collection[str]) -> list[str]:
    """Secrets in the order in which they are replaced: one may be a part of another."""
    return sorted(set(secrets), key=len, reverse=True)


def _member(name: object, value: object, secrets: Collection[str]) -> object:
    kind = kind_of(name) if isinstance(name, str) else ValueKind.PLAIN
    if kind is ValueKind.PLAIN or isinstance(value, Mapping | bool) or value is None:
        return masked(value, secrets)
    if isinstance(value, list | tuple):
        return [_member(name, each, secrets) for each in value]
    if isinstance(value, str):
        return masked_value(value, kind)
    return value if kind is ValueKind.BANK_NUMBER else MASK


def _as_json(text: str) -> bytes:
    return msgspec.json.encode(text)[1:-1]
