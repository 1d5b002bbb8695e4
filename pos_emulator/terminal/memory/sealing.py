"""What a terminal must keep of a card while it is offline, sealed under its storage key."""

import os
from collections.abc import Mapping

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pos_emulator.keys.element import Encrypted
from pos_emulator.keys.errors import StorageError
from pos_emulator.keys.slot import SlotStatus
from pos_emulator.keys.storage import NONCE_BYTES


class Seal:
    """Seals bytes for the journal; `name` binds them to the record that they stand in."""

    def __init__(self, key: bytes):
        self._cipher = AESGCM(key)

    def seal(self, content: bytes, name: str) -> str:
        """The sealed bytes in hex."""
        nonce = os.urandom(NONCE_BYTES)
        return (nonce + self._cipher.encrypt(nonce, content, name.encode())).hex()

    def open(self, sealed: str, name: str) -> bytes:
        """What was sealed. Raises StorageError."""
        try:
            raw = bytes.fromhex(sealed)
            return self._cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], name.encode())
        except (InvalidTag, ValueError):
            raise StorageError("a stored payment was changed") from None


class BrokenElement:
    """What is left of a secure element whose files were changed: it encrypts nothing."""

    def __init__(self, reason: str):
        self._reason = reason

    def encrypt_pin(self, pin: str, pan: str) -> Encrypted:
        """Raises StorageError."""
        raise StorageError(self._reason)

    def encrypt_account(self, values: Mapping[str, bytes]) -> Encrypted:
        """Raises StorageError."""
        raise StorageError(self._reason)

    def status(self) -> dict[str, SlotStatus | None]:
        """Nothing that can be used."""
        return {}

    def close(self) -> None:
        """Nothing is open."""
