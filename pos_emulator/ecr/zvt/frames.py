"""Messages of ZVT on the wire, each an APDU: two bytes of command, a length, data.

Over TCP they follow one another (`LengthFrames`). Behind a converter to a serial line each stands
between DLE STX and DLE ETX with a check sum, and is answered ACK or NAK (`SerialFrames`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

APDU_BYTES_MAX = 4096
LONG_LENGTH = 0xFF
DLE, STX, ETX = 0x10, 0x02, 0x03
# Each byte of a message may be doubled.
SERIAL_BYTES_MAX = 2 * APDU_BYTES_MAX
CHECK_SUM_BYTES = 2
POLYNOMIAL = 0x8408


class FrameError(ValueError):
    """Bytes that are no message, after which no other can be found."""


class Signal(Enum):
    """What a serial line carries besides messages; DAMAGED is a message that has to come again."""

    ACK = 0x06
    NAK = 0x15
    DAMAGED = -1


@dataclass(frozen=True, slots=True)
class Apdu:
    """A message: its command as one number, such as 0x0601, and its data."""

    command: int
    data: bytes = field(default=b"", repr=False)


class Frames(Protocol):
    """Cuts what is received into messages, and makes the bytes of one."""

    @property
    def has_part(self) -> bool:
        """Whether a message has begun and is not whole."""

    def feed(self, data: bytes) -> Iterator[Apdu | Signal]:
        """The messages that these bytes complete. Raises FrameError."""

    def wrap(self, apdu: Apdu) -> bytes:
        """The bytes of a message. Raises FrameError above the limit."""


class LengthFrames:
    """Messages that follow one another, each with its length."""

    def __init__(self) -> None:
        self._kept = bytearray()

    @property
    def has_part(self) -> bool:
        return bool(self._kept)

    def feed(self, data: bytes) -> Iterator[Apdu]:
        self._kept += data
        while (end := _end_of(self._kept)) is not None and end <= len(self._kept):
            message = bytes(self._kept[:end])
            del self._kept[:end]
            yield _apdu_of(message)

    def wrap(self, apdu: Apdu) -> bytes:
        return encode_apdu(apdu)


class SerialFrames:
    """Messages between DLE STX and DLE ETX, each with a check sum."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._forget()

    @property
    def has_part(self) -> bool:
        return bool(self._kept)

    def feed(self, data: bytes) -> Iterator[Apdu | Signal]:
        self._kept += data
        while self._kept:
            if len(self._kept) > 1 and self._kept[:2] == bytes((DLE, STX)):
                found = self._cut()
                if found is None:
                    return
                yield found
            elif self._kept == bytes((DLE,)):
                return
            else:
                yield from _signal_of(self._kept.pop(0))

    def wrap(self, apdu: Apdu) -> bytes:
        message = encode_apdu(apdu)
        doubled = message.replace(bytes((DLE,)), bytes((DLE, DLE)))
        return bytes((DLE, STX)) + doubled + bytes((DLE, ETX)) + check_sum(message)

    def _cut(self) -> Apdu | Signal | None:
        """The message at the begin of what is kept; None while it is not whole. What was looked at
        is not looked at again, however small the pieces are.
        """
        while self._at + 1 < len(self._kept):
            byte, following = self._kept[self._at], self._kept[self._at + 1]
            if byte != DLE or following == DLE:
                self._message.append(byte)
                self._at += 1 if byte != DLE else 2
            elif following == ETX:
                return self._end()
            else:
                del self._kept[: self._at]
                self._forget()
                return Signal.DAMAGED
        if self._at > SERIAL_BYTES_MAX:
            raise FrameError(f"expected at most {SERIAL_BYTES_MAX} bytes between DLE STX and ETX")
        return None

    def _end(self) -> Apdu | Signal | None:
        start = self._at + 2
        end = start + CHECK_SUM_BYTES
        if len(self._kept) < end:
            return None
        message, received = bytes(self._message), bytes(self._kept[start:end])
        del self._kept[:end]
        self._forget()
        if received != check_sum(message) or _end_of(message) != len(message):
            return Signal.DAMAGED
        return _apdu_of(message)

    def _forget(self) -> None:
        """The next message begins: of it nothing is known behind DLE STX."""
        self._message, self._at = bytearray(), 2


def encode_apdu(apdu: Apdu) -> bytes:
    """Command, length and data. Raises FrameError above 4,096 bytes of data."""
    size = len(apdu.data)
    if size > APDU_BYTES_MAX:
        raise FrameError(f"expected at most {APDU_BYTES_MAX} bytes in a message, got {size}")
    short = bytes((size,)) if size < LONG_LENGTH else None
    length = short or bytes((LONG_LENGTH,)) + size.to_bytes(2, "little")
    return apdu.command.to_bytes(2, "big") + length + apdu.data


def check_sum(message: bytes) -> bytes:
    """The check sum (CRC-16 of CCITT, reflected) of a message and its ETX, low byte first."""
    rest = 0
    for byte in (*message, ETX):
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (POLYNOMIAL if rest & 1 else 0)
    return rest.to_bytes(CHECK_SUM_BYTES, "little")


def _end_of(data: bytes | bytearray) -> int | None:
    """Where the first message ends; None while its length is not there. Raises FrameError."""
    if len(data) < 3:
        return None
    if data[2] != LONG_LENGTH:
        return 3 + data[2]
    if len(data) < 5:
        return None
    size = int.from_bytes(data[3:5], "little")
    if size > APDU_BYTES_MAX:
        raise FrameError(f"expected at most {APDU_BYTES_MAX} bytes in a message, got {size}")
    return 5 + size


def _apdu_of(message: bytes) -> Apdu:
    start = 5 if message[2] == LONG_LENGTH else 3
    return Apdu(int.from_bytes(message[:2], "big"), message[start:])


def _signal_of(byte: int) -> Iterator[Signal]:
    """ACK or NAK; anything else between messages is noise of the line."""
    if byte in (Signal.ACK.value, Signal.NAK.value):
        yield Signal(byte)
