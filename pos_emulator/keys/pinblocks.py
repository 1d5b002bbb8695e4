"""PIN blocks of ISO 9564, formats 0, 2, 3 and 4."""

from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pos_emulator.keys.errors import InvalidKeyError, InvalidPinError
from pos_emulator.keys.triple_des import encrypt

DIGITS = frozenset("0123456789")
PIN_DIGITS = range(4, 13)
FORMAT_0_PAN_DIGITS = range(13, 20)
FORMAT_4_PAN_DIGITS = range(1, 20)
FIELD = 14
FORMAT_3_FILLS = "ABCDEF"
FORMAT_4_RANDOM_BYTES = 8
Draw = Callable[[str], str]


def format_0(pin: str, pan: str) -> bytes:
    """Return the clear block of 8 bytes that binds a PIN to a card number, filled with F.

    Raises InvalidPinError.
    """
    return _bind(_pin_field(0, pin, "F" * FIELD), pan)


def format_2(pin: str) -> bytes:
    """Return the clear block of 8 bytes that a card verifies offline. Raises InvalidPinError."""
    return bytes.fromhex(_pin_field(2, pin, "F" * FIELD))


def format_3(pin: str, pan: str, draw: Draw) -> bytes:
    """Return the clear block of 8 bytes filled with drawn digits: `draw` picks one of a text.

    Raises InvalidPinError.
    """
    fill = "".join(draw(FORMAT_3_FILLS) for _ in range(FIELD))
    return _bind(_pin_field(3, pin, fill), pan)


def format_4_field(pin: str, random: bytes) -> bytes:
    """Return the PIN field of 16 bytes, half of it 8 random bytes. Raises InvalidPinError."""
    if len(random) != FORMAT_4_RANDOM_BYTES:
        raise InvalidPinError(f"a PIN field needs {FORMAT_4_RANDOM_BYTES} random bytes")
    return bytes.fromhex(_pin_field(4, pin, "A" * FIELD)) + random


def encipher_format_0(key: bytes, pin: str, pan: str) -> bytes:
    """Return the block of format 0 under a TDES key, 8 bytes. Raises InvalidPinError."""
    return encrypt(key, format_0(pin, pan))


def encipher_format_4(key: bytes, pin_field: bytes, pan: str) -> bytes:
    """Return the block of format 4 under an AES key, 16 bytes: the PIN field is enciphered, bound
    to the card number, and enciphered again. Raises InvalidKeyError, InvalidPinError.
    """
    once = _encipher(key, pin_field)
    return _encipher(key, _xor(once, _format_4_pan_field(pan)))


def _pin_field(control: int, pin: str, fill: str) -> str:
    if len(pin) not in PIN_DIGITS or not DIGITS.issuperset(pin):
        raise InvalidPinError(f"a PIN has {PIN_DIGITS.start} to {PIN_DIGITS.stop - 1} digits")
    return f"{control:X}{len(pin):X}{pin}{fill}"[: FIELD + 2]


def _bind(pin_field: str, pan: str) -> bytes:
    _check_pan(pan, FORMAT_0_PAN_DIGITS)
    return _xor(bytes.fromhex(pin_field), bytes.fromhex(pan[-13:-1].zfill(16)))


def _format_4_pan_field(pan: str) -> bytes:
    """Length over 12, the digits, zeros: shorter card numbers stand at the right of 12 digits."""
    _check_pan(pan, FORMAT_4_PAN_DIGITS)
    return bytes.fromhex(f"{max(0, len(pan) - 12)}{pan.zfill(12)}".ljust(32, "0"))


def _check_pan(pan: str, lengths: range) -> None:
    if len(pan) not in lengths or not DIGITS.issuperset(pan):
        raise InvalidPinError(
            f"a card number for this format has {lengths.start} to {lengths.stop - 1} digits"
        )


def _encipher(key: bytes, block: bytes) -> bytes:
    try:
        return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)
    except ValueError:
        raise InvalidKeyError(f"{len(key)} bytes are no AES key") from None


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))
