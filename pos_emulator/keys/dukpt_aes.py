"""AES DUKPT on the device: serial numbers of 12 bytes, the last 4 of which count.

The derivation is that of NIST SP 800-108 over AES-ECB: what a key is for is part of what it comes
from. Source: ANSI X9.24-3:2017, 6.3 to 6.5.
"""

from enum import Enum, IntEnum
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pos_emulator.keys.errors import InvalidKeyError
from pos_emulator.keys.future_keys import Scheme

BLOCK = 16
COUNTER_BITS = 32
COUNTER_BYTES = 4
IDENTITY_BYTES = 8
KSN_BYTES = IDENTITY_BYTES + COUNTER_BYTES
UPDATE_COUNTER = 0xFFFF_FFFF
VERSION = b"\x01"


class Usage(IntEnum):
    """What a derived key is for."""

    KEY_ENCRYPTION = 0x0002
    PIN = 0x1000
    MAC_GENERATION = 0x2000
    MAC_VERIFICATION = 0x2001
    MAC_BOTH = 0x2002
    DATA_ENCRYPTION = 0x3000
    DATA_DECRYPTION = 0x3001
    DATA_BOTH = 0x3002
    DERIVATION = 0x8000
    INITIAL_KEY = 0x8001


class _Numbers(NamedTuple):
    number: int
    bits: int
    strength: int


class Algorithm(Enum):
    """What a derived key is used with: its number in the standard, its bits and its strength."""

    TDES2 = _Numbers(0, 128, 112)
    TDES3 = _Numbers(1, 192, 112)
    AES128 = _Numbers(2, 128, 128)
    AES192 = _Numbers(3, 192, 192)
    AES256 = _Numbers(4, 256, 256)
    HMAC128 = _Numbers(5, 128, 128)
    HMAC192 = _Numbers(6, 192, 192)
    HMAC256 = _Numbers(7, 256, 256)


AES_BY_BYTES = {16: Algorithm.AES128, 24: Algorithm.AES192, 32: Algorithm.AES256}
HMAC_BY_BYTES = {16: Algorithm.HMAC128, 24: Algorithm.HMAC192, 32: Algorithm.HMAC256}


def identity_of(ksn: bytes) -> bytes:
    """Return the identity of the initial key, with or without a counter behind it.

    Raises InvalidKeyError.
    """
    if len(ksn) not in (IDENTITY_BYTES, KSN_BYTES):
        raise InvalidKeyError(f"a serial number of AES DUKPT has {KSN_BYTES} bytes")
    return ksn[:IDENTITY_BYTES]


def ksn_of(identity: bytes, counter: int) -> bytes:
    """Return the serial number of a transaction, 12 bytes."""
    return identity + counter.to_bytes(COUNTER_BYTES)


def working_key(key: bytes, ksn: bytes, usage: Usage, algorithm: Algorithm) -> bytes:
    """Return the key for one usage of a transaction key. Raises InvalidKeyError if it would be
    stronger than the key it comes from.
    """
    number, bits, strength = algorithm.value
    if strength > len(key) * 8 or len(key) not in AES_BY_BYTES:
        raise InvalidKeyError(f"{len(key)} bytes derive no key for {algorithm.name}")
    purpose = usage.to_bytes(2) + number.to_bytes(2) + bits.to_bytes(2) + ksn[-BLOCK // 2 :]
    blocks = range(1, -(-bits // (BLOCK * 8)) + 1)
    data = b"".join(VERSION + bytes([block]) + purpose for block in blocks)
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(data)[: bits // 8]


def update_key_source(initial_key: bytes, identity: bytes) -> bytes:
    """Return the key from which update keys derive, as the key of the counter with all bits set.

    No transaction ever has that counter. Raises InvalidKeyError.
    """
    key, counter = initial_key, 0
    for bit in reversed(range(COUNTER_BITS)):
        counter |= 1 << bit
        key = _derive(key, identity, counter)
    return key


def update_key(source: bytes, identity: bytes, algorithm: Algorithm) -> bytes:
    """Return the key under which the next initial key comes. Raises InvalidKeyError."""
    return working_key(source, ksn_of(identity, UPDATE_COUNTER), Usage.KEY_ENCRYPTION, algorithm)


def _derive(key: bytes, identity: bytes, counter: int) -> bytes:
    ksn = ksn_of(identity, counter)
    return working_key(key, ksn, Usage.DERIVATION, AES_BY_BYTES[len(key)])


AES_DUKPT = Scheme("AES DUKPT", COUNTER_BITS, 16, (16, 24, 32), IDENTITY_BYTES, _derive)
