"""Codes over messages: retail MAC under TDES, CMAC and HMAC under AES DUKPT."""

import hashlib
import hmac

import psec.mac
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC

from pos_emulator.keys.errors import InvalidDataError, InvalidKeyError
from pos_emulator.keys.triple_des import BLOCK, supply_triple_des

ZERO_PADDING = 1
RETAIL_BYTES = 4


def retail_mac(key: bytes, message: bytes, length: int = RETAIL_BYTES) -> bytes:
    """Return the MAC of ISO 9797-1, algorithm 3 with padding 1, under a key of 16 bytes.

    Raises InvalidKeyError, InvalidDataError for an empty message.
    """
    if len(key) != 2 * BLOCK:
        raise InvalidKeyError(f"a key of a retail MAC has {2 * BLOCK} bytes")
    if not message:
        raise InvalidDataError("an empty message has no MAC")
    supply_triple_des()
    return psec.mac.generate_retail_mac(key[:BLOCK], key[BLOCK:], message, ZERO_PADDING, length)


def cmac(key: bytes, message: bytes) -> bytes:
    """Return the CMAC of 16 bytes under an AES key. Raises InvalidKeyError."""
    try:
        code = CMAC(algorithms.AES(key))
    except ValueError:
        raise InvalidKeyError(f"{len(key)} bytes are no AES key") from None
    code.update(message)
    return code.finalize()


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Return the HMAC with SHA-256, 32 bytes."""
    return hmac.digest(key, message, hashlib.sha256)
