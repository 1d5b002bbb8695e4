"""What was read of an account travels as TLV, padded, under a data key."""

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st
from pyemv import tlv

from pos_emulator.keys import triple_des
from pos_emulator.keys.account_data import TAGS, account_data, encrypt_aes, encrypt_tdes, pad
from pos_emulator.keys.errors import InvalidDataError, InvalidKeyError

TRACK_2 = bytes.fromhex("4761739001010119D31122010000000000000F")


def strip(padded: bytes) -> bytes:
    return padded.rstrip(b"\x00").removesuffix(b"\x80")


@given(st.dictionaries(st.sampled_from(TAGS), st.binary(min_size=1, max_size=127), min_size=1))
@settings(deadline=None)
def test_a_reader_of_tlv_finds_what_was_written_in_order(values: dict[str, bytes]):
    values = {"57": TRACK_2} | values

    written = account_data(values)

    assert tlv.decode(written) == values
    assert list(tlv.decode(written)) == [tag for tag in TAGS if tag in values]


@given(data=st.binary(max_size=60), block=st.sampled_from([8, 16]))
def test_padding_fills_whole_blocks_and_comes_off_again(data: bytes, block: int):
    padded = pad(data, block)

    assert len(padded) % block == 0
    assert 0 < len(padded) - len(data) <= block
    assert strip(padded) == data


@given(data=st.binary(max_size=60), size=st.sampled_from([16, 24, 32]))
@settings(deadline=None)
def test_what_is_encrypted_decrypts(data: bytes, size: int):
    key = bytes(range(size))
    opened = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).decryptor()

    assert strip(opened.update(encrypt_aes(key, data))) == data
    assert strip(triple_des.decrypt(key[:16], encrypt_tdes(key[:16], data))) == data


@pytest.mark.parametrize(
    "values",
    [{}, {"5F24": b"\x31\x12\x31"}, {"57": TRACK_2, "5F2A": b"\x09\x78"}, {"57": bytes(128)}],
)
def test_data_without_an_account_or_with_others_are_refused(values: dict[str, bytes]):
    with pytest.raises(InvalidDataError) as refusal:
        account_data(values)

    assert TRACK_2.hex().upper() not in str(refusal.value)


def test_a_key_that_is_no_aes_key_is_refused():
    with pytest.raises(InvalidKeyError):
        encrypt_aes(bytes(15), b"data")
