"""What a journal keeps of long entries: their beginnings, cut before anything is masked.

To mask costs as much as a text is long, and meanwhile no other has a turn. So that no part of a
secret stays at a cut, a text is kept whole or not at all, and of parameters that are too long only
the names: the value of one that is masked might stand under the name of another. Choice: D-94.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from simulator.domain.journal.entries import (
    NO_ANSWER,
    Entry,
    ExchangeEntry,
    Message,
    SimulatorEntry,
    WebhookEntry,
)
from simulator.domain.masking.masking import MASK
from simulator.domain.masking.shown_parameters import (
    PARAMETERS_MAX,
    VALUE_LENGTH_MAX,
    WHOLE_LENGTH_MAX,
)

# What an exchange has beside its messages: parameters are cut in characters, and 200 violations of
# some 300 signs are named.
EXCHANGE_BYTES_MAX = 4 * WHOLE_LENGTH_MAX
# The names that a message repeats have room beside what else it has.
NAMES_LENGTH_MAX = WHOLE_LENGTH_MAX * 3 // 4
# No entry has more.
MESSAGES_MAX = 2
REST = "..."
BRACKETS, COMMA = 2, 1
ENCODER = msgspec.json.Encoder()
# What is kept of a longer message, and of each member or text of it.
MESSAGE_MAX, PART_MAX = WHOLE_LENGTH_MAX // 2, WHOLE_LENGTH_MAX // 4
TEXTS = ("path", "error", "label", "decided_by", "url", "event")
Kept = TypeVar("Kept", bound=Entry | Message)


def bounded(entry: Entry) -> Entry:
    """What is kept of a long entry."""
    entry = _with_short_texts(entry)
    if isinstance(entry, WebhookEntry):
        return entry
    messages = tuple([_bounded_message(each) for each in entry.messages[:MESSAGES_MAX]])
    if isinstance(entry, ExchangeEntry):
        entry = _bounded_exchange(entry)
    if isinstance(entry, ExchangeEntry | SimulatorEntry):
        entry = replace(entry, near_misses=tuple(beginning_of(entry.near_misses)))
    return replace(entry, messages=messages)


def beginning_of(names: Iterable[str], room: int = WHOLE_LENGTH_MAX) -> list[str]:
    """The first texts that have room together, and how many there are in all."""
    found = list(names)
    if _size(found) <= room:
        return found
    rest = f"{REST} ({len(found)} in all)"
    kept: list[str] = []
    room -= BRACKETS + _size(rest)
    for each in map(_short, islice(found, PARAMETERS_MAX)):
        room -= _size(each) + COMMA
        if room < 0:
            break
        kept.append(each)
    return [*kept, rest]


def _bounded_exchange(entry: ExchangeEntry) -> ExchangeEntry:
    if _size((entry.request, entry.answer, entry.rules)) <= EXCHANGE_BYTES_MAX:
        return entry
    return replace(
        entry,
        request=dict.fromkeys(beginning_of(entry.request), MASK),
        rules=tuple(beginning_of(entry.rules)),
        answer=NO_ANSWER,
        cut=True,
    )


def _bounded_message(message: Message) -> Message:
    message = _with_short_texts(message)
    if _size(message.body) <= WHOLE_LENGTH_MAX:
        return message
    body: dict[str, object] = {}
    room = MESSAGE_MAX
    for name, value in islice(message.body.items(), PARAMETERS_MAX):
        left = room - _size(name) - BRACKETS
        kept = _beginning(value, min(left, PART_MAX))
        if _size(kept) <= left:
            body[name], room = kept, left - _size(kept)
    return replace(message, body=body)


def _beginning(value: object, room: int) -> object:
    """What is kept of a value in a message that is too long: all of it, or of parameters and lists
    the first names.
    """
    if _size(value) <= room:
        return value
    if isinstance(value, Mapping):
        return dict.fromkeys(beginning_of(value, room // 2), MASK)
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return beginning_of(value, room)
    return f"{REST} ({_size(value)} bytes)"


def _with_short_texts(entry: Kept) -> Kept:
    """The entry or message without the texts that are too long."""
    texts = [name for name in TEXTS if name in entry.__struct_fields__]
    return replace(entry, **{name: _short(getattr(entry, name), PART_MAX) for name in texts})


def _short(text: str, length_max: int = VALUE_LENGTH_MAX) -> str:
    return text if len(text) <= length_max else f"{REST} ({len(text)} characters)"


def _size(value: object) -> int:
    """How much there is to mask in a value, in bytes."""
    return len(ENCODER.encode(value))
