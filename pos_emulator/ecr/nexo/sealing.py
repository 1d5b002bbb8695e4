"""Encrypted messages: the JSON in NexoBlob, and what it was encrypted with in SecurityTrailer.

Keys are 80 bytes of PBKDF2-HMAC-SHA1 over the passphrase: HMAC key, AES key, IV. The IV of a
message is that one xor its nonce; the HMAC is over the plain text. Choice: D-465.
"""

import hmac
import secrets
from base64 import b64decode, b64encode
from functools import cache
from hashlib import pbkdf2_hmac, sha256
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

from pos_emulator.ecr.nexo.messages import REQUEST, RESPONSE, Body
from pos_emulator.ecr.nexo.outcomes import UnreadableMessageError
from pos_emulator.ecr.nexo.settings import SealSettings

ROUNDS, KEY_BYTES, IV_BYTES = 4000, 32, 16
BLOCK_BITS = 128
BLOB, TRAILER = "NexoBlob", "SecurityTrailer"
CANNOT_OPEN = "expected a message encrypted under the passphrase of this terminal"


class SealKeys(NamedTuple):
    """Keys of a passphrase."""

    mac: bytes
    cipher: bytes
    iv: bytes


def is_sealed(message: Body) -> bool:
    """Whether a message is encrypted."""
    members = message.get(REQUEST)
    return isinstance(members, dict) and BLOB in members


def seal(message: bytes, header: Body, settings: SealSettings) -> Body:
    """An encrypted response in its envelope; the header stays readable."""
    keys, nonce = keys_of(settings), secrets.token_bytes(IV_BYTES)
    padder = PKCS7(BLOCK_BITS).padder()
    encryptor = _cipher(keys, nonce).encryptor()
    blob = encryptor.update(padder.update(message) + padder.finalize()) + encryptor.finalize()
    trailer = {
        "KeyIdentifier": settings.key_identifier, "KeyVersion": settings.key_version,
        settings.version_member: settings.crypto_version,
        "Nonce": _text(nonce), "Hmac": _text(hmac.digest(keys.mac, message, sha256)),
    }  # fmt: skip
    return {RESPONSE: {"MessageHeader": header, BLOB: _text(blob), TRAILER: trailer}}


def unseal(message: Body, settings: SealSettings) -> bytes:
    """The JSON of an encrypted request. Raises UnreadableMessageError, which never says which check
    failed.
    """
    members = message[REQUEST]
    trailer = members.get(TRAILER)
    keys = keys_of(settings)
    try:
        nonce, received = _bytes(trailer["Nonce"]), _bytes(trailer["Hmac"])
        decryptor = _cipher(keys, nonce).decryptor()
        unpadder = PKCS7(BLOCK_BITS).unpadder()
        padded = decryptor.update(_bytes(members[BLOB])) + decryptor.finalize()
        plain = unpadder.update(padded) + unpadder.finalize()
    except (KeyError, TypeError, ValueError):
        raise UnreadableMessageError(CANNOT_OPEN) from None
    if not hmac.compare_digest(hmac.digest(keys.mac, plain, sha256), received):
        raise UnreadableMessageError(CANNOT_OPEN)
    return plain


@cache
def keys_of(settings: SealSettings) -> SealKeys:
    """The keys of a passphrase; computed once, as it takes milliseconds."""
    made = pbkdf2_hmac(
        "sha1", settings.passphrase.encode(), settings.salt.encode(), ROUNDS,
        dklen=2 * KEY_BYTES + IV_BYTES,
    )  # fmt: skip
    return SealKeys(made[:KEY_BYTES], made[KEY_BYTES : 2 * KEY_BYTES], made[2 * KEY_BYTES :])


def _cipher(keys: SealKeys, nonce: bytes) -> Cipher[modes.CBC]:
    if len(nonce) != IV_BYTES:
        raise ValueError("a nonce has 16 bytes")
    iv = bytes(left ^ right for left, right in zip(keys.iv, nonce, strict=True))
    return Cipher(algorithms.AES(keys.cipher), modes.CBC(iv))


def _text(value: bytes) -> str:
    return b64encode(value).decode()


def _bytes(value: Any) -> bytes:
    return b64decode(value, validate=True)
