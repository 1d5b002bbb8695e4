"""Recordings: what people did in a sandbox becomes a story that can be played again. Choice: D-530.

A recording holds no card number or code but published ones: any other is replaced by a test value.
Other secrets are masked in texts, and left out where they stand for themselves; what repeats one
in the same request is masked as well.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from simulator.catalogue.console_words import plain
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.client.wire import keys_of, path_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import (
    ValueKind,
    called_without_query,
    hidden_in,
    kind_of,
    longest_first,
    mask_text,
    masked,
)
from simulator.domain.masking.refusals import refuse_secrets

DEEDS_MAX, HISTORY_MAX, STORIES_MAX = 100, 50, 100
# As many deeds as these with a few dozen parameters each: their files are read and written whole.
RECORDING_BYTES_MAX, HISTORY_BYTES_MAX = 256 * 1024, 256 * 1024
STORIES_BYTES_MAX = 4 * 1024 * 1024
TITLE_LENGTH_MAX = 80
FOUND_LENGTH_MIN, FOUND_MAX = 16, 40
KNOWN_NUMBERS = frozenset(card.number for card in TEST_CARDS)
NUMBER_OF_BRAND = {card.brand: card.number for card in reversed(TEST_CARDS)}
CARD_NUMBER, BRAND = "card.number", "paymentBrand"
TEST_VALUES = {"card.cvv": "123", "bankAccount.iban": "DE89370400440532013000"}
PUBLISHED = KNOWN_NUMBERS | {*TEST_VALUES.values()}
# What a story has from its beginning; recorded parameters name it in place of its address.
SHOP = "shop"


class Deed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that was sent from the console: of the merchant, with `is_of_shopper` of the form
    of a checkout, or with `is_control` of the control API below its sandbox. `found` are texts of
    the answer that later requests may name, by path.
    """

    at: datetime
    by: str
    say: str
    method: str
    path: str
    form: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    document: Mapping[str, Any] = {}
    is_control: bool = False
    is_of_shopper: bool = False
    status: int
    code: str = ""
    found: Mapping[str, str] = {}
    operation: str = ""
    about: str = ""

    @property
    def sent(self) -> Mapping[str, str]:
        """Its parameters, wherever they stood."""
        return self.form or self.query


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """What was done in a sandbox since the recording began."""

    is_on: bool = False
    deeds: tuple[Deed, ...] = ()
    version: int = 0

    @property
    def is_full(self) -> bool:
        """Whether nothing more is recorded."""
        return len(self.deeds) >= DEEDS_MAX or bytes_of(self.deeds) >= RECORDING_BYTES_MAX


class RequestHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The requests that were sent last from the workbench of a sandbox, the newest first."""

    deeds: tuple[Deed, ...] = ()


class KeptStory(msgspec.Struct, frozen=True, kw_only=True):
    """A story that people kept: its document is that of a story file."""

    id: str
    by: str
    at: datetime
    document: Mapping[str, Any]


def storable_deed(deed: Deed) -> Deed:
    """A deed as it may be kept and shown."""
    secrets = secrets_in((deed.form, deed.query, deed.document))
    texts = {name: storable_text(getattr(deed, name), secrets) for name in ("say", "path", "about")}
    return msgspec.structs.replace(
        deed,
        **texts,
        form=_storable(deed.form, secrets),
        query=_storable(deed.query, secrets),
        document=_storable_document(deed.document, secrets),
        found={
            path: text
            for path, text in deed.found.items()
            if all(_is_open(each, secrets) for each in (text, path, *keys_of(path)))
        },
    )


def secrets_in(sent: object) -> list[str]:
    """The values of secret names that may stand under no other name either: none is published."""
    return longest_first({*hidden_in(sent)} - PUBLISHED)


def storable_text(text: str, secrets: Collection[str]) -> str:
    """A text of a request as it may be kept; `secrets` are those that stand in the request."""
    return str(masked(text, secrets))


def storable(sent: Mapping[str, str]) -> dict[str, str]:
    """Parameters as they may be kept: published test values stay, others give way to them, and a
    secret that has none is left out.
    """
    return _storable(sent, secrets_in(sent))


def _storable(sent: Mapping[str, str], secrets: Collection[str]) -> dict[str, str]:
    found = {}
    for name, value in sent.items():
        kind = kind_of(name)
        if not _is_open(name, secrets):
            continue
        if kind is ValueKind.PLAIN:
            found[name] = storable_text(called_without_query(name, value), secrets)
        elif name == CARD_NUMBER:
            known = value in KNOWN_NUMBERS
            found[name] = value if known else NUMBER_OF_BRAND.get(sent.get(BRAND, ""), "")
            found[name] = found[name] or NUMBER_OF_BRAND["VISA"]
        elif name in TEST_VALUES:
            is_long = name == "card.cvv" and len(value) > len(TEST_VALUES[name])
            found[name] = "1234" if is_long else TEST_VALUES[name]
    return found


def _storable_document(document: Mapping[str, Any], secrets: Collection[str]) -> dict[str, Any]:
    """The document of a request likewise; a published card number stays under any name."""
    found: dict[str, Any] = {}
    for name, value in document.items():
        if isinstance(value, str) and value not in KNOWN_NUMBERS:
            found |= _storable({name: value}, secrets)
        elif _is_open(name, secrets) and not _is_secret(name, value, secrets):
            found[name] = _storable_member(value, secrets)
    return found


def _is_secret(name: str, value: Any, secrets: Collection[str]) -> bool:
    """Whether a number or a list is a secret, or stands under the name of one."""
    is_named = kind_of(name) is not ValueKind.PLAIN
    if isinstance(value, list):
        return is_named and any(map(_is_own, value))
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and (is_named or not _is_open(str(value), secrets))


def _is_own(value: Any) -> bool:
    """Whether a value is none that was published."""
    return not isinstance(value, str) or value not in KNOWN_NUMBERS


def _storable_member(value: Any, secrets: Collection[str]) -> Any:
    if isinstance(value, Mapping):
        return _storable_document(value, secrets)
    if isinstance(value, list):
        return [_storable_member(each, secrets) for each in value]
    return storable_text(value, secrets) if isinstance(value, str) and _is_own(value) else value


def _is_open(text: str, secrets: Collection[str] = ()) -> bool:
    """Whether a text may be shown as it is."""
    return storable_text(text, secrets) == text


def found_in(body: object) -> dict[str, str]:
    """The texts of an answer that later requests may name, by their paths."""
    secrets, found = secrets_in(body), dict[str, str]()
    for keys, text in _texts_of(body):
        if len(text) >= FOUND_LENGTH_MIN and _is_open(text, secrets):
            found[path_of(keys)] = text
        if len(found) == FOUND_MAX:
            break
    return found


def record(recording: Recording, deed: Deed) -> Recording:
    """The recording with one more deed, where it is on and not full."""
    if not recording.is_on or recording.is_full:
        return recording
    return msgspec.structs.replace(recording, deeds=(*recording.deeds, deed))


def remember(history: RequestHistory, deed: Deed) -> RequestHistory:
    """The history with one more request; of the older ones it has those there is room for."""
    deeds = (deed, *history.deeds)[:HISTORY_MAX]
    while len(deeds) > 1 and bytes_of(deeds) > HISTORY_BYTES_MAX:
        deeds = deeds[:-1]
    return RequestHistory(deeds=deeds)


def bytes_of(deeds: Sequence[Deed]) -> int:
    """How much room they take in a file."""
    return len(msgspec.json.encode(deeds))


def refuse_long_stories(kept: Sequence[KeptStory], story: KeptStory) -> None:
    """Raise InvalidInputError where there is no room for one more: all are read together."""
    if len(msgspec.json.encode([*kept, story])) > STORIES_BYTES_MAX:
        expected = plain("errors.stories_data", most=f"{STORIES_BYTES_MAX >> 20} MiB")
        raise InvalidInputError("stories", expected, plain("errors.one_more"))


def read_title(text: str) -> str:
    """The title of a story that was typed, without codes. Raises InvalidInputError."""
    title = " ".join(text.split())
    if not 1 <= len(title) <= TITLE_LENGTH_MAX or not title.isprintable():
        raise InvalidInputError(
            "title", plain("errors.length", most=TITLE_LENGTH_MAX), f"{len(title)}"
        )
    refuse_secrets(title, "title")
    return mask_text(title)


def _texts_of(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each text with the keys that it stands under."""
    if isinstance(value, str):
        yield keys, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if kind_of(str(name)) is ValueKind.PLAIN:
                yield from _texts_of(each, (*keys, str(name)))
