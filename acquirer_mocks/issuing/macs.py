"""Session keys and MACs of chips, with ciphers that are kept: pyemv makes each of them anew, which
costs more than all the rest.

Tests compare every version with pyemv and with published values. Source: EMV Book 2, 8 and annex
A1; ISO/IEC 9797-1, algorithm 3.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.modes import ECB

from acquirer_mocks.issuing.triple_des import BLOCK, triple_des

MARK, ZEROS = b"\x80", bytes(BLOCK)
# The bytes that tell the two halves of a session key apart, at this place of what it comes from.
LEFT, RIGHT, PLACE = b"\xf0", b"\x0f", 2

# Encrypts whole blocks, each by itself.
Encryptor = Callable[[bytes], bytes]


class MacKey(NamedTuple):
    """A double length key as two ciphers: its left half, and the whole."""

    left: Encryptor
    whole: Encryptor


def session_key(card_key: bytes, diversifier: bytes) -> bytes:
    """The common session key for eight bytes that differ each time. Raises ValueError."""
    if len(diversifier) != BLOCK:
        raise ValueError(f"expected {BLOCK} bytes")
    head, tail = diversifier[:PLACE], diversifier[PLACE + 1 :]
    return _card_cipher(card_key)(head + LEFT + tail + head + RIGHT + tail)


def padded(data: bytes) -> bytes:
    """Whole blocks by a mark and zeros (method 2)."""
    return filled(data + MARK)


def filled(data: bytes) -> bytes:
    """Whole blocks by zeros (method 1)."""
    return data + ZEROS[: -len(data) % BLOCK]


def mac(key: bytes, blocks: bytes) -> bytes:
    """The MAC of eight bytes over whole blocks: single DES, and triple DES for the last one."""
    encrypt, encrypt_last = mac_key(key)
    last = len(blocks) - BLOCK
    state = 0
    for start in range(0, last, BLOCK):
        block = int.from_bytes(blocks[start : start + BLOCK], "big")
        state = int.from_bytes(encrypt((state ^ block).to_bytes(BLOCK, "big")), "big")
    block = int.from_bytes(blocks[last:], "big")
    return encrypt_last((state ^ block).to_bytes(BLOCK, "big"))


def encrypted(key: bytes, block: bytes, other: bytes) -> bytes:
    """Two blocks, combined and encrypted."""
    mixed = int.from_bytes(block, "big") ^ int.from_bytes(other, "big")
    return mac_key(key).whole(mixed.to_bytes(BLOCK, "big"))


# A payment uses its session key twice: for the cryptogram of the card, and for the answer.
@lru_cache(maxsize=64)
def mac_key(key: bytes) -> MacKey:
    """The ciphers of a key of a payment."""
    return MacKey(_encryptor(key[:BLOCK]), _encryptor(key))


# The key of a card lasts as long as the card.
@lru_cache(maxsize=1024)
def _card_cipher(key: bytes) -> Encryptor:
    return _encryptor(key)


def _encryptor(key: bytes) -> Encryptor:
    return Cipher(triple_des(key), ECB()).encryptor().update
