"""The secure element of a terminal: a slot for the keys of PINs, one for those of account data."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from pos_emulator.keys.account_data import account_data
from pos_emulator.keys.dukpt_key import Random
from pos_emulator.keys.errors import InvalidKeyError
from pos_emulator.keys.slot import KeySlot, SlotStatus
from pos_emulator.keys.storage import SealedFile, storage_key

PIN, DATA = "PIN", "DATA"
USAGES = (PIN, DATA)


class Encrypted(NamedTuple):
    """What travels: the encrypted bytes and the serial number of their key, both in hex."""

    data: str
    ksn: str


class SecureElement:
    """Encrypts PINs and accounts; each call uses a key of its own. Close it to let go of its files.

    `random` returns so many random bytes.
    """

    def __init__(self, folder: Path, random: Random):
        key = storage_key(folder)
        self._random = random
        self._files = {usage: SealedFile(folder / f"{usage.lower()}.keys", key) for usage in USAGES}
        self._slots = {usage: KeySlot(file) for usage, file in self._files.items()}

    def close(self) -> None:
        """Let another process open the files."""
        for each in self._files.values():
            each.close()

    def load(self, protection_key: bytes, blocks: Iterable[tuple[str, str]]) -> None:
        """Load initial keys: usage (PIN or DATA) and TR-31 block of each.

        Raises InvalidKeyError, InvalidKeyBlockError, StorageError. Choice: D-400.
        """
        for usage, block in blocks:
            self._slot(usage).load(block, protection_key)

    def roll_over(self, blocks: Iterable[tuple[str, str]]) -> None:
        """Load the next initial keys: usage and TR-31 block of each, under the update key of the
        present one. Raises as `load` does. Choice: D-611.
        """
        for usage, block in blocks:
            self._slot(usage).roll_over(block)

    def initial_keys(self) -> dict[str, str]:
        """Return the ids of the initial keys of AES DUKPT, in hex, by usage. Raises InvalidKeyError
        for TDES DUKPT, which has no update keys, and without a key.
        """
        return {usage: slot.identity().hex().upper() for usage, slot in self._slots.items()}

    def encrypt_pin(self, pin: str, pan: str) -> Encrypted:
        """Return the PIN block for a card number. Raises InvalidPinError, ExhaustedError,
        InvalidKeyError without an initial key, StorageError.
        """
        taken = self._slots[PIN].take()
        return _in_hex(taken.encrypt_pin(pin, pan, self._random), taken.ksn)

    def encrypt_account(self, values: Mapping[str, bytes]) -> Encrypted:
        """Return what was read of an account, by tag. Raises InvalidDataError, ExhaustedError,
        InvalidKeyError without an initial key, StorageError.
        """
        data = account_data(values)
        taken = self._slots[DATA].take()
        return _in_hex(taken.encrypt_account(data), taken.ksn)

    def status(self) -> dict[str, SlotStatus | None]:
        """Return what each slot holds, by usage."""
        return {usage: slot.status() for usage, slot in self._slots.items()}

    def _slot(self, usage: str) -> KeySlot:
        if usage not in self._slots:
            raise InvalidKeyError(f"a terminal has keys for {' and '.join(USAGES)}")
        return self._slots[usage]


def _in_hex(data: bytes, ksn: bytes) -> Encrypted:
    return Encrypted(data.hex().upper(), ksn.hex().upper())
