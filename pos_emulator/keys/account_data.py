"""What a terminal read of an account, as it travels encrypted: TLV, padded, under a data key."""

from collections.abc import Mapping

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pos_emulator.keys import triple_des
from pos_emulator.keys.errors import InvalidDataError, InvalidKeyError

# The code of a card that was typed in, under a private tag: EMV has none for it. Choice: D-454.
CODE = "DF01"
# Track 2, number, expiry, name, sequence number, discretionary data of track 2, code.
TAGS = ("57", "5A", "5F24", "5F20", "5F34", "9F20", CODE)
ACCOUNTS = frozenset({"57", "5A"})
AES_BLOCK = 16
VALUE_BYTES_MAX = 127
MARK = b"\x80"


def account_data(values: Mapping[str, bytes]) -> bytes:
    """Return data objects by tag as TLV, in the order of TAGS.

    Raises InvalidDataError for other tags, for values of over 127 bytes, and without an account.
    """
    if not ACCOUNTS.intersection(values) or not set(values).issubset(TAGS):
        raise InvalidDataError(f"expected {' or '.join(sorted(ACCOUNTS))}, and none beside {TAGS}")
    if any(len(value) > VALUE_BYTES_MAX for value in values.values()):
        raise InvalidDataError(f"a value has more than {VALUE_BYTES_MAX} bytes")
    return b"".join(
        bytes.fromhex(tag) + bytes([len(values[tag])]) + values[tag]
        for tag in TAGS
        if tag in values
    )


def pad(data: bytes, block: int) -> bytes:
    """Return data filled to whole blocks: 80, then zeros; a full block gets another one."""
    marked = data + MARK
    return marked + bytes(-len(marked) % block)


def encrypt_tdes(key: bytes, data: bytes) -> bytes:
    """Return padded data under a TDES key with CBC and an IV of zeros."""
    return triple_des.encrypt(key, pad(data, triple_des.BLOCK))


def encrypt_aes(key: bytes, data: bytes) -> bytes:
    """Return padded data under an AES key with CBC and an IV of zeros. Raises InvalidKeyError."""
    return encrypt_aes_blocks(key, pad(data, AES_BLOCK))


def encrypt_aes_blocks(key: bytes, blocks: bytes) -> bytes:
    """Return whole blocks of 16 bytes, encrypted. Raises InvalidDataError, InvalidKeyError."""
    if len(blocks) % AES_BLOCK:
        raise InvalidDataError(f"expected whole blocks of {AES_BLOCK} bytes")
    try:
        cipher = Cipher(algorithms.AES(key), modes.CBC(bytes(AES_BLOCK)))
    except ValueError:
        raise InvalidKeyError(f"{len(key)} bytes are no AES key") from None
    return cipher.encryptor().update(blocks)
