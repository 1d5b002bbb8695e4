"""AES DUKPT as the receiving side derives it: from the base key, for any counter.

Source: ANSI X9.24-3:2017; compared with its published values by a test.
"""

from collections.abc import Callable
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

KEY_BYTES, BLOCK_BYTES = 16, 16
# What a derived key is for, as its derivation says it.
PIN, DATA = 0x1000, 0x3000
KEY_ENCRYPTION, DERIVATION, INITIAL = 0x0002, 0x8000, 0x8001
# No transaction has a counter with all bits set: from its key the update key derives.
UPDATE_COUNTER = 0xFFFF_FFFF
ALGORITHMS = {16: 2, 24: 3, 32: 4}


# Encrypts whole blocks, each by itself, under one key.
Encryptor = Callable[[bytes], bytes]


@lru_cache(maxsize=2048)
def initial_key(base: bytes, key_id: bytes) -> bytes:
    """The initial key with an id of eight bytes, as long as the base key."""
    return _derived(base, INITIAL, len(base), key_id)


def working_key(base: bytes, key_id: bytes, counter: int, usage: int) -> bytes:
    """The AES-128 key for one use (PIN or DATA) of the counter."""
    key = transaction_key(initial_key(base, key_id), key_id, counter)
    return _derived(key, usage, KEY_BYTES, key_id[4:] + counter.to_bytes(4, "big"))


def update_key(base: bytes, key_id: bytes) -> bytes:
    """The AES-128 key under which the initial key after this one comes. Source: X9.24-3, 6.3.4."""
    return working_key(base, key_id, UPDATE_COUNTER, KEY_ENCRYPTION)


@lru_cache(maxsize=8192)
def transaction_key(initial: bytes, key_id: bytes, counter: int) -> bytes:
    """The key of a counter: one derivation for each bit that is set in it, the highest first.

    It is kept for a while, as that of a later counter is mostly one derivation away from it.
    """
    if counter == 0:
        return initial
    former = transaction_key(initial, key_id, counter & (counter - 1))
    context = key_id[4:] + counter.to_bytes(4, "big")
    return _derived(former, DERIVATION, len(initial), context)


def _derived(key: bytes, usage: int, length: int, context: bytes) -> bytes:
    """`length` bytes of AES-ECB over numbered blocks: version 1, number, usage, algorithm, bits,
    context.
    """
    header = usage.to_bytes(2, "big") + ALGORITHMS[length].to_bytes(2, "big")
    tail = header + (8 * length).to_bytes(2, "big") + context
    count = -(-length // BLOCK_BYTES)
    blocks = b"".join(bytes((1, number)) + tail for number in range(1, count + 1))
    return _encryptor(key)(blocks)[:length]


# A key derives several others; to make its cipher costs more than to use it.
@lru_cache(maxsize=2048)
def _encryptor(key: bytes) -> Encryptor:
    return Cipher(AES(key), ECB()).encryptor().update
