"""Issuer application data (9F10): what the card reports to its issuer about this payment.

The card writes its verification results (CVR) into the data it was personalized with; the layout
depends on scheme and length.
"""

from pos_emulator.card.records import ChipState

NOT_REQUESTED = 0x80
LONG_FORM = 32
AAC, TC, ARQC = 0x00, 0x40, 0x80


def issuer_data(
    state: ChipState, *, first: int, second: int | None = None, offline: bool = False
) -> bytes:
    """9F10 for a cryptogram; `first` and `second` are kinds, `offline`: the host was away."""
    template = bytearray(state.chip.issuer_data)
    second_bits = NOT_REQUESTED if second is None else second
    answers = second_bits | first >> 2
    if state.chip.scheme == "2":
        template[2:8] = _results_of_scheme_2(state, answers, offline=offline)
        if len(template) >= LONG_FORM // 2 + 2:
            template[10:18] = _counters(state)
    elif len(template) == LONG_FORM:
        template[3:8] = b"\x00" + _results_of_scheme_1(state, answers, offline=offline) + b"\x00"
    else:
        template[4:7] = _results_of_scheme_1(state, answers, offline=offline)
    return bytes(template)


def lower_limit_exceeded(state: ChipState) -> bool:
    """Whether more payments in a row were offline than the lower limit (9F14) allows."""
    limit = _limit(state, "9F14")
    return limit is not None and state.memory.offline_in_a_row >= limit


def upper_limit_exceeded(state: ChipState) -> bool:
    """Whether more payments in a row were offline than the upper limit (9F23) allows."""
    limit = _limit(state, "9F23")
    return limit is not None and state.memory.offline_in_a_row >= limit


def _limit(state: ChipState, tag: str) -> int | None:
    value = state.memory.data.get(tag, state.chip.limits.get(tag))
    return value[0] if value else None


def _results_of_scheme_1(state: ChipState, answers: int, *, offline: bool) -> bytes:
    memory, session = state.memory, state.session
    exceeded = lower_limit_exceeded(state)
    return bytes([
        answers
        | 0x08 * (session.issuer_checked is False)
        | 0x04 * (session.pin_checked is not None)
        | 0x02 * (session.pin_checked is False)
        | 0x01 * offline,
        0x80 * session.was_online_pending
        | 0x40 * _is_pin_blocked(state)
        | 0x20 * exceeded
        | 0x10 * (memory.last_online_atc == 0)
        | 0x08 * memory.issuer_failed,
        min(memory.scripts, 15) << 4 | 0x08 * memory.script_failed | 0x02 * session.dda_done,
    ])  # fmt: skip


def _results_of_scheme_2(state: ChipState, answers: int, *, offline: bool) -> bytes:
    memory, session = state.memory, state.session
    return bytes([
        answers
        | 0x04 * (session.pin_checked is not None)
        | 0x01 * (session.pin_checked is True),
        0x80 * session.dda_done | 0x10 * (session.issuer_checked is not None),
        min(memory.scripts, 15) << 4 | min(memory.pin_tries, 15),
        0x80 * session.was_online_pending
        | 0x40 * offline
        | 0x20 * (session.pin_checked is None)
        | 0x10 * (session.pin_checked is False)
        | 0x08 * _is_pin_blocked(state),
        0x80 * lower_limit_exceeded(state)
        | 0x40 * upper_limit_exceeded(state)
        | 0x04 * (session.issuer_checked is False or memory.issuer_failed)
        | 0x02 * (memory.scripts > 0)
        | 0x01 * memory.script_failed,
        0x00,
    ])  # fmt: skip


def _counters(state: ChipState) -> bytes:
    amount = min(state.memory.offline_amount, 10**12 - 1)
    row = min(state.memory.offline_in_a_row, 255)
    return bytes.fromhex(f"{amount:012d}") + bytes([row, 0xFF])


def _is_pin_blocked(state: ChipState) -> bool:
    return state.chip.pin_tries is not None and state.memory.pin_tries == 0
