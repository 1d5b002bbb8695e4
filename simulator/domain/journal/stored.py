"""Entries as a journal stores them: bytes, masked; and what stands for one that cannot be read."""

from collections.abc import Collection, Iterator
from datetime import datetime

import msgspec
from msgspec.structs import replace

from simulator.domain.journal.bounds import bounded
from simulator.domain.journal.entries import (
    LISTED,
    NO_ANSWER,
    BrowserEntry,
    Entry,
    ExchangeEntry,
    Message,
    SimulatorEntry,
    WebhookEntry,
    without_content,
)
from simulator.domain.masking.masking import glance, hidden_in, longest_first, masked
from simulator.domain.masking.shown_parameters import SECRETS_MAX, WHOLE_LENGTH_MAX

UNREADABLE = "the stored entry cannot be read"
ENCODER = msgspec.json.Encoder()
DECODER = msgspec.json.Decoder(Entry)
MASKED_FIELDS = (
    "path",
    "request",
    "rules",
    "error",
    "label",
    "body",
    "decided_by",
    "near_misses",
    "url",
    "event",
)


def encode_entry(entry: Entry, secrets: Collection[str] = ()) -> bytes:
    """An entry as the journal stores it: bytes, masked, without any of `secrets`. A long one is
    cut here, before it is masked, so that none who makes one can forget it.
    """
    entry = with_readable_answer(entry)
    encoded = ENCODER.encode(entry)
    if len(encoded) > WHOLE_LENGTH_MAX:
        entry = bounded(entry)
        encoded = ENCODER.encode(entry)
    if isinstance(entry, WebhookEntry):
        # The rest of it are numbers, times and ids.
        texts = ENCODER.encode((entry.event, entry.url, entry.error))
        clean = encoded if glance(texts, secrets) is texts else None
    else:
        clean = glance(encoded, secrets)
    if clean is not None:
        return clean
    # A value that is masked under its name stands nowhere else in the entry either.
    found = longest_first([*secrets, *_hidden_in(entry)])
    if len(found) > SECRETS_MAX:
        entry = without_content(entry)
    return ENCODER.encode(_masked(entry, found[:SECRETS_MAX]))


def with_readable_answer(entry: Entry) -> Entry:
    """The entry, without an answer that is no JSON document: one that cannot be read must not keep
    others from being read.
    """
    if not isinstance(entry, ExchangeEntry):
        return entry
    try:
        msgspec.json.decode(entry.answer)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return replace(entry, answer=NO_ANSWER, cut=True)
    return entry


def create_unreadable_entry(keys: tuple[str, ...], real: datetime) -> SimulatorEntry:
    """What stands for a stored entry with these keys that cannot be read."""
    payments = tuple([key for key in keys[1:] if not key.startswith(LISTED)])
    return SimulatorEntry(ndc=keys[0], at=real, real=real, payments=payments, decided_by=UNREADABLE)


def _hidden_in(entry: Entry) -> Iterator[str]:
    """The values of an entry that are masked by their names."""
    if isinstance(entry, WebhookEntry):
        return
    for message in entry.messages:
        yield from hidden_in(message.body)
    if isinstance(entry, ExchangeEntry):
        yield from hidden_in(entry.request)
        yield from hidden_in(msgspec.json.decode(entry.answer))


def _masked(entry: Entry | Message, secrets: Collection[str]) -> Entry | Message:
    """The entry with every text masked that comes from a request or a response."""
    names = [name for name in MASKED_FIELDS if name in entry.__struct_fields__]
    changes = {name: masked(getattr(entry, name), secrets) for name in names}
    if isinstance(entry, ExchangeEntry):
        answer = masked(msgspec.json.decode(entry.answer), secrets)
        changes["answer"] = msgspec.Raw(ENCODER.encode(answer))
    if isinstance(entry, ExchangeEntry | SimulatorEntry | BrowserEntry):
        changes["messages"] = tuple(_masked(each, secrets) for each in entry.messages)
    return replace(entry, **changes)
