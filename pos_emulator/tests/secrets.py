"""What a terminal must not show, in every form in which it could leave it, and how to find it."""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from typing import Any

from psec import tr31

from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import card_file
from pos_emulator.keys.pinblocks import format_2
from pos_emulator.keys.slot import KeySlot
from pos_emulator.tests.keys.memory import MemoryStore

TAKEN = 24
KEY_BYTES = 16


def found_in(output: bytes, secrets: Mapping[str, bytes]) -> list[str]:
    """The names of the forms that stand in an output."""
    upper = output.upper()
    return [name for name, form in secrets.items() if form in output or form.upper() in upper]


def forms_of_digits(name: str, digits: str) -> Iterator[tuple[str, bytes]]:
    """Digits as text, in groups of four, in hex of text, as BCD and in base64 of both."""
    text, packed = digits.encode(), bytes.fromhex(digits + "F" * (len(digits) % 2))
    yield f"{name} as text", text
    for sign in (b" ", b"-"):
        groups = [text[place : place + 4] for place in range(0, len(text), 4)]
        yield f"{name} in groups by {sign!r}", sign.join(groups)
    yield f"{name} in hex", text.hex().encode()
    yield f"{name} as BCD", packed
    yield from _in_base64(name, text)
    yield from _in_base64(f"{name} as BCD", packed)


def forms_of_bytes(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Bytes as they are, in hex, and in base64."""
    yield name, content
    yield f"{name} in hex", content.hex().encode()
    yield from _in_base64(name, content)


def forms_of_pin(pin: str, number: str) -> Iterator[tuple[str, bytes]]:
    """A PIN, and its blocks before they are encrypted."""
    yield from forms_of_digits("PIN", pin)
    field = bytes.fromhex(f"0{len(pin):X}{pin}".ljust(16, "F"))
    account = bytes.fromhex("0000" + number[-13:-1])
    block = bytes(one ^ other for one, other in zip(field, account, strict=True))
    yield from forms_of_bytes("PIN block of format 0", block)
    yield from forms_of_bytes("PIN block of format 2", format_2(pin))


def forms_of_card(name: str) -> Iterator[tuple[str, bytes]]:
    """Number, ends of tracks and keys of a virtual card."""
    profile, chip = card_file().cards[name], personalize(name)
    yield from forms_of_digits(f"number of {name}", profile.number)
    for kind, data in (
        ("chip", profile.discretionary.chip), ("magstripe", profile.discretionary.magstripe),
    ):  # fmt: skip
        if data:
            yield from forms_of_digits(f"track in the {kind} of {name}", data)
    for each in astuple(chip.keys):
        if isinstance(each, bytes) and len(each) == KEY_BYTES:
            yield from forms_of_bytes(f"key of {name}", each)


def forms_of_load(document: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The keys that a terminal was loaded with, their blocks, and keys that they lead to."""
    protection = bytes.fromhex(document["load"]["kbpk"])
    yield from forms_of_bytes("protection key", protection)
    for each in document["load"]["blocks"]:
        yield f"block of the {each['usage']} key", each["block"].encode()
        _, key = tr31.unwrap(protection, each["block"])
        yield from forms_of_bytes(f"initial {each['usage']} key", key)
        slot = KeySlot(MemoryStore())
        slot.load(each["block"], protection)
        for number in range(TAKEN):
            yield from forms_of_bytes(f"{each['usage']} key {number}", slot.take().key)


def _in_base64(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """The part of the base64 of content that is the same wherever it stands in other bytes."""
    for before in range(3):
        written = b64encode(bytes(before) + content).rstrip(b"=")
        end = len(written) - ((before + len(content)) % 3 != 0)
        yield f"{name} in base64, {before} bytes behind others", written[(0, 2, 3)[before] : end]
