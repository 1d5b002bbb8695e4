"""The account that a terminal has read and encrypted: tags of a chip, or track 2 as it is swiped.

Source: Point of sale, pos.encryptedSred.data; EMV book 3; ISO 7813. Choices: D-410, D-454.
"""

import re
from typing import NamedTuple

from simulator.catalogue.messages.terminals import (
    CODE,
    EXPIRY,
    HOLDER,
    NUMBER,
    SEQUENCE,
    TRACK_2,
)
from simulator.domain.terminals.errors import UnreadableDataError
from simulator.domain.terminals.tlv import values_of

TRACK = re.compile(r"([0-9]{12,19})[D=]([0-9]{2})(0[1-9]|1[0-2])([0-9]{0,23})")
SWIPED = re.compile(r";([^?]{1,37})\?.?", re.DOTALL)
DIGITS = re.compile("[0-9]{12,19}")
CODE_DIGITS = re.compile("[0-9]{3,4}")
DATE = re.compile("([0-9]{2})(0[1-9]|1[0-2])[0-9]{2}")
HOLDER_NAME = re.compile("[A-Za-z .'/-]{3,26}")
TRACK_LENGTH_MAX, CENTURY = 37, "20"


class TerminalAccount(NamedTuple):
    """What a terminal read. `number`, `track` and `code` are secrets; the year has four digits."""

    number: str
    year: str
    month: str
    holder: str | None = None
    sequence: str | None = None
    track: str | None = None
    code: str | None = None

    def __repr__(self) -> str:
        return "TerminalAccount(...)"


def read_account(content: bytes) -> TerminalAccount:
    """The account in what a terminal encrypted. Raises UnreadableDataError, which says nothing of
    it.
    """
    try:
        swiped = SWIPED.fullmatch(content.decode("ascii"))
    except UnicodeDecodeError:
        swiped = None
    if swiped is not None:
        return _of_track(swiped[1])
    try:
        tags = values_of(content)
    except ValueError:
        raise UnreadableDataError from None
    account = _of_tags(tags)
    sequence = tags.get(SEQUENCE, b"").hex()
    return account._replace(
        holder=_holder_in(tags.get(HOLDER, b"")),
        sequence=sequence if sequence.isdigit() else None,
        code=_code_in(tags),
    )


def _of_tags(tags: dict[str, bytes]) -> TerminalAccount:
    """Track 2, which a number beside it must repeat; or number and expiry."""
    number = tags.get(NUMBER, b"").hex().upper().rstrip("F")
    if TRACK_2 in tags:
        account = _of_track(tags[TRACK_2].hex().upper().rstrip("F"))
        if number not in ("", account.number):
            raise UnreadableDataError
        return account
    date = DATE.fullmatch(tags.get(EXPIRY, b"").hex())
    if DIGITS.fullmatch(number) is None or date is None:
        raise UnreadableDataError
    return TerminalAccount(number, CENTURY + date[1], date[2])


def _of_track(track: str) -> TerminalAccount:
    parts = TRACK.fullmatch(track)
    if parts is None or len(track) > TRACK_LENGTH_MAX:
        raise UnreadableDataError
    return TerminalAccount(parts[1], CENTURY + parts[2], parts[3], track=track)


def _code_in(tags: dict[str, bytes]) -> str | None:
    """The code of a card that was typed in; how long it must be, its brand says."""
    if CODE not in tags:
        return None
    code = tags[CODE].decode("ascii", "replace")
    if CODE_DIGITS.fullmatch(code) is None:
        raise UnreadableDataError
    return code


def _holder_in(value: bytes) -> str | None:
    """A name as card.holder takes it, or None: many cards have none on their chip."""
    name = value.decode("ascii", "replace").strip(" /")
    return name if HOLDER_NAME.fullmatch(name) else None
