"""A device goes through its counters in order, uses none twice, forgets keys, and ends."""

from dataclasses import replace

import pydukpt
import pytest
from Crypto.Cipher import AES
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys import dukpt_aes, dukpt_tdes
from pos_emulator.keys.dukpt_aes import AES_DUKPT
from pos_emulator.keys.dukpt_tdes import TDES_DUKPT, TdesUsage, variant_of
from pos_emulator.keys.errors import ExhaustedError, InvalidKeyError
from pos_emulator.keys.future_keys import FutureKeys, Scheme, load_initial_key, take_key
from pos_emulator.tests.keys.device import load_and_take, take_at
from pos_emulator.tests.keys.vectors import VECTORS, Vector, initial_key_of

BOTH = pytest.mark.parametrize("scheme", [TDES_DUKPT, AES_DUKPT], ids=lambda scheme: scheme.name)
WITNESSES = {
    TdesUsage.PIN: pydukpt.pin_key,
    TdesUsage.MAC_REQUEST: pydukpt.mac_request_key,
    TdesUsage.MAC_RESPONSE: pydukpt.mac_response_key,
    TdesUsage.DATA_REQUEST: pydukpt.data_request_key,
    TdesUsage.DATA_RESPONSE: pydukpt.data_response_key,
}


def loaded(scheme: Scheme) -> FutureKeys:
    return load_initial_key(scheme, bytes(range(16)), bytes(scheme.identity_size))


def last_counter(scheme: Scheme) -> int:
    """The highest counter: as many bits as may be set, all at its top."""
    return ((1 << scheme.ones_max) - 1) << (scheme.counter_bits - scheme.ones_max)


def counters(scheme: Scheme) -> st.SearchStrategy[int]:
    """Counters with at most as many bits set as the scheme allows."""
    bits = st.sets(st.integers(0, scheme.counter_bits - 1), min_size=1, max_size=scheme.ones_max)
    return bits.map(lambda chosen: sum(1 << bit for bit in chosen))


def published_keys(group: str) -> list[Vector]:
    return [each for each in VECTORS if each.group == group and each.what == "transaction key"]


@pytest.mark.parametrize(
    ("group", "followed"), [("TDES DUKPT", 32), ("AES DUKPT AES128", 12), ("AES DUKPT AES256", 12)]
)
def test_the_published_counters_follow_each_other(group: str, followed: int):
    scheme = TDES_DUKPT if group == "TDES DUKPT" else AES_DUKPT
    module = dukpt_tdes if scheme is TDES_DUKPT else dukpt_aes
    mask = (1 << scheme.counter_bits) - 1
    rows = [(each.bytes("ksn"), bytes.fromhex(each.expected)) for each in published_keys(group)]
    keys = load_initial_key(scheme, initial_key_of(group), module.identity_of(rows[0][0]))

    taken = [
        take_key(scheme, take_at(scheme, keys, int.from_bytes(ksn) & mask).rest)
        for ksn, _ in rows[:-1]
    ]

    following = [
        (module.ksn_of(keys.identity, mine.counter), mine.key) == theirs
        for mine, theirs in zip(taken, rows[1:], strict=True)
    ]
    assert following.count(True) == followed


@given(bdk=st.binary(min_size=16, max_size=16), ksn=st.binary(min_size=10, max_size=10),
       counter=counters(TDES_DUKPT))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_device_has_the_keys_that_a_library_derives_from_the_base_key(bdk, ksn, counter):
    identity = dukpt_tdes.identity_of(ksn)
    initial_key = pydukpt.derive_ipek(bdk, ksn)
    witness = pydukpt.derive_key(initial_key, pydukpt.ksn_with_counter(ksn, counter))

    taken = load_and_take(TDES_DUKPT, initial_key, identity, counter)

    assert taken.key == witness
    assert dukpt_tdes.ksn_of(identity, counter) == pydukpt.ksn_with_counter(ksn, counter)
    for usage, vary in WITNESSES.items():
        assert variant_of(taken.key, usage) == vary(witness)


@given(base=st.sampled_from([16, 24, 32]).flatmap(lambda size: st.binary(min_size=size,
       max_size=size)), identity=st.binary(min_size=8, max_size=8),
       counter=counters(AES_DUKPT))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_the_device_has_the_keys_that_another_cipher_derives(base, identity, counter):
    initial_key = witnessed_key(base, 0x8001, identity)
    witness, reached = initial_key, 0
    for bit in reversed(range(32)):
        if counter >> bit & 1:
            reached |= 1 << bit
            witness = witnessed_key(witness, 0x8000, identity[4:] + reached.to_bytes(4))

    assert load_and_take(AES_DUKPT, initial_key, identity, counter).key == witness


def witnessed_key(key: bytes, usage: int, last: bytes) -> bytes:
    """X9.24-3 in one line for keys of the same length, with the cipher of another library."""
    number = {16: 2, 24: 3, 32: 4}[len(key)]
    purpose = usage.to_bytes(2) + number.to_bytes(2) + (len(key) * 8).to_bytes(2) + last
    data = b"".join(b"\x01" + bytes([block]) + purpose for block in (1, 2))
    return AES.new(key, AES.MODE_ECB).encrypt(data)[: len(key)]


@given(ksn=st.binary(min_size=10, max_size=10), counter=counters(TDES_DUKPT))
@settings(max_examples=60, deadline=None)
def test_counters_with_too_many_bits_are_skipped_as_the_library_skips_them(ksn, counter):
    keys = load_initial_key(TDES_DUKPT, bytes(range(16)), dukpt_tdes.identity_of(ksn))
    for _ in range(20):
        taken = take_at(TDES_DUKPT, keys, counter) if counter else take_key(TDES_DUKPT, keys)
        keys, counter = taken.rest, 0
        current = pydukpt.ksn_with_counter(ksn, taken.counter)
        if taken.counter == last_counter(TDES_DUKPT):
            with pytest.raises(pydukpt.KSNExhaustedError):
                pydukpt.next_ksn(current)
            return
        assert pydukpt.ksn_counter(pydukpt.next_ksn(current)) == keys.counter


@BOTH
def test_no_counter_is_used_twice_and_none_has_too_many_bits(scheme: Scheme):
    keys, used = loaded(scheme), []
    for _ in range(3000):
        taken = take_key(scheme, keys)
        keys, used = taken.rest, [*used, taken.counter]

    allowed = [each for each in range(1, 4000) if each.bit_count() <= scheme.ones_max]
    assert used == allowed[:3000]


@BOTH
def test_the_last_counter_ends_the_initial_key(scheme: Scheme):
    taken = take_at(scheme, loaded(scheme), last_counter(scheme))

    with pytest.raises(ExhaustedError, match=scheme.name):
        take_key(scheme, taken.rest)


@BOTH
def test_neither_the_initial_key_nor_a_used_key_is_kept(scheme: Scheme):
    initial_key = bytes(range(16))
    keys = load_initial_key(scheme, initial_key, bytes(scheme.identity_size))
    used = [initial_key]
    for _ in range(300):
        assert not set(used) & set(keys.registers)
        taken = take_key(scheme, keys)
        keys, used = taken.rest, [*used, taken.key]


@BOTH
def test_keys_that_do_not_fit_are_refused(scheme: Scheme):
    for size in (0, 8, 15, 17, 33):
        with pytest.raises(InvalidKeyError):
            load_initial_key(scheme, bytes(size), bytes(scheme.identity_size))
    with pytest.raises(InvalidKeyError):
        load_initial_key(scheme, bytes(16), bytes(scheme.identity_size + 1))
    with pytest.raises(InvalidKeyError, match="empty"):
        take_key(scheme, replace(loaded(scheme), registers=(None,) * scheme.counter_bits))


@BOTH
def test_no_key_is_shown(scheme: Scheme):
    initial_key = bytes.fromhex("00112233445566778899AABBCCDDEEFF")
    keys = load_initial_key(scheme, initial_key, bytes(scheme.identity_size))
    taken = take_key(scheme, keys)

    shown = f"{keys!r} {taken!r} {taken.rest!r}"
    for key in (taken.key, *keys.registers):
        assert repr(key) not in shown and key.hex() not in shown.lower()
