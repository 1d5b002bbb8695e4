"""What AES DUKPT derives, and what it does not."""

import pytest

from pos_emulator.keys.dukpt_aes import (
    AES_BY_BYTES,
    KSN_BYTES,
    Algorithm,
    Usage,
    identity_of,
    ksn_of,
    update_key,
    update_key_source,
    working_key,
)
from pos_emulator.keys.errors import InvalidKeyError

IDENTITY = bytes.fromhex("1234567890123456")
KSN = ksn_of(IDENTITY, 1)


@pytest.mark.parametrize("size", AES_BY_BYTES)
def test_every_usage_and_algorithm_has_a_key_of_its_own(size: int):
    key = bytes(range(size))
    derivable = [each for each in Algorithm if each.value.strength <= size * 8]

    keys = {
        (usage, algorithm): working_key(key, KSN, usage, algorithm)
        for usage in Usage
        for algorithm in derivable
    }

    assert len(set(keys.values())) == len(keys)
    assert all(len(made) * 8 == algorithm.value.bits for (_, algorithm), made in keys.items())


@pytest.mark.parametrize(
    ("size", "algorithm"), [(16, Algorithm.AES192), (16, Algorithm.HMAC256), (24, Algorithm.AES256)]
)
def test_no_key_is_stronger_than_the_one_it_comes_from(size: int, algorithm: Algorithm):
    with pytest.raises(InvalidKeyError, match=algorithm.name):
        working_key(bytes(size), KSN, Usage.PIN, algorithm)


@pytest.mark.parametrize("size", [0, 8, 17, 64])
def test_only_aes_keys_derive(size: int):
    with pytest.raises(InvalidKeyError):
        working_key(bytes(size), KSN, Usage.PIN, Algorithm.TDES2)


def test_another_serial_number_has_another_key():
    key = bytes(16)

    assert working_key(key, KSN, Usage.PIN, Algorithm.AES128) != working_key(
        key, ksn_of(IDENTITY, 2), Usage.PIN, Algorithm.AES128
    )


@pytest.mark.parametrize("size", [7, 9, 10, 11, 13])
def test_a_serial_number_has_eight_or_twelve_bytes(size: int):
    with pytest.raises(InvalidKeyError, match=str(KSN_BYTES)):
        identity_of(bytes(size))


def test_an_update_key_is_as_long_as_the_next_initial_key_needs():
    source = update_key_source(bytes(32), IDENTITY)

    assert [len(update_key(source, IDENTITY, each)) for each in AES_BY_BYTES.values()] == [
        16,
        24,
        32,
    ]
