"""A PIN block enciphered for the card that checks it. Source: EMV Book 2, 7.2."""

from collections.abc import Callable

from pos_emulator.keys.offline_rsa import PublicKey

HEADER = b"\x7f"


def encipher_block(
    key: PublicKey, block: bytes, challenge: bytes, *, random_bytes: Callable[[int], bytes]
) -> bytes:
    """The block with the card's challenge and random bytes, under the card's public key."""
    content = HEADER + block + challenge
    size = len(key.modulus)
    padded = int.from_bytes(content + random_bytes(size - len(content)), "big")
    exponent, modulus = (int.from_bytes(part, "big") for part in (key.exponent, key.modulus))
    return pow(padded, exponent, modulus).to_bytes(size, "big")
