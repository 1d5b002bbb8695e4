"""What a terminal encrypts is what the gateway reads: two programs, no shared code, one truth."""

import os

import psec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.keys.account_data import account_data
from pos_emulator.keys.slot import KeySlot
from pos_emulator.tests.keys.memory import MemoryStore
from simulator.adapters.terminals.hsm import TerminalModule
from simulator.adapters.vault import KeyVault
from simulator.domain.terminals.serials import read_serial

MODULE = TerminalModule(KeyVault(bytes(range(32))))
SEALED = MODULE.new_keys()
METHODS = pytest.mark.parametrize("method", ["TDES", "AES"])


def loaded(method: str, number: int = 7) -> dict[str, KeySlot]:
    """The slots of a terminal after the gateway handed over its initial keys, by usage."""
    load = MODULE.load_keys(SEALED, method, number)
    slots = {}
    for each in load.blocks:
        slots[each.usage] = KeySlot(MemoryStore())
        slots[each.usage].load(each.block, bytes.fromhex(load.kbpk))
    return slots


@METHODS
@given(track=st.binary(min_size=1, max_size=19), payments=st.integers(1, 5))
@settings(deadline=None, max_examples=25)
def test_the_gateway_decrypts_the_account_of_each_payment(method, track, payments):
    slot, data = loaded(method)["DATA"], account_data({"57": track})

    for _ in range(payments):
        taken = slot.take()
        serial = read_serial(taken.ksn.hex().upper(), "pos.encryptedSred.ksn")
        assert MODULE.decrypt_data(SEALED, serial, taken.encrypt_account(data)) == data


@METHODS
@given(pin=st.text("0123456789", min_size=4, max_size=12),
       pan=st.text("0123456789", min_size=13, max_size=19))  # fmt: skip
@settings(deadline=None, max_examples=25)
def test_the_gateway_translates_each_pin(method, pin, pan):
    taken = loaded(method)["PIN"].take()
    serial = read_serial(taken.ksn.hex().upper(), "pos.encryptedPin.ksn")

    translated = MODULE.translate_pin(SEALED, serial, taken.encrypt_pin(pin, pan, os.urandom), pan)

    block = psec.des.decrypt_tdes_ecb(MODULE.zone_key(SEALED), bytes.fromhex(translated))
    assert psec.pinblock.decode_pinblock_iso_0(block, pan) == pin
