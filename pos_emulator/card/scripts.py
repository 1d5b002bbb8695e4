"""Commands of the issuer to the card, each under a MAC: blocking, PIN, limits.

Source: EMV Book 2, 9; EMV Book 3, 6.5.1, 6.5.2 and 6.5.10.
"""

import hmac
from collections.abc import Callable, Mapping
from dataclasses import replace

from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives.ciphers import Cipher, modes

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.card.cryptograms import FIRST, VERSIONS, script_key, script_mac, script_request
from pos_emulator.card.personalization import pin_digest
from pos_emulator.card.records import ChipStage, ChipState, Memory
from pos_emulator.card.selection import Answer

MAC_SIZE = 8
BLOCK_SIZE = 8
UNBLOCK, CHANGE_WITH_OLD, CHANGE = 0x00, 0x01, 0x02
PUT_ALLOWED: Mapping[str, int] = {"9F14": 1, "9F23": 1}

Effect = Callable[[ChipState, CardCommand, bytes], Memory | int]


def run_script(state: ChipState, command: CardCommand) -> Answer:
    """Check the MAC of a script command and do what it says; count it either way."""
    if (
        state.session.stage not in (ChipStage.REQUESTED, ChipStage.DONE)
        or not state.session.request
    ):
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    if len(command.data) < MAC_SIZE:
        return _failed(state), CardResponse(apdu.MAC_MISSING)
    data, mac = command.data[:-MAC_SIZE], command.data[-MAC_SIZE:]
    request = script_request(state.chip.cvn, state.session.request, state.session.scripts)
    key = script_key(
        state.chip.cvn, state.chip.keys.integrity, counter=state.counter, request=request
    )
    header = command.header + bytes([len(command.data)])
    expected = script_mac(key, header=header, counter=state.counter, request=request, data=data)
    if not hmac.compare_digest(mac, expected):
        return _failed(state), CardResponse(apdu.MAC_WRONG)
    result = EFFECTS[command.ins](state, command, data)
    if isinstance(result, int):
        return _failed(state), CardResponse(result)
    memory = replace(result, scripts=min(result.scripts + 1, 15))
    session = replace(state.session, scripts=state.session.scripts + 1)
    return replace(state, memory=memory, session=session), CardResponse(apdu.OK)


def _failed(state: ChipState) -> ChipState:
    session = replace(state.session, scripts=state.session.scripts + 1)
    return replace(state, session=session, memory=replace(state.memory, script_failed=True))


def _aid(state: ChipState) -> str:
    assert state.session.application is not None
    return state.chip.applications[state.session.application].aid.hex().upper()


def _block_application(state: ChipState, command: CardCommand, data: bytes) -> Memory | int:
    blocked = {*state.memory.blocked, _aid(state)}
    return replace(state.memory, blocked=tuple(sorted(blocked)))


def _unblock_application(state: ChipState, command: CardCommand, data: bytes) -> Memory | int:
    aid = _aid(state)
    blocked = tuple(other for other in state.memory.blocked if other != aid)
    unblocked = {*state.memory.unblocked, aid}
    return replace(state.memory, blocked=blocked, unblocked=tuple(sorted(unblocked)))


def _block_card(state: ChipState, command: CardCommand, data: bytes) -> Memory | int:
    return replace(state.memory, card_blocked=True)


def _change_pin(state: ChipState, command: CardCommand, data: bytes) -> Memory | int:
    if state.chip.pin_tries is None or command.p1 != 0:
        return apdu.WRONG_PARAMETERS
    full = replace(state.memory, pin_tries=state.chip.pin_tries or 3)
    if command.p2 == UNBLOCK:
        return full if not data else apdu.WRONG_LENGTH
    if command.p2 != CHANGE:
        return apdu.WRONG_PARAMETERS
    pin = _new_pin(state, data)
    if pin is None:
        return apdu.WRONG_DATA
    return replace(full, pin_check=pin_digest(state.chip.keys, pin))


def _new_pin(state: ChipState, data: bytes) -> str | None:
    block = _decrypt(state, data)
    if len(block) != BLOCK_SIZE:
        return None
    if VERSIONS[state.chip.cvn].encryption is FIRST and state.chip.cvn != 22:
        return _digits(_without_key(state, block), size=block[0])
    if block[0] >> 4 != 2:
        return None
    return _digits(block[1:], size=block[0] & 0x0F)


def _without_key(state: ChipState, block: bytes) -> bytes:
    """The PIN field of scheme 1's block, whose last four bytes were mixed with the card's key."""
    mask = state.chip.keys.cryptograms[4:8]
    return block[1:4] + bytes(a ^ b for a, b in zip(block[4:], mask, strict=True))


def _digits(field: bytes, *, size: int) -> str | None:
    text = field.hex().upper()
    pin, rest = text[:size], text[size:]
    if not 4 <= size <= 12 or not pin.isdecimal() or rest.strip("F"):
        return None
    return pin


def _decrypt(state: ChipState, data: bytes) -> bytes:
    """The data of a confidential command; empty if they were not encrypted as they should be."""
    if not data or len(data) % BLOCK_SIZE:
        return b""
    position = state.session.scripts
    request = script_request(state.chip.cvn, state.session.request, position)
    key = script_key(
        state.chip.cvn, state.chip.keys.confidentiality, counter=state.counter, request=request
    )
    is_first = VERSIONS[state.chip.cvn].encryption is FIRST
    mode = modes.ECB() if is_first else modes.CBC(bytes(BLOCK_SIZE))  # noqa: S305
    plain = Cipher(TripleDES(key + key[:8]), mode).decryptor().update(data)
    if not is_first:
        return plain
    return plain[1 : 1 + plain[0]]


def _put_data(state: ChipState, command: CardCommand, data: bytes) -> Memory | int:
    tag = f"{command.p1:02X}{command.p2:02X}"
    if tag not in PUT_ALLOWED:
        return apdu.DATA_NOT_FOUND
    if len(data) != PUT_ALLOWED[tag]:
        return apdu.WRONG_LENGTH
    counters_reset = replace(state.memory, offline_in_a_row=0, offline_amount=0)
    return replace(counters_reset, data={**state.memory.data, tag: data})


EFFECTS: Mapping[int, Effect] = {
    0x16: _block_card,
    0x18: _unblock_application,
    0x1E: _block_application,
    0x24: _change_pin,
    0xDA: _put_data,
}
