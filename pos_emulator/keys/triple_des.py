"""Triple DES, and where the libraries find it.

cryptography keeps triple DES among its decrepit algorithms and takes keys of 24 bytes only. psec
and pyemv are older than that: they look in the former place, which warns at every call and is
empty from version 51 on, and they hand over keys of 8 and 16 bytes.
"""

from types import ModuleType, SimpleNamespace

import psec.des
import psec.mac
import pyemv.mac
import pyemv.tools
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

BLOCK = 8
ZERO_IV = bytes(BLOCK)
USERS: tuple[ModuleType, ...] = (psec.des, psec.mac, pyemv.tools, pyemv.mac)


def supply_triple_des() -> None:
    """Let psec and pyemv use triple DES from where cryptography keeps it today.

    Call it before a function of theirs that computes; a second call changes nothing.
    """
    for module in USERS:
        vars(module)["_algorithms"] = SimpleNamespace(TripleDES=triple_des)


def triple_des(key: bytes) -> TripleDES:
    """Return the cipher under a single, double or triple key: 8, 16 or 24 bytes."""
    return TripleDES(key * 3 if len(key) == BLOCK else (key + key)[:24])


def encrypt(key: bytes, data: bytes) -> bytes:
    """Return `data`, of whole blocks of 8 bytes, encrypted with CBC and an IV of zeros."""
    return Cipher(triple_des(key), modes.CBC(ZERO_IV)).encryptor().update(data)


def decrypt(key: bytes, data: bytes) -> bytes:
    """Return what `encrypt` was given."""
    return Cipher(triple_des(key), modes.CBC(ZERO_IV)).decryptor().update(data)
