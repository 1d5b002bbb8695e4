"""Triple DES, and where psec and pyemv find it.

cryptography keeps triple DES among its decrepit algorithms and takes keys of 24 bytes only; both
libraries are older than that: they look in the former place, which warns at every call and is empty
from version 51 on, and they hand over keys of 8 and 16 bytes.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType, SimpleNamespace

import psec.des
import psec.mac
import pyemv.mac
import pyemv.tools
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

BLOCK = 8
USERS: tuple[ModuleType, ...] = (psec.des, psec.mac, pyemv.tools, pyemv.mac)


@cache
def supply_triple_des() -> None:
    """Let psec and pyemv use triple DES from where cryptography keeps it today."""
    for module in USERS:
        vars(module)["_algorithms"] = SimpleNamespace(TripleDES=triple_des)


def triple_des(key: bytes) -> TripleDES:
    """The cipher under a single, double or triple key: 8, 16 or 24 bytes."""
    return TripleDES(key * 3 if len(key) == BLOCK else (key + key)[:24])


def decrypt_block(key: bytes, block: bytes) -> bytes:
    """A block of 8 bytes, decrypted under a double length key."""
    return _decryptor(key)(block)


def encrypt_block(key: bytes, block: bytes) -> bytes:
    """A block of 8 bytes, encrypted under a double length key of the issuer."""
    return _encryptor(key)(block)


# An issuer has one key of each kind, for good.
@lru_cache(maxsize=16)
def _encryptor(key: bytes) -> Callable[[bytes], bytes]:
    return Cipher(triple_des(key), modes.ECB()).encryptor().update


# The zone key of a sandbox lasts as long as it does. Its cipher decrypts each block by itself.
@lru_cache(maxsize=256)
def _decryptor(key: bytes) -> Callable[[bytes], bytes]:
    return Cipher(triple_des(key), modes.ECB()).decryptor().update
