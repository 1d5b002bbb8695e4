"""Certificates and signatures of the chip, which the terminal opens with public RSA keys.

From the key of a certification authority comes the issuer's, from that the card's; static data are
signed by the issuer, dynamic data by the card. Source: EMV Book 2, 5 and 6.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import date

from pos_emulator.keys.errors import InvalidCertificateError

HEADER, TRAILER = 0x6A, 0xBC
FORMAT_ISSUER, FORMAT_STATIC, FORMAT_CARD, FORMAT_DYNAMIC = 0x02, 0x03, 0x04, 0x05
HASH_BYTES = 20
SHA_1 = RSA = 0x01
ISSUER_ID_BYTES, CARD_NUMBER_BYTES = 4, 10


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public RSA key: modulus and exponent, big endian."""

    modulus: bytes
    exponent: bytes


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a signature holds: `signed` from the format to the fill, and the hash behind it."""

    signed: bytes
    digest: bytes

    @property
    def format(self) -> int:
        """The first byte: whose signature it is."""
        return self.signed[0]

    def covers(self, more: bytes) -> bool:
        """Return whether the hash is that of what was signed, followed by `more`."""
        found = hashlib.sha1(self.signed + more, usedforsecurity=False).digest()
        return hmac.compare_digest(found, self.digest)


@dataclass(frozen=True, slots=True)
class CertifiedKey:
    """The public key of an issuer or a card: whom it names (hex, filled with F), and its last
    month as (year, month).
    """

    key: PublicKey
    subject: str
    expiry: tuple[int, int]


@dataclass(frozen=True, slots=True)
class AuthorityKey:
    """The public key of a certification authority: scheme (5 bytes) and index (1 byte)."""

    scheme: bytes
    index: bytes
    key: PublicKey

    def has_checksum(self, checksum: bytes) -> bool:
        """Return whether this is the SHA-1 that the scheme published with the key."""
        named = self.scheme + self.index + self.key.modulus + self.key.exponent
        return hashlib.sha1(named, usedforsecurity=False).digest() == checksum


def recover(key: PublicKey, signature: bytes) -> Recovered:
    """Open a signature with the public key of its signer. Raises InvalidCertificateError."""
    size = len(key.modulus)
    modulus = int.from_bytes(key.modulus)
    if len(signature) != size or size <= HASH_BYTES + 2 or not modulus:
        raise InvalidCertificateError("a signature is as long as the key of its signer")
    opened = pow(int.from_bytes(signature), int.from_bytes(key.exponent), modulus).to_bytes(size)
    if opened[0] != HEADER or opened[-1] != TRAILER:
        raise InvalidCertificateError("the signature was not made with this key")
    return Recovered(opened[1 : -HASH_BYTES - 1], opened[-HASH_BYTES - 1 : -1])


def issuer_key(
    authority: PublicKey,
    certificate: bytes,
    *,
    remainder: bytes = b"",
    exponent: bytes,
    pan: str,
    today: date,
) -> CertifiedKey:
    """Return the issuer's key from tags 90, 92 and 9F32, for the card with number `pan`.

    Raises InvalidCertificateError: also for another issuer's, or when it has expired.
    """
    recovered = _recover_as(FORMAT_ISSUER, authority, certificate)
    certified = _certified(recovered, ISSUER_ID_BYTES, remainder, exponent)
    _check(recovered.covers(remainder + exponent), "the hash of the issuer's certificate is wrong")
    digits = certified.subject.rstrip("F")
    _check(len(digits) >= 3 and pan.startswith(digits), "the certificate is another issuer's")
    _check_expiry(certified, today)
    return certified


def card_key(
    issuer: PublicKey,
    certificate: bytes,
    *,
    remainder: bytes = b"",
    exponent: bytes,
    static_data: bytes,
    pan: str,
    today: date,
) -> CertifiedKey:
    """Return the card's key from tags 9F46, 9F48 and 9F47, over the static data of its records.

    Raises InvalidCertificateError: also for another card's, or when it has expired.
    """
    recovered = _recover_as(FORMAT_CARD, issuer, certificate)
    certified = _certified(recovered, CARD_NUMBER_BYTES, remainder, exponent)
    covered = remainder + exponent + static_data
    _check(recovered.covers(covered), "the hash of the card's certificate is wrong")
    _check(certified.subject.rstrip("F") == pan, "the certificate is another card's")
    _check_expiry(certified, today)
    return certified


def static_code(issuer: PublicKey, signature: bytes, static_data: bytes) -> bytes:
    """Return the data authentication code (9F45) from tag 93. Raises InvalidCertificateError."""
    recovered = _recover_as(FORMAT_STATIC, issuer, signature)
    _check(recovered.covers(static_data), "the hash of the static data is wrong")
    return data_authentication_code(recovered)


def data_authentication_code(recovered: Recovered) -> bytes:
    """Return the two bytes behind format and hash algorithm of signed static data."""
    return recovered.signed[2:4]


def dynamic_data(card: PublicKey, signature: bytes, terminal_data: bytes) -> bytes:
    """Return what the card signed (tag 9F4B) together with the terminal's data.

    That is the length and value of the dynamic number, and with CDA cryptogram and hash of the
    transaction behind it. Raises InvalidCertificateError.
    """
    recovered = _recover_as(FORMAT_DYNAMIC, card, signature)
    _check(recovered.covers(terminal_data), "the hash of the dynamic data is wrong")
    length = recovered.signed[2]
    _check(3 + length <= len(recovered.signed), "the dynamic data are cut off")
    return recovered.signed[3 : 3 + length]


def _recover_as(expected: int, key: PublicKey, signature: bytes) -> Recovered:
    recovered = recover(key, signature)
    _check(recovered.format == expected, f"expected format {expected:02X} of signed data")
    place = 1 if expected in (FORMAT_STATIC, FORMAT_DYNAMIC) else _after_subject(expected) + 5
    _check(
        len(recovered.signed) > place + 3 and recovered.signed[place] == SHA_1,
        "the hash algorithm is not SHA-1",
    )
    return recovered


def _after_subject(signed_format: int) -> int:
    return 1 + (ISSUER_ID_BYTES if signed_format == FORMAT_ISSUER else CARD_NUMBER_BYTES)


def _certified(
    recovered: Recovered, subject_bytes: int, remainder: bytes, exponent: bytes
) -> CertifiedKey:
    """Return the key in a certificate: its left part there, the rest of it beside it."""
    subject, rest = recovered.signed[1 : 1 + subject_bytes], recovered.signed[1 + subject_bytes :]
    # Expiry MMYY, serial number, hash algorithm, key algorithm, length of key and of exponent.
    month, year = (f"{each:02X}" for each in rest[:2])
    algorithm, size, exponent_size = rest[6], rest[7], rest[8]
    _check(algorithm == RSA, "the key is no RSA key")
    _check(month.isdigit() and year.isdigit(), "the expiry of the certificate is no date")
    _check(exponent_size == len(exponent) > 0, "the exponent has another length")
    held = rest[9:]
    _check(len(remainder) == max(0, size - len(held)), "the remainder has another length")
    modulus = (held + remainder)[:size]
    _check(len(modulus) == size > 0, "the key has another length")
    return CertifiedKey(
        PublicKey(modulus, exponent), subject.hex().upper(), (2000 + int(year), int(month))
    )


def _check_expiry(certified: CertifiedKey, today: date) -> None:
    _check((today.year, today.month) <= certified.expiry, "the certificate has expired")


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise InvalidCertificateError(message)
