"""PIN blocks are what psec reads, and no message shows a PIN."""

from random import Random

import psec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys.errors import InvalidKeyError, InvalidPinError
from pos_emulator.keys.pinblocks import (
    encipher_format_4,
    format_0,
    format_2,
    format_3,
    format_4_field,
)

PINS = st.text("0123456789", min_size=4, max_size=12)
PANS = st.text("0123456789", min_size=13, max_size=19)
RANDOM_8 = bytes(range(8))


@given(pin=PINS, pan=PANS)
@settings(deadline=None)
def test_psec_reads_the_blocks_of_eight_bytes(pin: str, pan: str):
    assert format_0(pin, pan) == psec.pinblock.encode_pinblock_iso_0(pin, pan)
    assert format_2(pin) == psec.pinblock.encode_pinblock_iso_2(pin)
    assert psec.pinblock.decode_pinblock_iso_0(format_0(pin, pan), pan) == pin
    assert psec.pinblock.decode_pinblock_iso_2(format_2(pin)) == pin
    block = format_3(pin, pan, Random(pin).choice)
    assert psec.pinblock.decode_pinblock_iso_3(block, pan) == pin


@given(pin=PINS, pan=st.text("0123456789", min_size=1, max_size=19),
       size=st.sampled_from([16, 24, 32]), random=st.binary(min_size=8, max_size=8))  # fmt: skip
@settings(deadline=None)
def test_psec_deciphers_the_block_of_sixteen_bytes(pin: str, pan: str, size: int, random: bytes):
    key = bytes(range(size))

    block = encipher_format_4(key, format_4_field(pin, random), pan)

    assert psec.pinblock.decipher_pinblock_iso_4(key, block, pan) == pin


def test_a_block_of_format_3_differs_each_time():
    random = Random(1)

    assert len({format_3("1234", "4012345678909", random.choice) for _ in range(20)}) == 20


@given(pin=st.text(max_size=14), pan=st.text(max_size=21))
@settings(deadline=None)
def test_any_text_gives_a_block_or_a_refusal_that_does_not_quote_it(pin: str, pan: str):
    for make in (
        lambda: format_0(pin, pan),
        lambda: format_2(pin),
        lambda: format_3(pin, pan, Random(1).choice),
        lambda: encipher_format_4(bytes(16), format_4_field(pin, RANDOM_8), pan),
    ):
        try:
            assert len(make()) in (8, 16)
        except InvalidPinError as refusal:
            assert str(refusal).startswith(("a PIN has 4 to 12", "a card number for this format"))
            assert refusal.__cause__ is None


@pytest.mark.parametrize("pin", ["123", "1234567890123", "12a4", "١٢٣٤", "", " 1234"])
def test_a_pin_is_four_to_twelve_digits(pin: str):
    with pytest.raises(InvalidPinError):
        format_0(pin, "4012345678909")


@pytest.mark.parametrize(("digits", "fits"), [(12, False), (13, True), (19, True), (20, False)])
def test_a_block_of_format_0_is_bound_to_a_whole_card_number(digits: int, fits: bool):
    if fits:
        assert len(format_0("1234", "4" * digits)) == 8
    else:
        with pytest.raises(InvalidPinError):
            format_0("1234", "4" * digits)


def test_a_key_that_is_no_aes_key_is_refused():
    with pytest.raises(InvalidKeyError):
        encipher_format_4(bytes(15), format_4_field("1234", RANDOM_8), "4111111111111111")


@pytest.mark.parametrize("size", [0, 7, 9])
def test_the_random_half_of_a_pin_field_is_whole(size: int):
    with pytest.raises(InvalidPinError):
        format_4_field("1234", bytes(size))
