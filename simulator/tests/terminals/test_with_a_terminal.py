"""What a terminal encrypts is what the gateway reads: two programs without a line in common."""

import os
from collections.abc import Iterator
from pathlib import Path

import psec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pos_emulator.keys.account_data import TAGS, account_data
from pos_emulator.keys.element import SecureElement
from pos_emulator.keys.errors import InvalidDataError, InvalidKeyError, StorageError
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.vault import KeyVault
from simulator.domain.terminals.serials import read_serial

MODULE = TerminalModule(KeyVault(bytes(range(32))))
SEALED = MODULE.new_keys()
PAN = "4761739001010119"
DIGITS = "0123456789"
FEW = settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def load(element: SecureElement, method: str, number: int) -> None:
    """Load what the gateway hands over for terminal `number`."""
    handed = MODULE.load_keys(SEALED, method, number)
    element.load(bytes.fromhex(handed.kbpk), [(each.usage, each.block) for each in handed.blocks])


@pytest.fixture(params=["TDES", "AES"])
def element(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SecureElement]:
    """The secure element of a terminal that the gateway has given keys to."""
    made = SecureElement(tmp_path, os.urandom)
    load(made, request.param, 7)
    yield made
    made.close()


@FEW
@given(values=st.dictionaries(st.sampled_from(TAGS), st.binary(min_size=1, max_size=40)))
def test_the_gateway_decrypts_the_account_of_each_payment(element, values):
    values = {"5A": bytes.fromhex(PAN)} | values

    sent = element.encrypt_account(values)

    serial = read_serial(sent.ksn, "pos.encryptedSred.ksn")
    assert MODULE.decrypt_data(SEALED, serial, bytes.fromhex(sent.data)) == account_data(values)


@FEW
@given(pin=st.text(DIGITS, min_size=4, max_size=12), pan=st.text(DIGITS, min_size=13, max_size=19))
def test_the_gateway_translates_each_pin(element, pin, pan):
    sent = element.encrypt_pin(pin, pan)

    serial = read_serial(sent.ksn, "pos.encryptedPin.ksn")
    translated = MODULE.translate_pin(SEALED, serial, bytes.fromhex(sent.data), pan)
    block = psec.des.decrypt_tdes_ecb(MODULE.zone_key(SEALED), bytes.fromhex(translated))
    assert psec.pinblock.decode_pinblock_iso_0(block, pan) == pin


def test_a_terminal_that_is_restarted_goes_on_counting(element, tmp_path):
    first = [element.encrypt_pin("1234", PAN).ksn, element.encrypt_account({"5A": b"4"}).ksn]
    element.close()

    again = SecureElement(tmp_path, os.urandom)

    following = [again.encrypt_pin("1234", PAN).ksn, again.encrypt_account({"5A": b"4"}).ksn]
    assert [int(each[-4:], 16) for each in (*first, *following)] == [1, 1, 2, 2]
    again.close()


def test_the_keys_of_one_terminal_are_loaded_once(element):
    method = "TDES" if len(element.encrypt_pin("1234", PAN).ksn) == 20 else "AES"

    with pytest.raises(InvalidKeyError, match="before"):
        load(element, method, 7)
    load(element, method, 8)
    assert all(each.ksn.endswith("1") for each in element.status().values())


def test_an_element_belongs_to_one_process_and_has_two_usages(element, tmp_path):
    with pytest.raises(StorageError):
        SecureElement(tmp_path, os.urandom)
    with pytest.raises(InvalidKeyError, match="PIN and DATA"):
        element.load(bytes(32), [("MAC", "D0000")])


def test_what_cannot_be_encrypted_costs_no_key(element):
    with pytest.raises(InvalidDataError):
        element.encrypt_account({"5F24": b"\x31\x12\x31"})

    assert element.encrypt_account({"5A": b"4"}).ksn.endswith("1")


def test_an_empty_element_encrypts_nothing(tmp_path):
    empty = SecureElement(tmp_path / "new", os.urandom)

    assert empty.status() == {"PIN": None, "DATA": None}
    with pytest.raises(InvalidKeyError):
        empty.encrypt_pin("1234", PAN)
