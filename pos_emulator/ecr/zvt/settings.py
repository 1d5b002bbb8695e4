"""What can be set of the interface, and what a till sets when it registers."""

from dataclasses import dataclass, field
from enum import Enum

from iso4217 import Currency

from pos_emulator.ecr.zvt.bmp import FieldError, digits_of, objects_of, parse_fields
from pos_emulator.ecr.zvt.codes import ZvtCommand
from pos_emulator.ecr.zvt.frames import APDU_BYTES_MAX, Frames, LengthFrames, SerialFrames
from pos_emulator.tlv import find, find_all

PORT = 20007
PASSWORD = "000000"
PASSWORD_BYTES = 3
EURO = "EUR"
LISTED_COMMAND, APDU_MAX = "0A", "1A"


class Framing(Enum):
    """How messages stand on the connection."""

    LENGTH = "length"
    SERIAL = "serial"

    @property
    def has_signals(self) -> bool:
        """Whether each message is answered ACK or NAK."""
        return self is Framing.SERIAL

    def frames(self) -> Frames:
        """A reader and writer for one connection."""
        return LengthFrames() if self is Framing.LENGTH else SerialFrames()


@dataclass(frozen=True, kw_only=True)
class ZvtSettings:
    """`password` has six digits and is checked if `checks_password`. A till has `acknowledge_s` to
    acknowledge a message and to send the rest of one, and is gone after `idle_s` without any.
    """

    framing: Framing = Framing.LENGTH
    password: str = field(default=PASSWORD, repr=False)
    checks_password: bool = True
    acknowledge_s: float = 5.0
    idle_s: float = 900.0


@dataclass(frozen=True, kw_only=True)
class TillRegistration:
    """What a till wants: whether it prints receipts of payments and reports, gets statuses while
    the holder acts, makes the receipts itself, and takes a receipt as one block.
    """

    currency: str = EURO
    prints_payments: bool = False
    prints_reports: bool = False
    wants_statuses: bool = False
    makes_receipts: bool = False
    takes_blocks: bool = False
    apdu_bytes_max: int = APDU_BYTES_MAX


def registration_of(data: bytes) -> TillRegistration:
    """What a till sent after its password: a byte of bits, a currency, fields.

    Raises FieldError.
    """
    if not data:
        raise FieldError("expected a byte of settings after the password")
    currency, rest = _currency(data[1:])
    objects = objects_of(parse_fields(rest))
    listed = {each.value for each in find_all(objects, LISTED_COMMAND)}
    size = int.from_bytes(find(objects, APDU_MAX) or b"", "big")
    bits = data[0]
    return TillRegistration(
        currency=currency,
        prints_payments=bool(bits & 0x02),
        prints_reports=bool(bits & 0x04),
        wants_statuses=bool(bits & 0x08),
        makes_receipts=bool(bits & 0x80),
        takes_blocks=ZvtCommand.PRINT_BLOCK.to_bytes(2, "big") in listed,
        apdu_bytes_max=min(size or APDU_BYTES_MAX, APDU_BYTES_MAX),
    )


def currency_of(value: bytes) -> str:
    """The code of a currency that is given by its number. Raises FieldError."""
    number = int(digits_of(value))
    found = next((each for each in Currency if each.number == number), None)
    if found is None:
        raise FieldError("currency: expected a number of ISO 4217")
    return str(found.code)


def _currency(data: bytes) -> tuple[str, bytes]:
    """The currency, which may be left out, and what follows it."""
    try:
        if len(data) >= 2:
            return currency_of(data[:2]), data[2:]
    except FieldError:
        # Fields follow at once.
        pass
    return EURO, data
