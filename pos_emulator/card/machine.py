"""The card: a pure function from its state and a command to its state and a response.

It holds no clock, no chance and no storage. Input of any kind is answered with a status word.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import ApduError, CardCommand, CardResponse, parse_command
from pos_emulator.card.cryptograms import dynamic_number
from pos_emulator.card.generate import external_authenticate, generate_ac
from pos_emulator.card.pin import get_challenge, verify
from pos_emulator.card.records import ChipStage, ChipState, Protocol
from pos_emulator.card.rsa import sign_dynamic_data
from pos_emulator.card.scripts import EFFECTS, run_script
from pos_emulator.card.selection import Answer, get_data, read_record, select
from pos_emulator.card.tap import compute_checksum, get_processing_options
from pos_emulator.dol import length_of
from pos_emulator.tlv import build, object_bytes

PLAIN, PROPRIETARY, SECURE = 0x00, 0x80, 0x84
CHALLENGED_SIZE_MAX = 252

Handler = Callable[[ChipState, CardCommand], Answer]


def answer(state: ChipState, command: bytes) -> tuple[ChipState, bytes]:
    """The state after a command, and the response to it, both as the interface carries them."""
    try:
        read = parse_command(command)
    except ApduError:
        return state, CardResponse(apdu.WRONG_LENGTH).encode()
    if (read.cla, read.ins) == (PLAIN, 0xC0):
        return _hand_over(state, read)
    state = replace(state, session=replace(state.session, waiting=b""))
    handler = HANDLERS.get((read.cla, read.ins))
    if handler is None:
        return state, _not_supported(read).encode()
    state, response = handler(state, read)
    return _carried(state, read, response)


def _not_supported(command: CardCommand) -> CardResponse:
    is_known_class = command.cla in (PLAIN, PROPRIETARY, SECURE)
    return CardResponse(apdu.INS_NOT_SUPPORTED if is_known_class else apdu.CLA_NOT_SUPPORTED)


def _carried(
    state: ChipState, command: CardCommand, response: CardResponse
) -> tuple[ChipState, bytes]:
    """The response as the card's protocol brings it: T=0 makes the terminal fetch it."""
    if state.chip.protocol is Protocol.T1 or not response.data:
        return state, response.encode()
    size = len(response.data) & 0xFF
    if command.data:
        waiting = replace(state.session, waiting=response.encode())
        return replace(state, session=waiting), CardResponse(apdu.BYTES_LEFT | size).encode()
    if command.expected != size:
        return state, CardResponse(apdu.LENGTH_IS | size).encode()
    return state, response.encode()


def _hand_over(state: ChipState, command: CardCommand) -> tuple[ChipState, bytes]:
    waiting = state.session.waiting
    if not waiting:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET).encode()
    size = (len(waiting) - 2) & 0xFF
    if command.expected != size:
        return state, CardResponse(apdu.LENGTH_IS | size).encode()
    return replace(state, session=replace(state.session, waiting=b"")), waiting


def internal_authenticate(state: ChipState, command: CardCommand) -> Answer:
    """Sign the terminal's number: dynamic data authentication. Source: EMV Book 2, 6.5."""
    if (command.p1, command.p2) != (0, 0):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if state.chip.rsa is None:
        return state, CardResponse(apdu.INS_NOT_SUPPORTED)
    if state.session.stage is not ChipStage.STARTED:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    wanted = length_of(state.chip.ddol)
    if not command.data or (wanted and len(command.data) != wanted):
        return state, CardResponse(apdu.WRONG_LENGTH)
    number = dynamic_number(state.chip.keys.integrity, counter=state.counter, purpose=0xDD)
    signature = sign_dynamic_data(
        state.chip.rsa,
        dynamic_data=bytes([len(number)]) + number,
        terminal_data=command.data,
    )
    state = replace(state, session=replace(state.session, dda_done=True))
    if state.chip.scheme == "1":
        return state, CardResponse(apdu.OK, object_bytes("80", signature))
    return state, CardResponse(apdu.OK, object_bytes("77", build(("9F4B", signature))))


HANDLERS: Mapping[tuple[int, int], Handler] = {
    (PLAIN, 0xA4): select,
    (PLAIN, 0xB2): read_record,
    (PLAIN, 0x20): verify,
    (PLAIN, 0x84): get_challenge,
    (PLAIN, 0x88): internal_authenticate,
    (PLAIN, 0x82): external_authenticate,
    (PROPRIETARY, 0xA8): get_processing_options,
    (PROPRIETARY, 0xCA): get_data,
    (PROPRIETARY, 0xAE): generate_ac,
    (PROPRIETARY, 0x2A): compute_checksum,
    **{(SECURE, instruction): run_script for instruction in EFFECTS},
}
