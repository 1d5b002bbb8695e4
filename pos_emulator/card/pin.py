"""VERIFY and GET CHALLENGE: the PIN that the card itself checks.

The try counter goes down before the PIN is compared, so that pulling the card gains nothing.
Source: EMV Book 3, 6.5.12; EMV Book 2, 7.
"""

import hmac
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.card.cryptograms import dynamic_number
from pos_emulator.card.personalization import pin_digest
from pos_emulator.card.records import ChipStage, ChipState
from pos_emulator.card.selection import Answer

PLAIN, ENCIPHERED = 0x80, 0x88
BLOCK_SIZE = 8
CHALLENGE_SIZE = 8
ENCIPHERED_HEADER = 0x7F
PIN_SIZES = range(4, 13)
CHALLENGES_MAX = 200


def verify(state: ChipState, command: CardCommand) -> Answer:
    """Check a PIN block, plain or enciphered under the card's public key."""
    if state.session.stage is ChipStage.IDLE:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    if command.p1 != 0 or command.p2 not in (PLAIN, ENCIPHERED):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if state.chip.pin_tries is None:
        return state, CardResponse(apdu.DATA_NOT_FOUND)
    if state.memory.pin_tries == 0:
        return _noted(state, False), CardResponse(apdu.PIN_BLOCKED)
    if command.p2 == PLAIN:
        return _compare(state, command.data)
    return _decipher(state, command.data)


def get_challenge(state: ChipState, command: CardCommand) -> Answer:
    """Eight unpredictable bytes, valid for the next enciphered PIN."""
    if (command.p1, command.p2) != (0, 0) or command.data:
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if state.session.stage is ChipStage.IDLE or state.session.challenges >= CHALLENGES_MAX:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    count = state.session.challenges + 1
    challenge = dynamic_number(
        state.chip.keys.confidentiality, counter=state.counter, purpose=count
    )
    session = replace(state.session, challenge=challenge, challenges=count)
    return replace(state, session=session), CardResponse(apdu.OK, challenge)


def _decipher(state: ChipState, data: bytes) -> Answer:
    key, challenge = state.chip.rsa, state.session.challenge
    used = replace(state, session=replace(state.session, challenge=b""))
    if not challenge:
        return used, CardResponse(apdu.REFERENCE_INVALIDATED)
    if key is None:
        return used, CardResponse(apdu.DATA_NOT_FOUND)
    if len(data) != key.size or int.from_bytes(data, "big") >= key.modulus:
        return used, CardResponse(apdu.WRONG_LENGTH)
    block = key.apply(data)
    content = block[1 : 1 + BLOCK_SIZE]
    returned = block[1 + BLOCK_SIZE : 1 + BLOCK_SIZE + CHALLENGE_SIZE]
    if block[0] != ENCIPHERED_HEADER or not hmac.compare_digest(returned, challenge):
        return used, CardResponse(apdu.REFERENCE_INVALIDATED)
    return _compare(used, content)


def _compare(state: ChipState, block: bytes) -> Answer:
    if len(block) != BLOCK_SIZE:
        return state, CardResponse(apdu.WRONG_LENGTH)
    left = state.memory.pin_tries - 1
    state = replace(state, memory=replace(state.memory, pin_tries=left))
    expected = state.memory.pin_check or state.chip.pin_check
    pin = _pin_in(block)
    if pin is None or not hmac.compare_digest(pin_digest(state.chip.keys, pin), expected):
        refusal = CardResponse(apdu.TRIES_LEFT | min(left, 15))
        return _noted(state, False), refusal
    restored = replace(state.memory, pin_tries=state.chip.pin_tries or 0)
    return _noted(replace(state, memory=restored), True), CardResponse(apdu.OK)


def _pin_in(block: bytes) -> str | None:
    digits = block.hex().upper()
    size = int(digits[1], 16)
    pin, rest = digits[2 : 2 + size], digits[2 + size :]
    if digits[0] != "2" or size not in PIN_SIZES or not pin.isdecimal() or rest.strip("F"):
        return None
    return pin


def _noted(state: ChipState, is_right: bool) -> ChipState:
    return replace(state, session=replace(state.session, pin_checked=is_right))
