"""GENERATE AC and EXTERNAL AUTHENTICATE: the card's decision about a payment.

First cryptogram: the card gives what was asked for or less (TC, then ARQC, then AAC). Second: it
approves if the terminal asks for it and the issuer, if it answered, is genuine.
Source: EMV Book 2, 6.6 and 8; EMV Book 3, 6.5.4, 6.5.5 and 9.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.card.cryptograms import (
    SIGNED,
    VERSIONS,
    cryptogram,
    dynamic_number,
    is_issuer_answer,
)
from pos_emulator.card.issuer_data import (
    AAC,
    ARQC,
    TC,
    issuer_data,
    lower_limit_exceeded,
    upper_limit_exceeded,
)
from pos_emulator.card.records import ChipStage, ChipState, Interface, Memory
from pos_emulator.card.rsa import sign_dynamic_data
from pos_emulator.card.selection import LOG_RECORDS_MAX, Answer
from pos_emulator.dol import fill_dol, split_dol
from pos_emulator.tags import fitted
from pos_emulator.tlv import TlvError, build, object_bytes

KIND_MASK = 0xC0
CDA = 0x10
AWAY = (b"Y3", b"Z3")
CRYPTOGRAM_SIZE = 8
MOST: Mapping[str, int] = {"TC": TC, "ARQC": ARQC, "AAC": AAC}
RANK: Mapping[int, int] = {AAC: 0, ARQC: 1, TC: 2}
SIZES: Mapping[str, int] = {
    "9F02": 6, "9F03": 6, "9F1A": 2, "95": 5, "5F2A": 2, "9A": 3, "9C": 1, "9F37": 4, "82": 2,
    "9F36": 2,
}  # fmt: skip
# Bits of the card status update in the issuer's answer of method 2.
APPROVES, BLOCKS_CARD, BLOCKS_APPLICATION, SETS_TRIES = 0x80, 0x40, 0x20, 0x10


def generate_ac(state: ChipState, command: CardCommand) -> Answer:
    """The first cryptogram of a payment, or the second if the first asked to go online."""
    kind = command.p1 & KIND_MASK
    if command.p2 != 0 or kind not in RANK or command.p1 & ~(KIND_MASK | CDA):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    is_first = state.session.stage is ChipStage.STARTED
    if not is_first and state.session.stage is not ChipStage.REQUESTED:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    dol = state.chip.cdol1 if is_first else state.chip.cdol2
    try:
        values = {**state.session.values, **split_dol(dol, command.data)}
    except TlvError:
        return state, CardResponse(apdu.WRONG_LENGTH)
    hashed = state.session.hashed + command.data
    state = replace(state, session=replace(state.session, values=values, hashed=hashed))
    with_signature = bool(command.p1 & CDA)
    return (_first if is_first else _second)(state, kind, with_signature)


def external_authenticate(state: ChipState, command: CardCommand) -> Answer:
    """Check the issuer's answer; once for each payment."""
    if (command.p1, command.p2) != (0, 0):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    session = state.session
    if session.stage is not ChipStage.REQUESTED or session.issuer_checked is not None:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    if not 8 <= len(command.data) <= 16:
        return state, CardResponse(apdu.WRONG_LENGTH)
    state = check_issuer(state, command.data)
    is_genuine = state.session.issuer_checked
    return state, CardResponse(apdu.OK if is_genuine else apdu.AUTHENTICATION_FAILED)


def check_issuer(state: ChipState, answer: bytes) -> ChipState:
    """The card after issuer authentication data (91) came: genuine or not, it remembers."""
    session = state.session
    is_genuine = not state.refuses_issuer and is_issuer_answer(
        state.chip.cvn,
        state.chip.keys.cryptograms,
        request=session.request,
        counter=state.counter,
        answer=answer,
    )
    update = answer[4:8] if is_genuine and VERSIONS[state.chip.cvn].method == 2 else b""
    return replace(
        state,
        session=replace(session, issuer_checked=is_genuine, status_update=update),
        memory=replace(state.memory, issuer_failed=not is_genuine),
    )


def _first(state: ChipState, asked: int, with_signature: bool) -> Answer:
    kind = _less_of(asked, MOST[state.chip.answers])
    must_ask = state.session.was_online_pending or lower_limit_exceeded(state)
    if kind == TC and must_ask:
        kind = ARQC
    state, code, data = seal(state, kind)
    stage = ChipStage.REQUESTED if kind == ARQC else ChipStage.DONE
    state = replace(state, session=replace(state.session, first=kind, request=code, stage=stage))
    state = replace(state, memory=_memory_after_first(state, kind))
    return state, _cryptogram_answer(state, kind, code, data, with_signature=with_signature)


def _less_of(asked: int, most: int) -> int:
    return asked if RANK[asked] <= RANK[most] else most


def _memory_after_first(state: ChipState, kind: int) -> Memory:
    if kind == ARQC:
        # After a tap no second cryptogram is asked for, so nothing is waited for.
        is_contact = state.session.interface is Interface.CONTACT
        return replace(state.memory, online_pending=True) if is_contact else state.memory
    return count_offline(state) if kind == TC else state.memory


def count_offline(state: ChipState) -> Memory:
    """The counters after an approval without the issuer."""
    memory = state.memory
    return replace(
        memory,
        offline_in_a_row=min(memory.offline_in_a_row + 1, 255),
        offline_amount=memory.offline_amount + _amount(state),
        log=_logged(state),
    )


def _second(state: ChipState, asked: int, with_signature: bool) -> Answer:
    values = state.session.values
    is_away = values.get("8A") in AWAY
    answer = values.get("91", b"")
    if not is_away and any(answer) and state.session.issuer_checked is None:
        state = check_issuer(state, answer)
    kind = TC if asked == TC and _may_approve(state, is_away=is_away) else AAC
    first = state.session.first or AAC
    data = issuer_data(state, first=first, second=kind, offline=is_away)
    code = _code(state, data)
    memory = _memory_after_second(state, kind, is_away=is_away)
    state = replace(state, memory=memory, session=replace(state.session, stage=ChipStage.DONE))
    return state, _cryptogram_answer(state, kind, code, data, with_signature=with_signature)


def _may_approve(state: ChipState, *, is_away: bool) -> bool:
    if is_away:
        return state.chip.answers == "TC" and not upper_limit_exceeded(state)
    if state.session.issuer_checked is False:
        return False
    update = state.session.status_update
    return not update or bool(update[1] & APPROVES)


def _memory_after_second(state: ChipState, kind: int, *, is_away: bool) -> Memory:
    memory = replace(state.memory, online_pending=False)
    if is_away:
        counted = count_offline(state) if kind == TC else state.memory
        return replace(counted, online_pending=True)
    if kind == TC:
        memory = replace(memory, log=_logged(state))
    if state.session.issuer_checked:
        memory = replace(
            memory,
            last_online_atc=memory.atc,
            offline_in_a_row=0,
            offline_amount=0,
            scripts=0,
            script_failed=False,
        )
    return _updated(state, memory)


def _updated(state: ChipState, memory: Memory) -> Memory:
    update = state.session.status_update
    if not update:
        return memory
    if update[1] & SETS_TRIES and state.chip.pin_tries is not None:
        memory = replace(memory, pin_tries=update[0] & 0x0F)
    if update[1] & BLOCKS_CARD:
        memory = replace(memory, card_blocked=True)
    if update[1] & BLOCKS_APPLICATION and state.session.application is not None:
        aid = state.chip.applications[state.session.application].aid.hex().upper()
        memory = replace(memory, blocked=(*memory.blocked, aid))
    return memory


def _amount(state: ChipState) -> int:
    digits = state.session.values.get("9F02", b"").hex()
    return int(digits) if digits.isdecimal() else 0


def _logged(state: ChipState) -> tuple[bytes, ...]:
    values = {**state.session.values, "9F36": state.counter}
    return (fill_dol(state.chip.log_format, values), *state.memory.log)[:LOG_RECORDS_MAX]


def seal(state: ChipState, kind: int) -> tuple[ChipState, bytes, bytes]:
    """The first cryptogram of this kind, and the issuer application data under it."""
    data = issuer_data(state, first=kind)
    return state, _code(state, data), data


def _code(state: ChipState, data: bytes) -> bytes:
    options = state.options
    known = {
        **state.session.values, "82": options.aip if options else b"", "9F36": state.counter,
    }  # fmt: skip
    values = {tag: fitted(tag, known.get(tag, b""), SIZES[tag]) for tag in SIGNED}
    return cryptogram(state.chip.cvn, state.chip.keys.cryptograms, values, data)


def _cryptogram_answer(
    state: ChipState, kind: int, code: bytes, data: bytes, *, with_signature: bool
) -> CardResponse:
    described = (("9F27", bytes([kind])), ("9F36", state.counter))
    if with_signature and state.chip.rsa and kind != AAC:
        shown = (*described, ("9F10", data))
        signature = _signature(state, kind, code, build(*shown))
        content = build(*described, ("9F4B", signature), ("9F10", data))
        return CardResponse(apdu.OK, object_bytes("77", content))
    if state.chip.scheme == "1":
        content = bytes([kind]) + state.counter + code + data
        return CardResponse(apdu.OK, object_bytes("80", content))
    content = build(*described, ("9F26", code), ("9F10", data))
    return CardResponse(apdu.OK, object_bytes("77", content))


def _signature(state: ChipState, kind: int, code: bytes, shown: bytes) -> bytes:
    """Signed dynamic data with the cryptogram inside (CDA)."""
    assert state.chip.rsa is not None
    transaction = hashlib.sha1(state.session.hashed + shown, usedforsecurity=False).digest()
    number = dynamic_number(state.chip.keys.integrity, counter=state.counter, purpose=kind)
    content = bytes([len(number)]) + number + bytes([kind]) + code + transaction
    return sign_dynamic_data(
        state.chip.rsa, dynamic_data=content, terminal_data=state.session.values["9F37"]
    )
