"""The vault: secrets sealed under the id of the record that holds them, with a key of this server.

AES-256-GCM with the id as associated data: a sealed text copied to another record does not open.
Two keys are derived from each one, so that fingerprints tell nothing about seals.

Each sandbox has a key of its own, sealed with the one in the key file: a snapshot that takes a
sandbox
elsewhere needs that key alone, and may lock it with a passphrase for the way. Choice: D-110.
"""

import hashlib
import os
from base64 import urlsafe_b64decode
from binascii import Error as BadBase64
from binascii import b2a_base64
from contextlib import suppress
from functools import partial
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from gevent.lock import BoundedSemaphore

from simulator.adapters.key_files import (
    UnsafeKeyFileError,
    create_key_file,
    read_key_file,
    refuse_readable,
)
from simulator.adapters.store.commit import in_thread
from simulator.domain.core.errors import TamperedSecretError
from simulator.domain.core.records import SealedCard

KEY_BYTES = 32
NONCE_BYTES = 12
SALT_BYTES = 16
SCRYPT = {"n": 2**14, "r": 8, "p": 1}
FOR_URLS = bytes.maketrans(b"+/", b"-_")


def open_vault(path: Path | str) -> "KeyVault":
    """The vault whose key is in the file `path`: made at first start, readable by its owner alone.

    Raises UnsafeKeyFileError.
    """
    place = Path(path)
    if not place.exists():
        create_key_file(place, _text_of(os.urandom(KEY_BYTES)))
    return KeyVault(_read_key(place))


class KeyVault:
    """Seals and opens with one key. Sealed texts and fingerprints are base64 as URLs write it."""

    __slots__ = ("_cipher", "_fingerprint", "_one")

    def __init__(self, key: bytes):
        self._cipher = AESGCM(_derived(key, b"seal"))
        # Copied for each fingerprint: to look the digest up anew costs several times as much.
        self._fingerprint = HMAC(_derived(key, b"fingerprint"), SHA256())
        # One passphrase at a time: others would fill the pool, which makes changes durable too.
        self._one = BoundedSemaphore(1)

    def seal_card(self, identity: str, number: str) -> SealedCard:
        """The number sealed for the record `identity`, and its fingerprint."""
        return SealedCard(number=self.seal(identity, number), fingerprint=self.fingerprint(number))

    def fingerprint(self, secret: str) -> str:
        """A keyed HMAC-SHA256: equal for equal secrets, which reveal nothing else."""
        fingerprint = self._fingerprint.copy()
        fingerprint.update(secret.encode())
        return _text_of(fingerprint.finalize())

    def seal(self, identity: str, secret: str) -> str:
        """The secret sealed for the record `identity`; sealed twice, the texts differ."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, secret.encode(), identity.encode())
        return _text_of(nonce + sealed)

    def new_key(self, identity: str) -> str:
        """A new key for the sandbox `identity`, sealed."""
        return self._seal_key(identity, os.urandom(KEY_BYTES))

    def vault_of(self, identity: str, sealed_key: str) -> "KeyVault":
        """The vault with a sealed key. Raises TamperedSecretError as `open` does."""
        return KeyVault(self._open_key(identity, sealed_key))

    def moved_key(self, identity: str, sealed_key: str, other: str) -> str:
        """The same key, sealed for the sandbox `other`. Raises TamperedSecretError."""
        return self._seal_key(other, self._open_key(identity, sealed_key))

    def locked(self, identity: str, sealed_key: str, passphrase: str) -> str:
        """The same key under a passphrase: salt, dot, sealed text. Raises TamperedSecretError."""
        salt = os.urandom(SALT_BYTES)
        key = self._open_key(identity, sealed_key)
        with self._one:
            lock = _lock_of(passphrase, salt)
        return f"{_text_of(salt)}.{lock._seal_key(identity, key)}"

    def unlocked(self, identity: str, locked_key: str, passphrase: str) -> str:
        """A locked key sealed with ours. Raises TamperedSecretError for another passphrase."""
        salt, _, sealed = locked_key.partition(".")
        try:
            with self._one:
                lock = _lock_of(passphrase, urlsafe_b64decode(salt))
        except ValueError as error:
            raise TamperedSecretError(identity) from error
        return self._seal_key(identity, lock._open_key(identity, sealed))

    def open(self, identity: str, sealed: str) -> str:
        """The secret again. Raises TamperedSecretError if altered, or sealed with another id
        or key.
        """
        try:
            data = urlsafe_b64decode(sealed.encode())
            if _text_of(data) != sealed:
                raise BadBase64
            opened = self._cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], identity.encode())
            return opened.decode()
        except (BadBase64, InvalidTag, ValueError) as error:
            raise TamperedSecretError(identity) from error

    def _seal_key(self, identity: str, key: bytes) -> str:
        return self.seal(identity, _text_of(key))

    def _open_key(self, identity: str, sealed_key: str) -> bytes:
        try:
            key = urlsafe_b64decode(self.open(identity, sealed_key))
        except ValueError as error:
            raise TamperedSecretError(identity) from error
        if len(key) != KEY_BYTES:
            raise TamperedSecretError(identity)
        return key


def _text_of(data: bytes) -> str:
    """Base64 as URLs write it; the library's own takes two steps more, twice a payment."""
    return b2a_base64(data, newline=False).translate(FOR_URLS).decode()


def _lock_of(passphrase: str, salt: bytes) -> KeyVault:
    # A twentieth of a second of work, so that guessing costs; the pool keeps it out of the loop.
    digest = partial(hashlib.scrypt, passphrase.encode(), salt=salt, dklen=KEY_BYTES, **SCRYPT)
    return KeyVault(in_thread(digest))


def _derived(key: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=b"sandgate " + purpose).derive(key)


def _read_key(path: Path) -> bytes:
    text, mode = read_key_file(path)
    refuse_readable(path, mode)
    key = b""
    with suppress(BadBase64):
        key = urlsafe_b64decode(text)
    if len(key) != KEY_BYTES:
        raise UnsafeKeyFileError(f"{path}: expected a key of {KEY_BYTES} bytes in base64, got else")
    return key
