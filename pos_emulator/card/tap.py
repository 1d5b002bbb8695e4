"""What a card answers to a tap: a cryptogram at once, or dynamic digits for track 2.

Source: EMV contactless Book C-3 (one tap, fast DDA) and Book C-2 (magstripe mode).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pyemv import cvv

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.bits import Ttq, is_set
from pos_emulator.card.cryptograms import dynamic_number
from pos_emulator.card.generate import count_offline, seal
from pos_emulator.card.issuer_data import ARQC, TC, lower_limit_exceeded
from pos_emulator.card.records import ChipStage, ChipState, Interface, Options
from pos_emulator.card.rsa import sign_dynamic_data
from pos_emulator.card.selection import Answer, options_answer, start
from pos_emulator.dol import length_of
from pos_emulator.tlv import build, object_bytes

FAST_DDA_VERSION = b"\x01"
CHECKSUM_P1, CHECKSUM_P2 = 0x8E, 0x80


def get_processing_options(state: ChipState, command: CardCommand) -> Answer:
    """Start a payment: the way to the records, or after a tap the cryptogram itself."""
    started = start(state, command)
    if isinstance(started, CardResponse):
        return state, started
    state, values = started
    options, tap = state.options, state.chip.tap
    assert options is not None
    is_tap = state.session.interface is Interface.CONTACTLESS
    if not is_tap or tap is None or not length_of(options.pdol):
        return state, options_answer(state, options)
    return _tapped(state, options, values)


def _tapped(state: ChipState, options: Options, values: Mapping[str, bytes]) -> Answer:
    rules = state.chip.tap
    assert rules is not None
    qualifiers = values.get("9F66", b"")
    must_ask = is_set(qualifiers, Ttq.ONLINE_CRYPTOGRAM_REQUIRED) or lower_limit_exceeded(state)
    kind = ARQC if must_ask or state.chip.answers != "TC" or state.chip.rsa is None else TC
    is_above = is_set(qualifiers, Ttq.CVM_REQUIRED)
    wishes = rules.ctq_above if is_above else rules.ctq
    state, code, data = seal(state, kind)
    session = replace(state.session, stage=ChipStage.DONE, first=kind, request=code)
    state = replace(state, session=session)
    parts = [
        ("82", options.aip), ("57", state.chip.track2), ("5F34", state.chip.sequence),
        ("9F10", data), ("9F26", code), ("9F27", bytes([kind])), ("9F36", state.counter),
        ("9F6C", wishes),
    ]  # fmt: skip
    if rules.currency:
        parts.append(("9F42", rules.currency))
    if kind == TC:
        state = replace(state, memory=count_offline(state))
        parts += [("94", options.afl), *_signed(state, values, wishes)]
    return state, CardResponse(apdu.OK, object_bytes("77", build(*parts)))


def _signed(
    state: ChipState, values: Mapping[str, bytes], wishes: bytes
) -> Iterator[tuple[str, bytes]]:
    """Fast DDA: the card signs what the terminal said and what it wants itself."""
    assert state.chip.rsa is not None
    number = dynamic_number(state.chip.keys.integrity, counter=state.counter, purpose=1)[:4]
    related = FAST_DDA_VERSION + number + wishes
    said = b"".join(values.get(tag, b"") for tag in ("9F37", "9F02", "5F2A"))
    yield "9F69", related
    yield (
        "9F4B",
        sign_dynamic_data(
            state.chip.rsa,
            dynamic_data=bytes([len(state.counter)]) + state.counter,
            terminal_data=said + related,
        ),
    )


def compute_checksum(state: ChipState, command: CardCommand) -> Answer:
    """Magstripe mode: the dynamic code (CVC3) for this transaction counter and number."""
    tap, stage = state.chip.tap, state.session.stage
    is_tap = state.session.interface is Interface.CONTACTLESS
    if not is_tap or tap is None or not tap.is_magstripe or stage is not ChipStage.STARTED:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    if (command.p1, command.p2) != (CHECKSUM_P1, CHECKSUM_P2):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if len(command.data) != 4:
        return state, CardResponse(apdu.WRONG_LENGTH)
    code = cvv.generate_cvc3(
        state.chip.keys.magstripe_code, tap.magstripe_template, state.counter, command.data
    )
    content = build(("9F61", int(code).to_bytes(2, "big")), ("9F36", state.counter))
    state = replace(state, session=replace(state.session, stage=ChipStage.DONE))
    return state, CardResponse(apdu.OK, object_bytes("77", content))
