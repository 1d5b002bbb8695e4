"""The host key of the SFTP server: made at the first start, kept in the data folder.

Clients remember it, so it stays the same over restarts. It is an Ed25519 key in the form OpenSSH
writes, in a file that its owner alone can read.
"""

from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_ssh_private_key,
)

from simulator.adapters.key_files import (
    UnsafeKeyFileError,
    create_key_file,
    read_key_file,
    refuse_readable,
)
from simulator.domain.merchants.sftp import fingerprint_of


class HostKey(NamedTuple):
    """The key as OpenSSH writes it, and its fingerprint as clients show it."""

    text: str
    fingerprint: str


def open_host_key(path: Path) -> HostKey:
    """The key in the file `path`, which is made where there is none. Raises UnsafeKeyFileError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        create_key_file(path, _new_key())
    text, mode = read_key_file(path)
    refuse_readable(path, mode)
    return HostKey(text, fingerprint_of(_public_key_of(text, path)))


def _public_key_of(text: str, path: Path) -> str:
    try:
        key = load_ssh_private_key(text.encode(), None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _no_key_in(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key_in(path)
    return key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def _no_key_in(path: Path) -> UnsafeKeyFileError:
    return UnsafeKeyFileError(
        f"{path}: expected an Ed25519 key as OpenSSH writes it, got else; remove the file, and "
        "the next start makes another key, which clients have to accept anew"
    )


def _new_key() -> str:
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode().strip()
