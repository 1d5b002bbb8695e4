"""The hardware security module: derives the keys of terminals, decrypts, and translates PIN blocks.

Keys are in the clear in the memory of this module alone, derived and kept for a while; a PIN is so
in local variables for the time of one translation. Source: ANSI X9.24-1, X9.24-3;
X9.143 (TR-31); ISO 9564. Choices: D-405, D-408, D-409, D-611.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB
from psec import tr31
from psec.pinblock import decode_pin_field_iso_4, encode_pan_field_iso_4, encode_pinblock_iso_0

from simulator.adapters.terminals import aes_dukpt
from simulator.domain.core.ports import Vault
from simulator.domain.terminals.accounts import read_account
from simulator.domain.terminals.errors import UnreadableDataError
from simulator.domain.terminals.serials import (
    KEY_SETS,
    KeySerial,
    KeySet,
    Method,
    Usage,
    initial_serial,
)
from simulator.domain.terminals.terminals import KEYS, KeyBlock, KeyLoad

KEY_BYTES, PROTECTION_KEY_BYTES = 16, 32
ZONE = "zone PIN"
MARK = b"\x80"
PIN_LENGTHS = range(4, 13)
# The attributes of a key block: version D, an initial DUKPT key that keys are derived from.
BLOCK_VERSION, INITIAL_DUKPT_KEY, DERIVES, ANY_VERSION = "D", "B1", "X", "00"
ALGORITHM: dict[Method, str] = {"TDES": "T", "AES": "A"}
SETS = {(each.method, each.usage): each for each in KEY_SETS}


class BlockCipher(NamedTuple):
    """A key with the cipher it is for: TDES or AES."""

    method: Method
    key: bytes

    @property
    def size(self) -> int:
        """The bytes of a block."""
        return 16 if self.method == "AES" else 8

    def decryptor(self, mode: CBC | ECB) -> Callable[[bytes], bytes]:
        """What decrypts whole blocks; of ECB each by itself."""
        algorithm = AES(self.key) if self.method == "AES" else TripleDES(self.key + self.key[:8])
        return Cipher(algorithm, mode).decryptor().update


class TerminalModule:
    """The security module of one sandbox, as ports.SecurityModule; `vault` seals its keys."""

    __slots__ = ("_last", "_vault")

    def __init__(self, vault: Vault):
        self._vault = vault
        self._last = ("", dict[str, bytes]())

    def new_keys(self) -> str:
        """New base keys and a zone key, sealed."""
        names = (*(each.name for each in KEY_SETS), ZONE)
        keys = {name: os.urandom(KEY_BYTES).hex() for name in names}
        return self._vault.seal(KEYS, msgspec.json.encode(keys).decode())

    def load_keys(self, sealed: str, method: Method, number: int) -> KeyLoad:
        """The initial keys of terminal `number`, under a key that is new each time."""
        keys, protection = self._opened(sealed), os.urandom(PROTECTION_KEY_BYTES)
        blocks = tuple(
            _block_of(each, keys[each.name], protection, number)
            for each in KEY_SETS
            if each.method == method
        )
        return KeyLoad(protection.hex().upper(), blocks)

    def roll_over(
        self, sealed: str, present: Mapping[Usage, str], number: int
    ) -> tuple[KeyBlock, ...]:
        """The initial keys of AES DUKPT with `number`, each under the update key of the present one
        for the same use, which is named by its id.
        """
        keys = self._opened(sealed)
        blocks = []
        for usage, identity in present.items():
            row = SETS["AES", usage]
            update = aes_dukpt.update_key(keys[row.name], bytes.fromhex(identity))
            blocks.append(_block_of(row, keys[row.name], update, number))
        return tuple(blocks)

    def decrypt_data(self, sealed: str, serial: KeySerial, data: bytes) -> bytes:
        """What a terminal encrypted, without its padding. Raises UnreadableDataError."""
        cipher = self._cipher(sealed, serial, "DATA")
        if not data or len(data) % cipher.size:
            raise UnreadableDataError
        text = cipher.decryptor(CBC(bytes(cipher.size)))(data)
        content, mark, padding = text.rpartition(MARK)
        if not mark or any(padding) or len(padding) >= cipher.size:
            # It is read all the same, so that its time does not show that the padding was wrong.
            with suppress(UnreadableDataError):
                read_account(text)
            raise UnreadableDataError
        return content

    def translate_pin(self, sealed: str, serial: KeySerial, block: bytes, number: str) -> str:
        """A PIN block of a terminal as one of format 0 under the zone key, in hex.

        One of format 0 is only checked as far as its card number has no part in it: which PINs a
        changed number makes impossible must not be seen.
        """
        cipher = self._cipher(sealed, serial, "PIN")
        if len(block) != cipher.size:
            raise UnreadableDataError
        decrypt = cipher.decryptor(ECB())
        decrypted = decrypt(block)
        if cipher.method == "AES":
            translated = _format_0_of(decrypt, decrypted, number)
        elif decrypted[0] in PIN_LENGTHS:
            translated = decrypted
        else:
            raise UnreadableDataError
        return _zone_encryptor(self.zone_key(sealed))(translated).hex().upper()

    def zone_key(self, sealed: str) -> bytes:
        """The key under which PIN blocks travel to the card host: TDES, 16 bytes."""
        return self._opened(sealed)[ZONE]

    def _opened(self, sealed: str) -> dict[str, bytes]:
        opened, keys = self._last
        if opened != sealed:
            texts = msgspec.json.decode(self._vault.open(KEYS, sealed), type=dict[str, str])
            keys = {name: bytes.fromhex(key) for name, key in texts.items()}
            self._last = (sealed, keys)
        return keys

    def _cipher(self, sealed: str, serial: KeySerial, usage: Usage) -> BlockCipher:
        """The key of a serial number for one use, derived from the base key."""
        base, text = (
            self._opened(sealed)[SETS[serial.method, usage].name],
            bytes.fromhex(serial.text),
        )
        if serial.method == "AES":
            purpose = aes_dukpt.PIN if usage == "PIN" else aes_dukpt.DATA
            return BlockCipher(
                "AES", aes_dukpt.working_key(base, text[:8], serial.counter, purpose)
            )
        pydukpt = _pydukpt()
        key = pydukpt.derive_key(pydukpt.derive_ipek(base, text), text)
        variant = pydukpt.pin_key if usage == "PIN" else pydukpt.data_request_key
        return BlockCipher("TDES", variant(key))


def _pydukpt() -> Any:
    """The library of keys of TDES, imported for the first terminal: most gateways have none."""
    import pydukpt

    return pydukpt


# The zone key of a sandbox lasts as long as it does. Its cipher encrypts each block by itself.
@lru_cache(maxsize=256)
def _zone_encryptor(zone: bytes) -> Callable[[bytes], bytes]:
    return Cipher(TripleDES(zone + zone[:8]), ECB()).encryptor().update


def _format_0_of(decrypt: Callable[[bytes], bytes], decrypted: bytes, number: str) -> bytes:
    """A decrypted block of format 4 as one of format 0."""
    field = encode_pan_field_iso_4(number)
    mixed = (int.from_bytes(decrypted, "big") ^ int.from_bytes(field, "big")).to_bytes(16, "big")
    try:
        pin = decode_pin_field_iso_4(decrypt(mixed))
        return encode_pinblock_iso_0(pin, number)
    except ValueError:
        raise UnreadableDataError from None


def _block_of(keys: KeySet, base: bytes, protection: bytes, number: int) -> KeyBlock:
    """The key block of one initial key: KS says its serial number."""
    serial = initial_serial(keys, number).text
    text = bytes.fromhex(serial)
    if keys.method == "AES":
        key = aes_dukpt.initial_key(base, text[:8])
    else:
        key = _pydukpt().derive_ipek(base, text)
    header = tr31.Header(
        BLOCK_VERSION, INITIAL_DUKPT_KEY, ALGORITHM[keys.method], DERIVES, ANY_VERSION
    )
    header.blocks["KS"] = serial
    return KeyBlock(keys.usage, serial, tr31.wrap(protection, header, key))
