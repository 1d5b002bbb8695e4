"""The host key of the SFTP server: made at the first start, kept in the data folder.

Clients remember it, so it stays the same over restarts. It is an Ed25519 key in the form OpenSSH
writes, in a file that its owner alone can read.
"""

from io import StringIO
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from paramiko import Ed25519Key, SSHException

from simulator.adapters.key_files import (
    UnsafeKeyFileError,
    create_key_file,
    read_key_file,
    refuse_readable,
)


def open_host_key(path: Path) -> Ed25519Key:
    """The key in the file `path`, which is made where there is none. Raises UnsafeKeyFileError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        create_key_file(path, _new_key())
    text, mode = read_key_file(path)
    refuse_readable(path, mode)
    try:
        return Ed25519Key.from_private_key(StringIO(text))
    except (SSHException, ValueError, IndexError) as error:
        raise UnsafeKeyFileError(
            f"{path}: expected an Ed25519 key as OpenSSH writes it, got else; remove the file, and "
            "the next start makes another key, which clients have to accept anew"
        ) from error


def fingerprint_of(key: Ed25519Key) -> str:
    """How clients show the key: `SHA256:` and 43 characters, as OpenSSH writes it."""
    shown: str = key.fingerprint
    return shown


def _new_key() -> str:
    key = Ed25519PrivateKey.generate()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode().strip()
