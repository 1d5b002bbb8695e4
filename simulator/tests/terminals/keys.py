"""What tests of terminals encrypt with: a device that derives its keys from its initial key.

It stands for a terminal: it unwraps what it is loaded with, and counts. Written with the libraries
alone, so that it shares no code with the security module of the gateway.
"""

from collections.abc import Callable, Mapping
from itertools import count

import pydukpt
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB
from psec import tr31
from psec.pinblock import encipher_pinblock_iso_4, encode_pinblock_iso_0

from simulator.tests.kit.gateway import Gateway

NUMBER, EXPIRY = "4200000000000000", "3405"
ZERO_IV = {8: bytes(8), 16: bytes(16)}


class Device:
    """A terminal with the keys it was loaded with. What lives on is its counter."""

    def __init__(self, document: Mapping[str, object]):
        self.id, self.device, self.model = document["id"], document["device"], document["model"]
        kbpk = bytes.fromhex(document["load"]["kbpk"])
        self._keys = {}
        for each in document["load"]["blocks"]:
            header, key = tr31.unwrap(kbpk, each["block"])
            assert header.blocks["KS"] == each["ksn"]
            self._keys[each["usage"]] = (each["ksn"], key)
        self._counters = {usage: count(1) for usage in self._keys}

    @classmethod
    def of(cls, gateway: Gateway, sandbox: str, **asked: str) -> "Device":
        """A new terminal of a sandbox."""
        return cls(gateway.control("POST", f"/sandboxes/{sandbox}/terminals", asked).json)

    def next_ksn(self, usage: str) -> str:
        """The serial number of the next key."""
        ksn, _ = self._keys[usage]
        return f"{int(ksn, 16) + next(self._counters[usage]):0{len(ksn)}X}"

    def encrypted(self, plain: bytes, ksn: str | None = None) -> tuple[str, str]:
        """Account data, padded and encrypted, and the serial number of its key."""
        ksn = ksn or self.next_ksn("DATA")
        size = 8 if len(ksn) == 20 else 16
        padded = plain + b"\x80"
        return self.raw(padded + bytes(-len(padded) % size), ksn), ksn

    def raw(self, blocks: bytes, ksn: str) -> str:
        """Whole blocks, encrypted as account data is."""
        size = 8 if len(ksn) == 20 else 16
        key = self._working_key("DATA", ksn)
        algorithm = TripleDES(key + key[:8]) if size == 8 else AES(key)
        return Cipher(algorithm, CBC(ZERO_IV[size])).encryptor().update(blocks).hex().upper()

    def pin(self, pin: str, number: str = NUMBER, ksn: str | None = None) -> tuple[str, str]:
        """A PIN block, encrypted, and the serial number of its key."""
        ksn = ksn or self.next_ksn("PIN")
        key = self._working_key("PIN", ksn)
        if len(ksn) == 24:
            return encipher_pinblock_iso_4(key, pin, number).hex().upper(), ksn
        return self.pin_block(encode_pinblock_iso_0(pin, number), ksn), ksn

    def pin_block(self, block: bytes, ksn: str) -> str:
        """Any block, encrypted as a PIN block is by TDES."""
        key = self._working_key("PIN", ksn)
        return Cipher(TripleDES(key + key[:8]), ECB()).encryptor().update(block).hex().upper()

    def _working_key(self, usage: str, ksn: str) -> bytes:
        _, initial = self._keys[usage]
        serial = bytes.fromhex(ksn)
        if len(serial) == 10:
            key = pydukpt.derive_key(initial, serial)
            return pydukpt.pin_key(key) if usage == "PIN" else pydukpt.data_request_key(key)
        purpose = 0x1000 if usage == "PIN" else 0x3000
        return aes_key(initial, serial, purpose)


def aes_key(initial: bytes, serial: bytes, purpose: int) -> bytes:
    """The AES-128 working key of a serial number, from an initial key of AES-128."""
    counter, key, reached = int.from_bytes(serial[8:], "big"), initial, 0
    for bit in range(31, -1, -1):
        if counter & 1 << bit:
            reached |= 1 << bit
            key = _derivation(key, 0x8000, serial[4:8] + reached.to_bytes(4, "big"))
    return _derivation(key, purpose, serial[4:])


def _derivation(key: bytes, usage: int, context: bytes) -> bytes:
    block = b"\x01\x01" + usage.to_bytes(2, "big") + b"\x00\x02\x00\x80" + context
    return Cipher(AES(key), ECB()).encryptor().update(block)


def tlv(*pairs: tuple[str, str]) -> bytes:
    """Tags with their values, both in hex; each value shorter than 128 bytes."""
    return b"".join(
        bytes.fromhex(tag) + bytes((len(value) // 2,)) + bytes.fromhex(value)
        for tag, value in pairs
    )


def track_of(number: str = NUMBER, expiry: str = EXPIRY) -> str:
    """Track 2 in hex, as tag 57 holds it."""
    track = f"{number}D{expiry}2011000012345"
    return track + "F" * (len(track) % 2)


def account(number: str = NUMBER, expiry: str = EXPIRY, holder: str = "JONES/JANE") -> bytes:
    """What a chip says of the account: track 2, holder, sequence number."""
    return tlv(("57", track_of(number, expiry)), ("5F20", holder.encode().hex()), ("5F34", "01"))


def sent_by(
    device: Device,
    plain: bytes | None = None,
    *,
    encrypt: Callable[[bytes], tuple[str, str]] | None = None,
    **more: str | None,
) -> dict[str, str | None]:
    """The parameters of a payment at a terminal: encrypted account data in place of a card."""
    data, ksn = (encrypt or device.encrypted)(account() if plain is None else plain)
    return {
        "card.number": None, "card.holder": None, "card.expiryMonth": None,
        "card.expiryYear": None, "card.cvv": None, "paymentBrand": None,
        "pos.entryMode": "ICC", "pos.terminalId": device.id, "pos.deviceId": device.device,
        "pos.deviceType": device.model, "pos.pinEntryCapability": "PIN_ENTRY_AVAILABLE",
        "pos.panSequenceNumber": "1", "pos.encryptedSred.data": data,
        "pos.encryptedSred.ksn": ksn, **more,
    }  # fmt: skip
