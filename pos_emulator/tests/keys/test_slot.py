"""A slot hands out each key once, keeps what is left first, and takes no identity twice."""

import json
from collections.abc import Callable
from threading import Thread

import psec
import pydukpt
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pos_emulator.keys import dukpt_aes, triple_des
from pos_emulator.keys.dukpt_aes import AES_BY_BYTES, Algorithm, Usage, working_key
from pos_emulator.keys.dukpt_key import DukptKey
from pos_emulator.keys.errors import (
    ExhaustedError,
    InvalidKeyBlockError,
    InvalidKeyError,
    KeysError,
    StorageError,
)
from pos_emulator.keys.slot import KeySlot
from pos_emulator.tests.keys.blocks import IDENTITY, KBPK, KBPK_AES, KSN, wrap_initial_key
from pos_emulator.tests.keys.memory import MemoryStore

BDK = bytes.fromhex("0123456789ABCDEFFEDCBA9876543210")
BDK_AES = bytes.fromhex("FEDCBA9876543210F1F1F1F1F1F1F1F1")
TDES_KEY = pydukpt.derive_ipek(BDK, bytes.fromhex(KSN))
PAN = "4012345678909"
RANDOM = bytes.fromhex("2F69ADDE2E9E7ACE")


def aes_initial_key(size: int = 16, identity: str = IDENTITY) -> bytes:
    base = (BDK_AES * 2)[:size]
    return working_key(base, bytes.fromhex(identity), Usage.INITIAL_KEY, AES_BY_BYTES[size])


def tdes_slot(store: MemoryStore | None = None) -> KeySlot:
    slot = KeySlot(store or MemoryStore())
    slot.load(wrap_initial_key(TDES_KEY, KSN), KBPK)
    return slot


def aes_block(
    key: bytes, identity: str = IDENTITY, kbpk: bytes = KBPK_AES, name: str = "IK"
) -> str:
    return wrap_initial_key(key, identity, kbpk=kbpk, version="D", algorithm="A", name=name)


def aes_slot(size: int = 16) -> KeySlot:
    slot = KeySlot(MemoryStore())
    slot.load(aes_block(aes_initial_key(size)), KBPK_AES)
    return slot


BOTH = pytest.mark.parametrize("make", [tdes_slot, aes_slot], ids=["TDES", "AES"])


def test_the_first_key_under_tdes_is_the_published_one():
    taken = tdes_slot().take()

    assert (taken.ksn.hex().upper(), taken.key.hex().upper()) == (
        "FFFF9876543210E00001",
        "042666B49184CFA368DE9628D0397BC9",
    )
    assert taken.encrypt_pin("1234", PAN, bytes).hex().upper() == "1B9C1845EB993A7A"
    assert taken.mac(b"4012345678909D987").hex().upper() == "9CCC7817"
    assert taken.response_mac(b"4012345678909D987").hex().upper() == "20364223"
    opened = triple_des.decrypt(pydukpt.data_request_key(taken.key), taken.encrypt_account(b"5A"))
    assert opened == b"5A\x80" + bytes(5)


def test_the_first_key_under_aes_is_the_published_one():
    taken = aes_slot().take()

    assert (taken.ksn.hex().upper(), taken.key.hex().upper()) == (
        "123456789012345600000001",
        "4F21B565BAD9835E112B6465635EAE44",
    )
    block = taken.encrypt_pin("1234", "4111111111111111", lambda _: RANDOM)
    assert block.hex().upper() == "A912150391AB65A67E52883D81CE2D15"
    assert taken.mac(b"4012345678909D987").hex().upper() == "A2EB5C1C35809E58404E873C3C411E31"
    expected = "DD4E1895FD9BF53D8DAF25568ABF551D"
    assert taken.response_mac(b"4012345678909D987").hex().upper() == expected


@pytest.mark.parametrize("size", [16, 24, 32])
def test_working_keys_of_aes_are_as_long_as_the_initial_key(size: int):
    taken = aes_slot(size).take()
    key = working_key(taken.key, taken.ksn, Usage.PIN, AES_BY_BYTES[size])
    data_key = working_key(taken.key, taken.ksn, Usage.DATA_ENCRYPTION, AES_BY_BYTES[size])

    block = taken.encrypt_pin("1234", PAN, bytes)
    opened = Cipher(algorithms.AES(data_key), modes.CBC(bytes(16))).decryptor()

    assert psec.pinblock.decipher_pinblock_iso_4(key, block, PAN) == "1234"
    assert opened.update(taken.encrypt_account(b"5A")) == b"5A\x80" + bytes(13)


@BOTH
def test_each_key_is_handed_out_once_by_whatever_thread(make: Callable[[], KeySlot]):
    slot, taken = make(), []
    threads = [
        Thread(target=lambda: taken.extend(slot.take().ksn for _ in range(50))) for _ in range(4)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert len(set(taken)) == 200


def test_a_slot_goes_on_where_it_was():
    store = MemoryStore()
    first = [tdes_slot(store).take().ksn]
    first += [KeySlot(store).take().ksn for _ in range(3)]

    assert [ksn.hex()[-1] for ksn in first] == ["1", "2", "3", "4"]


def test_a_key_that_could_not_be_stored_as_used_is_not_handed_out():
    store = MemoryStore()
    slot = tdes_slot(store)
    store.fail_before = True
    for _ in range(2):
        with pytest.raises(StorageError):
            slot.take()
    store.fail_before, store.fail_after = False, True
    with pytest.raises(StorageError):
        slot.take()
    store.fail_after = False

    assert [slot.take().ksn[-1], KeySlot(store).take().ksn[-1]] == [1, 2]


@BOTH
def test_what_is_used_is_not_in_the_store(make: Callable[..., KeySlot]):
    store = MemoryStore()
    slot = KeySlot(store)
    initial_key = TDES_KEY if make is tdes_slot else aes_initial_key()
    block = wrap_initial_key(TDES_KEY, KSN) if make is tdes_slot else aes_block(initial_key)
    slot.load(block, KBPK if make is tdes_slot else KBPK_AES)

    for _ in range(40):
        key = slot.take().key
        assert store.state is not None
        assert key.hex().encode() not in store.state
        assert initial_key.hex().encode() not in store.state


@BOTH
def test_an_identity_is_loaded_once(make: Callable[[], KeySlot]):
    slot = make()
    slot.take()
    block, kbpk = (
        (wrap_initial_key(TDES_KEY, KSN), KBPK)
        if make is tdes_slot
        else (aes_block(aes_initial_key()), KBPK_AES)
    )

    with pytest.raises(InvalidKeyError, match="before"):
        slot.load(block, kbpk)
    assert slot.take().ksn[-1] == 2


def test_an_identity_of_long_ago_is_not_loaded_again():
    slot = tdes_slot()
    slot.load(wrap_initial_key(TDES_KEY, "FFFF9876543220E00000"), KBPK)

    with pytest.raises(InvalidKeyError, match="before"):
        slot.load(wrap_initial_key(TDES_KEY, "FFFF9876543210E00007"), KBPK)


def test_the_next_initial_key_comes_under_the_update_key():
    slot, following = aes_slot(), "1234567890123457"
    source = dukpt_aes.update_key_source(aes_initial_key(), bytes.fromhex(IDENTITY))
    kbpk = dukpt_aes.update_key(source, bytes.fromhex(IDENTITY), Algorithm.AES128)
    assert kbpk.hex().upper() == "9A9770AEE1ACD1B13473D0463A1883B9"

    slot.roll_over(aes_block(aes_initial_key(16, following), following, kbpk))

    assert slot.take().ksn.hex() == following + "00000001"
    with pytest.raises(InvalidKeyBlockError):
        slot.roll_over(aes_block(aes_initial_key(16, "1234567890123458"), "1234567890123458", kbpk))


def test_tdes_has_no_update_keys():
    with pytest.raises(InvalidKeyError, match="update"):
        tdes_slot().roll_over(wrap_initial_key(TDES_KEY, KSN))


@pytest.mark.parametrize(
    "block",
    [
        wrap_initial_key(TDES_KEY, "FFFF9876543210E0"),
        wrap_initial_key(TDES_KEY, IDENTITY + "00000000"),
        wrap_initial_key(TDES_KEY[:8], KSN),
        wrap_initial_key(TDES_KEY, KSN, algorithm="D"),
        wrap_initial_key(TDES_KEY, KSN, algorithm="A"),
        wrap_initial_key(TDES_KEY, KSN, usage="B0"),
    ],
    ids=["8 bytes", "12 bytes", "single DES", "DES", "AES with 10 bytes", "base key"],
)
def test_a_key_that_does_not_fit_changes_nothing(block: str):
    slot = KeySlot(MemoryStore())

    with pytest.raises(KeysError):
        slot.load(block, KBPK)
    assert slot.status() is None


def test_a_serial_number_of_twelve_bytes_is_read_from_ks_too():
    slot = KeySlot(MemoryStore())

    slot.load(aes_block(aes_initial_key(), IDENTITY + "00000000", name="KS"), KBPK_AES)

    assert slot.status() == ("AES DUKPT", IDENTITY + "00000001", False)


def test_an_empty_slot_has_no_key():
    with pytest.raises(InvalidKeyError, match="no initial key"):
        KeySlot(MemoryStore()).take()


def test_an_exhausted_slot_says_so_until_a_new_key_is_loaded():
    store = MemoryStore()
    tdes_slot(store)
    assert store.state is not None
    document = json.loads(store.state)
    store.state = json.dumps(document | {"counter": 1 << 21}).encode()
    slot = KeySlot(store)

    assert slot.status() == ("TDES DUKPT", KSN, True)
    with pytest.raises(ExhaustedError):
        slot.take()
    slot.load(wrap_initial_key(TDES_KEY, "FFFF9876543220E00000"), KBPK)
    assert slot.take().ksn.hex().upper() == "FFFF9876543220E00001"


@pytest.mark.parametrize("state", [b"", b"{}", b"[]", b'{"scheme": "DES"}', b"\xff"])
def test_a_state_that_cannot_be_read_is_refused(state: bytes):
    with pytest.raises(StorageError, match="malformed"):
        KeySlot(MemoryStore(state))


def test_neither_keys_nor_pins_are_shown():
    taken = DukptKey(bytes(10), TDES_KEY)

    shown = f"{taken!r} {tdes_slot()!r} {tdes_slot().status()!r}"
    assert TDES_KEY.hex() not in shown and repr(TDES_KEY) not in shown
