"""Recordings: what people did in a sandbox becomes a story that can be played again. Choice: D-530.

A recording holds no card number or code but published ones: any other is replaced by a test value.
Other secrets are masked in texts, and left out where they stand for themselves.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from simulator.catalogue.console_words import plain
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import ValueKind, kind_of, mask_text
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
    found = {path: text for path, text in deed.found.items() if _is_open(path) and _is_open(text)}
    return msgspec.structs.replace(
        deed,
        path=mask_text(deed.path),
        about=mask_text(deed.about),
        form=storable(deed.form),
        query=storable(deed.query),
        document=_storable_document(deed.document),
        found=found,
    )


def storable(sent: Mapping[str, str]) -> dict[str, str]:
    """Parameters as they may be kept: published test values stay, others give way to them, and a
    secret that has none is left out.
    """
    found = {}
    for name, value in sent.items():
        kind = kind_of(name)
        if not _is_open(name):
            continue
        if kind is ValueKind.PLAIN:
            found[name] = mask_text(value)
        elif name == CARD_NUMBER:
            known = value in KNOWN_NUMBERS
            found[name] = value if known else NUMBER_OF_BRAND.get(sent.get(BRAND, ""), "")
            found[name] = found[name] or NUMBER_OF_BRAND["VISA"]
        elif name in TEST_VALUES:
            is_long = name == "card.cvv" and len(value) > len(TEST_VALUES[name])
            found[name] = "1234" if is_long else TEST_VALUES[name]
    return found


def _storable_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a request likewise; a published card number stays under any name."""
    found: dict[str, Any] = {}
    for name, value in document.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and (kind_of(name) is not ValueKind.PLAIN or not _is_open(str(value))):
            continue
        if isinstance(value, str) and value not in KNOWN_NUMBERS:
            found |= storable({name: value})
        elif _is_open(name):
            found[name] = _storable_member(value)
    return found


def _storable_member(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _storable_document(value)
    if isinstance(value, list):
        return [_storable_member(each) for each in value]
    return mask_text(value) if isinstance(value, str) and value not in KNOWN_NUMBERS else value


def _is_open(text: str) -> bool:
    """Whether a text may be shown as it is."""
    return mask_text(text) == text


def found_in(body: object) -> dict[str, str]:
    """The texts of an answer that later requests may name, by their paths."""
    found: dict[str, str] = {}
    for path, text in _texts_of(body, ""):
        if len(text) >= FOUND_LENGTH_MIN and _is_open(text):
            found[path] = text
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


def _texts_of(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if kind_of(str(name)) is ValueKind.PLAIN:
                yield from _texts_of(each, f"{path}.{name}" if path else str(name))
