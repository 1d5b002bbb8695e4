"""The vault: secrets sealed under the id of the record that holds them, with a key of this server.

AES-256-GCM with the id as associated data: a sealed text copied to another record does not open.
Two keys are derived from the one in the key file, so that fingerprints tell nothing about seals.
"""

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from simulator.adapters.files import LocalDisk
from simulator.domain.errors import Tampered
from simulator.domain.records import SealedCard

KEY_BYTES = 32
NONCE_BYTES = 12
MODE_OF_OTHERS = 0o077


class UnsafeKeyFile(Exception):
    """The key file cannot be trusted: others may read it, or it holds no key."""


def open_vault(path: Path | str) -> "KeyVault":
    """The vault whose key is in the file `path`: made at first start, readable by its owner alone.

    Raises UnsafeKeyFile.
    """
    place = Path(path)
    if not place.exists():
        _make_key_file(place)
    return KeyVault(_read_key(place))


class KeyVault:
    """Seals and opens with one key. Sealed texts and fingerprints are base64 as URLs write it."""

    __slots__ = ("_cipher", "_fingerprint_key")

    def __init__(self, key: bytes):
        self._cipher = AESGCM(_derived(key, b"seal"))
        self._fingerprint_key = _derived(key, b"fingerprint")

    def seal_card(self, identity: str, number: str) -> SealedCard:
        """The number sealed for the record `identity`, and its fingerprint."""
        return SealedCard(number=self.seal(identity, number), fingerprint=self.fingerprint(number))

    def fingerprint(self, secret: str) -> str:
        """A keyed HMAC-SHA256: equal for equal secrets, telling nothing else."""
        digest = hmac.digest(self._fingerprint_key, secret.encode(), "sha256")
        return urlsafe_b64encode(digest).decode()

    def seal(self, identity: str, secret: str) -> str:
        """The secret sealed for the record `identity`; sealed twice, the texts differ."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._cipher.encrypt(nonce, secret.encode(), identity.encode())
        return urlsafe_b64encode(nonce + sealed).decode()

    def open(self, identity: str, sealed: str) -> str:
        """The secret again. Raises Tampered if altered, or sealed with another id or key."""
        try:
            data = urlsafe_b64decode(sealed.encode())
            if urlsafe_b64encode(data) != sealed.encode():
                raise BadBase64
            opened = self._cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], identity.encode())
        except (BadBase64, InvalidTag, ValueError) as error:
            raise Tampered(identity) from error
        return opened.decode()


def _derived(key: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=b"sandgate " + purpose).derive(key)


def _make_key_file(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(urlsafe_b64encode(os.urandom(KEY_BYTES)) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    # A link, unlike a rename, never replaces a key that another process made meanwhile.
    with suppress(FileExistsError):
        path.hardlink_to(draft)
    draft.unlink()
    LocalDisk().sync_folder(path.parent)


def _read_key(path: Path) -> bytes:
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode & 0o777
        text = file.read()
    if mode & MODE_OF_OTHERS:
        raise UnsafeKeyFile(f"{path}: expected mode 600, got {mode:o}; run: chmod 600 {path}")
    key = b""
    with suppress(BadBase64):
        key = urlsafe_b64decode(text.strip())
    if len(key) != KEY_BYTES:
        raise UnsafeKeyFile(f"{path}: expected a key of {KEY_BYTES} bytes in base64, got else")
    return key
