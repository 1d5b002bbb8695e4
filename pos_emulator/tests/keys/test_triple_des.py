"""psec and pyemv compute with the triple DES of today, without a warning."""

import ast
import inspect
import warnings
from types import ModuleType

import psec
import pyemv
import pytest

from pos_emulator.keys.triple_des import USERS, decrypt, encrypt, supply_triple_des

KEY = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210")


@pytest.fixture(autouse=True)
def _supplied():
    supply_triple_des()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("key", [KEY[:8], KEY, KEY + KEY[:8]], ids=["single", "double", "triple"])
def test_what_psec_encrypts_is_what_cryptography_encrypts(key: bytes):
    sealed = psec.des.encrypt_tdes_cbc(key, bytes(8), b"12345678abcdefgh")

    assert sealed == encrypt(key, b"12345678abcdefgh")
    assert decrypt(key, sealed) == b"12345678abcdefgh"


def test_the_published_codes_are_computed_without_a_warning():
    data = bytes.fromhex("12345678901214")

    assert psec.mac.generate_cbc_mac(KEY, bytes.fromhex("1234567890ABCDEF"), 2).hex() == (
        "925b1737ef681ad3"
    )
    assert psec.mac.generate_retail_mac(KEY[:8], KEY[8:], data, 2) == pyemv.mac.mac_iso9797_3(
        KEY[:8], KEY[8:], data, 2
    )
    assert pyemv.tools.key_check_digits(KEY).hex() == "08d7"


@pytest.mark.parametrize("module", USERS, ids=lambda module: module.__name__)
def test_the_libraries_ask_for_nothing_else(module: ModuleType):
    tree = ast.parse(inspect.getsource(module))

    asked = {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "_algorithms"
    }

    assert asked == {"TripleDES"}
