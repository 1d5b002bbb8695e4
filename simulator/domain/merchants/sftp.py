"""How a merchant fetches its settlement files by SFTP: by a password, by keys, or by both.

Choice: D-420.
"""

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from hashlib import sha256
from typing import Annotated, NamedTuple

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from msgspec.structs import replace

from simulator.domain.core.entities import Merchant, SftpAccess
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Vault
from simulator.domain.core.shapes import shape
from simulator.domain.merchants.names import refuse_controls
from simulator.domain.merchants.passwords import refuse_other_secret
from simulator.domain.merchants.tokens import Mint

PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX = 12, 128
NEW_PASSWORD_LENGTH = 32
KEYS_MAX = 10
KEY_LENGTH_MAX = 2048
RSA_BITS_MIN = 2048
KINDS = (
    "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa",
)  # fmt: skip
EXPECTED_KEY = f"a public key as OpenSSH writes it: {', '.join(KINDS)} (of {RSA_BITS_MIN} bits)"


class AskedSftpAccess(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a merchant shall log in. With neither password nor keys, a password is generated."""

    password: (
        Annotated[str, shape(minLength=PASSWORD_LENGTH_MIN, maxLength=PASSWORD_LENGTH_MAX)] | None
    ) = None
    keys: Annotated[tuple[str, ...], shape("Public keys as OpenSSH writes them, 10 at most.")] = ()


class Granted(NamedTuple):
    """The merchant with its access, and the password where it was generated."""

    merchant: Merchant
    password: str | None


def grant_sftp(merchant: Merchant, asked: AskedSftpAccess, mint: Mint) -> Granted:
    """The merchant with this access in the place of what it had. Raises InvalidInputError."""
    keys = tuple(public_key_in(key, f"keys[{place}]") for place, key in enumerate(asked.keys))
    if len(keys) > KEYS_MAX:
        raise InvalidInputError("keys", f"at most {KEYS_MAX}", str(len(keys)))
    if asked.password is not None:
        _refuse_password(asked.password)
    made = None if asked.password or keys else mint.ids.hex(NEW_PASSWORD_LENGTH)
    password = asked.password or made
    sealed = "" if password is None else mint.vault.seal(merchant.id, password)
    return Granted(replace(merchant, sftp=SftpAccess(password=sealed, keys=keys)), made)


def password_of(merchant: Merchant, vault: Vault) -> str:
    """The password a merchant logs in with; empty where it has none."""
    access = merchant.sftp
    return "" if access is None or not access.password else vault.open(merchant.id, access.password)


def fingerprint_of(key: str) -> str:
    """How clients show a key: SHA256 and 43 characters."""
    digest = sha256(b64decode(key.split()[1])).digest()
    return "SHA256:" + b64encode(digest).decode().rstrip("=")


def refuse_invalid_access(access: SftpAccess, where: str) -> None:
    """Raise InvalidInputError for keys that the control API would not have taken."""
    if len(access.keys) > KEYS_MAX:
        raise InvalidInputError(f"{where}.keys", f"at most {KEYS_MAX}", str(len(access.keys)))
    for place, key in enumerate(access.keys):
        if public_key_in(key, f"{where}.keys[{place}]") != key:
            raise InvalidInputError(f"{where}.keys[{place}]", EXPECTED_KEY, "one with a comment")


def _refuse_password(password: str) -> None:
    refuse_controls(password, "password")
    if not PASSWORD_LENGTH_MIN <= len(password) <= PASSWORD_LENGTH_MAX:
        expected = f"{PASSWORD_LENGTH_MIN} to {PASSWORD_LENGTH_MAX} characters"
        raise InvalidInputError("password", expected, f"{len(password)}")
    refuse_other_secret(password, "password")


def public_key_in(written: str, where: str) -> str:
    """The kind and the base64 of a key, without its comment. Raises InvalidInputError."""
    if len(written) > KEY_LENGTH_MAX:
        raise InvalidInputError(where, f"at most {KEY_LENGTH_MAX} characters", f"{len(written)}")
    parts = written.split()
    if len(parts) < 2 or parts[0] not in KINDS:
        raise InvalidInputError(where, EXPECTED_KEY, "something else")
    try:
        key = load_ssh_public_key(" ".join(parts[:2]).encode())
    except (ValueError, BadBase64, UnsupportedAlgorithm):
        raise InvalidInputError(where, EXPECTED_KEY, "one that cannot be read") from None
    if isinstance(key, RSAPublicKey) and key.key_size < RSA_BITS_MIN:
        raise InvalidInputError(where, EXPECTED_KEY, f"an RSA key of {key.key_size} bits")
    return " ".join(parts[:2])
