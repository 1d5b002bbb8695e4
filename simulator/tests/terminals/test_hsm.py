"""The security module: published values, and what it refuses without saying why."""

import csv
from pathlib import Path

import pydukpt
import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode
from psec import tr31
from psec.pinblock import encode_pinblock_iso_0

from simulator.adapters.terminals import aes_dukpt
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.vault import KeyVault
from simulator.domain.terminals.errors import UnreadableDataError
from simulator.domain.terminals.serials import KEY_SETS, KeySerial, initial_serial, read_serial
from simulator.domain.terminals.terminals import KEYS

VECTORS = list(csv.DictReader((Path(__file__).parent / "vectors.csv").open()))
TDES_BASE = "0123456789ABCDEFFEDCBA9876543210"
AES_BASE = "FEDCBA9876543210F1F1F1F1F1F1F1F1"
ZONE = "00112233445566778899AABBCCDDEEFF"
VAULT = KeyVault(bytes(range(32)))
MODULE = TerminalModule(VAULT)
PUBLISHED = {
    "TDES PIN": TDES_BASE, "TDES DATA": TDES_BASE, "AES PIN": AES_BASE, "AES DATA": AES_BASE,
    "zone PIN": ZONE,
}  # fmt: skip
SEALED = VAULT.seal(KEYS, encode(PUBLISHED).decode())
FIELD = "pos.encryptedSred.ksn"


def rows(group: str, what: str) -> list:
    found = [each for each in VECTORS if each["group"] == group and each["what"].startswith(what)]
    return [pytest.param(each, id=f"{group} {each['inputs']}") for each in found]


def serial_in(row: dict) -> KeySerial:
    return read_serial(row["inputs"].removeprefix("ksn="), FIELD)


def working_key(row: dict, purpose: int) -> str:
    text = bytes.fromhex(serial_in(row).text)
    counter = int.from_bytes(text[8:], "big")
    return aes_dukpt.working_key(bytes.fromhex(AES_BASE), text[:8], counter, purpose).hex().upper()


def from_zone(block: str) -> bytes:
    key = bytes.fromhex(ZONE)
    cipher = Cipher(TripleDES(key + key[:8]), ECB())
    return cipher.decryptor().update(bytes.fromhex(block))


def test_every_published_value_that_concerns_the_gateway_is_here() -> None:
    assert len(VECTORS) == 167


@pytest.mark.parametrize("row", rows("TDES DUKPT", "transaction key"))
def test_tdes_keys_are_the_published_ones(row: dict) -> None:
    text = bytes.fromhex(serial_in(row).text)
    key = pydukpt.derive_key(pydukpt.derive_ipek(bytes.fromhex(TDES_BASE), text), text)
    assert key.hex().upper() == row["expected"]


@pytest.mark.parametrize("row", rows("TDES DUKPT", "format 0 PIN block"))
def test_a_published_tdes_pin_block_is_translated(row: dict) -> None:
    block = bytes.fromhex(row["expected"])
    translated = MODULE.translate_pin(SEALED, serial_in(row), block, "4012345678909")
    assert from_zone(translated) == encode_pinblock_iso_0("1234", "4012345678909")


@pytest.mark.parametrize("row", rows("TDES DUKPT", "data request"))
def test_published_tdes_data_is_decrypted_and_its_other_padding_refused(row: dict) -> None:
    data = bytes.fromhex(row["expected"])
    cipher = MODULE._cipher(SEALED, serial_in(row), "DATA")
    text = cipher.decryptor(CBC(bytes(8)))(data)
    assert text == b"4012345678909D987".ljust(24, b"\0")
    with pytest.raises(UnreadableDataError):
        MODULE.decrypt_data(SEALED, serial_in(row), data)


@pytest.mark.parametrize("row", rows("AES DUKPT AES128", "PIN key"))
def test_aes_pin_keys_are_the_published_ones(row: dict) -> None:
    assert working_key(row, aes_dukpt.PIN) == row["expected"]


@pytest.mark.parametrize("row", rows("AES DUKPT AES128", "data encryption key"))
def test_aes_data_keys_are_the_published_ones(row: dict) -> None:
    assert working_key(row, aes_dukpt.DATA) == row["expected"]


@pytest.mark.parametrize("row", rows("AES DUKPT AES128", "format 4 PIN block"))
def test_a_published_aes_pin_block_is_translated(row: dict) -> None:
    block = bytes.fromhex(row["expected"])
    translated = MODULE.translate_pin(SEALED, serial_in(row), block, "4111111111111111")
    assert from_zone(translated) == encode_pinblock_iso_0("1234", "4111111111111111")


@pytest.mark.parametrize("bits", ["128", "256"])
def test_aes_transaction_keys_are_the_published_ones(bits: str) -> None:
    group = [each for each in VECTORS if each["group"] == f"AES DUKPT AES{bits}"]
    initial = next(each for each in group if each["what"] == "initial key")
    base, key_id = (each.split("=")[1] for each in initial["inputs"].split())
    first = aes_dukpt.initial_key(bytes.fromhex(base), bytes.fromhex(key_id))
    assert first.hex().upper() == initial["expected"]
    for each in group:
        if each["what"] == "transaction key":
            text = bytes.fromhex(each["inputs"].removeprefix("ksn="))
            counter = int.from_bytes(text[8:], "big")
            key = aes_dukpt.transaction_key(first, text[:8], counter)
            assert key.hex().upper() == each["expected"], each["inputs"]


@pytest.mark.parametrize("method", ["TDES", "AES"])
def test_a_terminal_unwraps_initial_keys_with_their_serial_numbers(method: str) -> None:
    load = MODULE.load_keys(SEALED, method, 42)
    for each in load.blocks:
        header, key = tr31.unwrap(bytes.fromhex(load.kbpk), each.block)
        assert (header.version_id, header.key_usage, header.mode_of_use) == ("D", "B1", "X")
        assert header.blocks["KS"] == each.ksn
        assert len(key) == 16
    assert len({each.ksn for each in load.blocks}) == 2
    assert MODULE.load_keys(SEALED, method, 42).kbpk != load.kbpk


def test_base_keys_are_sealed_and_new_each_time() -> None:
    first, second = MODULE.new_keys(), MODULE.new_keys()
    assert first != second
    assert MODULE.zone_key(first) != MODULE.zone_key(second)
    assert MODULE.zone_key(first).hex() not in first


@pytest.mark.parametrize(
    "written",
    ["", "F" * 19, "F" * 21, "F" * 23, "F" * 25, "G" * 20, "FFFF9876543210E0000 ", "é" * 20,
     "FFFF9876543210FFFFFF", "1234567890123456FFFFFFFF"],
)  # fmt: skip
def test_a_serial_number_that_no_device_uses_is_refused_by_its_field(written: str) -> None:
    with pytest.raises(Exception, match=FIELD):
        read_serial(written, FIELD)


@given(st.integers(1, 2**19 - 1), st.sampled_from(KEY_SETS))
def test_a_serial_number_comes_back_as_it_was_written(number: int, keys: object) -> None:
    serial = initial_serial(keys, number)
    assert read_serial(serial.text, FIELD) == serial
    assert serial.text.startswith(keys.prefix)


@given(st.binary(max_size=64), st.sampled_from(KEY_SETS))
def test_no_data_does_more_than_be_refused(data: bytes, keys: object) -> None:
    serial = initial_serial(keys, 7)._replace(counter=3)
    try:
        content = MODULE.decrypt_data(SEALED, serial, data)
    except UnreadableDataError as error:
        assert str(error) == ""
    else:
        assert len(content) < len(data)


@given(st.binary(max_size=40), st.sampled_from(KEY_SETS))
def test_no_pin_block_does_more_than_be_refused(block: bytes, keys: object) -> None:
    serial = initial_serial(keys, 7)._replace(counter=3)
    try:
        translated = MODULE.translate_pin(SEALED, serial, block, "4200000000000000")
    except UnreadableDataError as error:
        assert str(error) == ""
        assert error.__cause__ is None
    else:
        assert len(translated) == 16


def test_a_pin_block_does_not_say_whether_it_is_of_this_card() -> None:
    """Blocks of format 0 could be tried with changed numbers to learn the digits of a PIN."""
    serial = read_serial("FFFF9876543210E00001", "pos.encryptedPin.ksn")
    block = bytes.fromhex("1B9C1845EB993A7A")
    for last in range(10):
        assert MODULE.translate_pin(SEALED, serial, block, f"40123456789{last}9")
