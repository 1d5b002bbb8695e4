"""TDES DUKPT on the device: serial numbers of 10 bytes, the last 21 bits of which count.

Source: ANSI X9.24-1:2009, Annex A.
"""

from enum import Enum

from pos_emulator.keys.errors import InvalidKeyError
from pos_emulator.keys.future_keys import Scheme
from pos_emulator.keys.triple_des import BLOCK, encrypt

COUNTER_BITS = 21
COUNTER_MASK = (1 << COUNTER_BITS) - 1
KSN_BYTES = 10
KEY_MASK = bytes.fromhex("C0C0C0C000000000C0C0C0C000000000")


class TdesUsage(Enum):
    """What a transaction key is varied for, by the mask of the variant."""

    PIN = "00000000000000FF00000000000000FF"
    MAC_REQUEST = "000000000000FF00000000000000FF00"
    MAC_RESPONSE = "00000000FF00000000000000FF000000"
    DATA_REQUEST = "0000000000FF00000000000000FF0000"
    DATA_RESPONSE = "000000FF00000000000000FF00000000"


DATA_USAGES = (TdesUsage.DATA_REQUEST, TdesUsage.DATA_RESPONSE)


def identity_of(ksn: bytes) -> bytes:
    """Return a serial number with a counter of zero. Raises InvalidKeyError."""
    if len(ksn) != KSN_BYTES:
        raise InvalidKeyError(f"a serial number of TDES DUKPT has {KSN_BYTES} bytes")
    return (int.from_bytes(ksn) & ~COUNTER_MASK).to_bytes(KSN_BYTES)


def ksn_of(identity: bytes, counter: int) -> bytes:
    """Return the serial number of a transaction, 10 bytes."""
    return (int.from_bytes(identity) | counter).to_bytes(KSN_BYTES)


def variant_of(key: bytes, usage: TdesUsage) -> bytes:
    """Return the working key of 16 bytes for one usage of a transaction key.

    A data key goes through a one-way function as well, so that it does not betray the others.
    """
    variant = _xor(key, bytes.fromhex(usage.value))
    if usage not in DATA_USAGES:
        return variant
    return encrypt(variant, variant[:BLOCK]) + encrypt(variant, variant[BLOCK:])


def _derive(key: bytes, identity: bytes, counter: int) -> bytes:
    """Return the key of `counter` from the one above it, which cannot be computed back."""
    register = ksn_of(identity, counter)[-BLOCK:]
    return _one_way(_xor(key, KEY_MASK), register) + _one_way(key, register)


def _one_way(key: bytes, register: bytes) -> bytes:
    left, right = key[:BLOCK], key[BLOCK:]
    return _xor(right, encrypt(left, _xor(right, register)))


def _xor(one: bytes, other: bytes) -> bytes:
    return bytes(left ^ right for left, right in zip(one, other, strict=True))


TDES_DUKPT = Scheme("TDES DUKPT", COUNTER_BITS, 10, (16,), KSN_BYTES, _derive)
