"""The issuing side of offline data authentication: keys, certificates and signed data.

Every block is `6A`, format, content, SHA-1 hash and `BC`, signed by the plain RSA operation.
Source: EMV Book 2, 5 to 7 and annex B2.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property

EXPONENT = 3
HASH_SIZE = 20
SHA_1 = b"\x01"
RSA = b"\x01"
ISSUER_OVERHEAD = 36
ICC_OVERHEAD = 42


@dataclass(frozen=True)
class PrivateKey:
    """An RSA key by its primes; public exponent 3."""

    p: int = field(repr=False)
    q: int = field(repr=False)

    @cached_property
    def modulus(self) -> int:
        return self.p * self.q

    @cached_property
    def size(self) -> int:
        """Bytes of the modulus."""
        return (self.modulus.bit_length() + 7) // 8

    @cached_property
    def modulus_bytes(self) -> bytes:
        return self.modulus.to_bytes(self.size, "big")

    @cached_property
    def _exponents(self) -> tuple[int, int, int]:
        return (
            pow(EXPONENT, -1, self.p - 1),
            pow(EXPONENT, -1, self.q - 1),
            pow(self.q, -1, self.p),
        )

    def apply(self, block: bytes) -> bytes:
        """The private operation on a block as long as the modulus, and smaller than it."""
        d_p, d_q, inverse = self._exponents
        number = int.from_bytes(block, "big")
        by_p, by_q = pow(number, d_p, self.p), pow(number, d_q, self.q)
        return (by_q + (by_p - by_q) * inverse % self.p * self.q).to_bytes(self.size, "big")


@dataclass(frozen=True)
class CertifiedChipKey:
    """A public key certificate: signed part, what did not fit into it, and the exponent."""

    signed: bytes
    remainder: bytes
    exponent: bytes = bytes([EXPONENT])


def key_of(p: str, q: str) -> PrivateKey:
    """The key with primes in hexadecimal digits, which may hold blanks."""
    return PrivateKey(int("".join(p.split()), 16), int("".join(q.split()), 16))


def certify_issuer(
    authority: PrivateKey, issuer: PrivateKey, *, bin_digits: str, expiry: str
) -> CertifiedChipKey:
    """The issuer's public key, signed by an authority. `expiry` is MMYY."""
    subject = bytes.fromhex(bin_digits.ljust(8, "F")) + bytes.fromhex(expiry)
    return _certify(authority, issuer, header=b"\x02" + subject, overhead=ISSUER_OVERHEAD)


def certify_card(
    issuer: PrivateKey, card: PrivateKey, *, number: str, expiry: str, static_data: bytes
) -> CertifiedChipKey:
    """The card's public key and its static data, signed by the issuer. `expiry` is MMYY."""
    subject = bytes.fromhex(number.ljust(20, "F")) + bytes.fromhex(expiry)
    return _certify(
        issuer, card, header=b"\x04" + subject, overhead=ICC_OVERHEAD, static_data=static_data
    )


def _certify(
    signer: PrivateKey,
    subject: PrivateKey,
    *,
    header: bytes,
    overhead: int,
    static_data: bytes = b"",
) -> CertifiedChipKey:
    room = signer.size - overhead
    modulus = subject.modulus_bytes
    exponent = bytes([EXPONENT])
    serial = hashlib.sha256(modulus).digest()[:3]
    lengths = bytes([len(modulus), len(exponent)])
    content = header + serial + SHA_1 + RSA + lengths + modulus[:room].ljust(room, b"\xbb")
    remainder = modulus[room:]
    return CertifiedChipKey(_seal(signer, content, remainder + exponent + static_data), remainder)


def sign_static_data(issuer: PrivateKey, *, code: bytes, static_data: bytes) -> bytes:
    """Signed static application data (93); `code` is the data authentication code, two bytes."""
    content = b"\x03" + SHA_1 + code
    return _seal(issuer, content.ljust(issuer.size - HASH_SIZE - 2, b"\xbb"), static_data)


def sign_dynamic_data(card: PrivateKey, *, dynamic_data: bytes, terminal_data: bytes) -> bytes:
    """Signed dynamic application data (tag 9F4B), for DDA, CDA and fast DDA."""
    content = b"\x05" + SHA_1 + bytes([len(dynamic_data)]) + dynamic_data
    return _seal(card, content.ljust(card.size - HASH_SIZE - 2, b"\xbb"), terminal_data)


def _seal(signer: PrivateKey, content: bytes, hashed_too: bytes) -> bytes:
    digest = hashlib.sha1(content + hashed_too, usedforsecurity=False).digest()
    return signer.apply(b"\x6a" + content + digest + b"\xbc")
