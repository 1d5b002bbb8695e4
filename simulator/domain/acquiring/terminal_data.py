"""What a terminal read of a card, as a card message carries it: one member a field.

The acquirer of the process and the card host behind a connection get the same. Source: Point of
sale; ISO 8583:1987, as far as this link uses it. Choice: D-406.
"""

from collections.abc import Mapping

import msgspec

# The field of each member. What is None has no field in the message.
# fmt: off
FIELDS = (
    # member       field
    ("entry_mode", "22"),
    ("sequence",   "23"),
    ("condition",  "25"),
    ("track",      "35"),
    ("terminal",   "41"),
    ("pin_block",  "52"),
    ("pin_format", "53"),
    ("chip",       "55"),
)
# fmt: on
NORMAL_CONDITION = "00"
SEPARATORS = "D="


class TerminalData(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a terminal sent with a payment.

    `entry_mode` is field 22: two digits how the card was read, one whether a PIN can be entered;
    `sequence` the card sequence number in three digits; `terminal` the terminal's eight digits.
    Secrets: `track`, track 2 with D or = between number and expiry; `pin_block`, 16 hex digits of
    format 0 under the zone key of the card host, which `pin_format` names; `chip`, the tags of the
    chip as hex TLV, without those that hold the number. An `is_offline` payment was approved by
    the card: it is reported, and cannot be declined.
    """

    entry_mode: str
    terminal: str
    condition: str = NORMAL_CONDITION
    sequence: str | None = None
    track: str | None = None
    pin_block: str | None = None
    pin_format: str | None = None
    chip: str | None = None
    is_offline: bool = False

    def __repr__(self) -> str:
        return f"TerminalData({self.entry_mode} {self.terminal})"

    @property
    def is_contactless(self) -> bool:
        """Whether the card was tapped."""
        return self.entry_mode[:2] in CONTACTLESS


CONTACTLESS = frozenset({"07", "91"})
# Only a chip can have approved a payment itself.
READ_BY_CHIP = frozenset({"05", "07"})
# How a card came to the terminal, by the first two digits of field 22; others are no terminal's.
READ_BY_TERMINAL = frozenset({"01", "05", "80", "90", *CONTACTLESS})


def fields_of(data: TerminalData) -> dict[str, str]:
    """The fields of a card message that hold `data`."""
    found = ((field, getattr(data, member)) for member, field in FIELDS)
    return {field: value for field, value in found if value is not None}


def data_in(message: Mapping[str, str], *, is_offline: bool) -> TerminalData:
    """What a terminal sent in a card message, of a card that was READ_BY_TERMINAL."""
    values = {member: message[field] for member, field in FIELDS if field in message}
    is_by_chip = message["22"][:2] in READ_BY_CHIP
    return TerminalData(**values, is_offline=is_offline and is_by_chip)


def number_in(track: str) -> str:
    """The card number in track 2. Raises ValueError where there is none."""
    for separator in SEPARATORS:
        number, found, _ = track.partition(separator)
        if found and number.isascii() and number.isdigit():
            return number
    raise ValueError("field 35: expected a number, a separator and what follows it")


def expiry_in(track: str) -> str | None:
    """The expiry in track 2 as YYMM, or None."""
    for separator in SEPARATORS:
        _, found, rest = track.partition(separator)
        if found and len(rest) >= 4 and rest[:4].isdigit():
            return rest[:4]
    return None
