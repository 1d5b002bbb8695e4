"""A TR-31 block gives its key under the protection key alone, and only unchanged."""

import psec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys.errors import InvalidKeyBlockError, KeysError
from pos_emulator.keys.key_blocks import check_initial_key, unwrap
from pos_emulator.tests.keys.blocks import KBPK, KBPK_AES, KSN, wrap_initial_key

KEY = bytes.fromhex("6AC292FAA1315B4D858AB3A3D7D5933A")
BLOCK = wrap_initial_key(KEY, KSN)


def test_an_initial_key_comes_with_its_serial_number():
    unwrapped = unwrap(KBPK, BLOCK)

    check_initial_key(unwrapped)
    assert (unwrapped.key, unwrapped.serial_number) == (KEY, bytes.fromhex(KSN))


@pytest.mark.parametrize("version", ["A", "B", "C", "D"])
def test_every_version_of_the_block_is_read(version: str):
    kbpk = KBPK_AES if version == "D" else KBPK

    assert unwrap(kbpk, wrap_initial_key(KEY, KSN, kbpk=kbpk, version=version)).key == KEY


@pytest.mark.parametrize("place", range(0, len(BLOCK), 3))
def test_a_block_that_was_changed_anywhere_is_refused(place: int):
    changed = BLOCK[:place] + ("1" if BLOCK[place] != "1" else "2") + BLOCK[place + 1 :]

    with pytest.raises(InvalidKeyBlockError):
        unwrap(KBPK, changed)


def test_another_protection_key_opens_nothing():
    with pytest.raises(InvalidKeyBlockError):
        unwrap(bytes(16), BLOCK)


@given(block=st.text(max_size=120) | st.text("ABCDE0123456789TXKS", max_size=120),
       kbpk=st.binary(max_size=40))  # fmt: skip
@settings(deadline=None, max_examples=50)
def test_nothing_but_a_refusal_comes_of_what_is_no_block(block: str, kbpk: bytes):
    with pytest.raises(KeysError) as refusal:
        unwrap(kbpk, block)

    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None
    assert len(block) < 8 or block not in str(refusal.value)


@pytest.mark.parametrize(
    ("usage", "mode"), [("B0", "X"), ("P0", "E"), ("D0", "B"), ("K0", "B"), ("B1", "N")]
)
def test_only_an_initial_key_is_loaded(usage: str, mode: str):
    block = wrap_initial_key(KEY, KSN, usage=usage, mode=mode)

    with pytest.raises(InvalidKeyBlockError, match=usage):
        check_initial_key(unwrap(KBPK, block))


def test_an_initial_key_without_a_serial_number_is_refused():
    with pytest.raises(InvalidKeyBlockError, match="serial number"):
        check_initial_key(unwrap(KBPK, wrap_initial_key(KEY, None)))


def test_a_serial_number_that_is_no_hex_is_refused():
    header = psec.tr31.Header("B", "B1", "T", "X", "00", "N")
    header.blocks["KS"] = "no hex"

    with pytest.raises(InvalidKeyBlockError, match="hex"):
        check_initial_key(unwrap(KBPK, psec.tr31.KeyBlock(KBPK, header).wrap(KEY)))


def test_the_key_is_not_shown():
    shown = repr(unwrap(KBPK, BLOCK))

    assert KEY.hex() not in shown.lower() and repr(KEY) not in shown
