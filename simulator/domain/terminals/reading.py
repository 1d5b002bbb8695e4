"""A payment at a terminal: its parameters as those of a card, and as fields of a card message.

Source: Point of sale. Choices: D-406, D-410, D-411, D-436.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simulator.catalogue.messages.terminals import (
    CHIP_BYTES_MAX,
    CRYPTOGRAM,
    CRYPTOGRAM_BYTES,
    CRYPTOGRAM_KIND,
    ENTRY_MODES,
    KIND_BITS,
    NOT_IN_FIELD_55,
    OFFLINE_APPROVALS,
    PIN_CAPABILITIES,
    PIN_FORMAT,
    RESPONSE_CODE,
    TRANSACTION_CERTIFICATE,
)
from simulator.domain.acquiring.terminal_data import READ_BY_CHIP, TerminalData
from simulator.domain.core.errors import Violations
from simulator.domain.terminals.accounts import TerminalAccount
from simulator.domain.terminals.tlv import elements_of, without, written
from simulator.grammar.violations import Violation

# A payment with it was sent by a terminal.
ENTRY_MODE, TERMINAL_ID = "pos.entryMode", "pos.terminalId"
SRED, SRED_SERIAL = "pos.encryptedSred.data", "pos.encryptedSred.ksn"
PIN, PIN_SERIAL = "pos.encryptedPin.data", "pos.encryptedPin.ksn"
CHIP, SEQUENCE = "pos.iccDataRequest", "pos.panSequenceNumber"
TYPED_IN = "MANUAL"
KEPT_OUT = frozenset(map(bytes.fromhex, NOT_IN_FIELD_55))
RESPONSE, PROOF, KIND = map(bytes.fromhex, (RESPONSE_CODE, CRYPTOGRAM, CRYPTOGRAM_KIND))
HEX = re.compile("(?:[0-9A-Fa-f]{2})+")
TERMINAL_DIGITS, SEQUENCE_DIGITS = 8, 3


class ChipData(NamedTuple):
    """What goes to the issuer, as hex; and whether the card has approved already."""

    tags: str
    is_offline: bool


def bytes_in(sent: Mapping[str, str], field: str) -> bytes:
    """What a parameter holds in hex. Raises Violations."""
    if HEX.fullmatch(sent[field]) is None:
        raise violation(field, "must be bytes in hex")
    return bytes.fromhex(sent[field])


def violation(field: str, rule: str, decision: str = "D-410") -> Violations:
    """A parameter that breaks a rule; its value is not repeated."""
    return Violations([Violation(field, None, rule, decision)])


def with_account(sent: Mapping[str, str], account: TerminalAccount) -> dict[str, str]:
    """The parameters of a payment with a card in place of what the terminal encrypted."""
    found = {name: value for name, value in sent.items() if name != SRED}
    found["card.number"] = account.number
    found["card.expiryMonth"], found["card.expiryYear"] = account.month, account.year
    if account.holder is not None:
        found["card.holder"] = account.holder
    if account.code is not None:
        found["card.cvv"] = account.code
    return found


def chip_data(sent: Mapping[str, str]) -> ChipData | None:
    """The data of the chip without what may not travel in the clear. Raises Violations."""
    if CHIP not in sent:
        return None
    data = bytes_in(sent, CHIP)
    try:
        elements = elements_of(data)
        left = without(elements, KEPT_OUT)
    except ValueError as error:
        raise violation(CHIP, f"must be tags, lengths and values: {error}") from None
    kept = data if left is elements else written(left)
    if len(kept) > CHIP_BYTES_MAX:
        raise violation(CHIP, f"must be {CHIP_BYTES_MAX} bytes at most without account data")
    return ChipData(kept.hex().upper(), _is_approved_by_card(left))


def _is_approved_by_card(elements: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether the card approved offline: the response code says so, and its certificate is there.
    Whether that is genuine is for the issuer to find.
    """
    if not any(tag == RESPONSE and value in OFFLINE_APPROVALS for tag, value in elements):
        return False
    values = dict(elements)
    kind, proof = values.get(KIND, b""), values.get(PROOF, b"")
    is_certificate = len(kind) == 1 and kind[0] & KIND_BITS == TRANSACTION_CERTIFICATE
    return is_certificate and len(proof) == CRYPTOGRAM_BYTES


def terminal_data(
    sent: Mapping[str, str],
    *,
    account: TerminalAccount | None = None,
    chip: ChipData | None = None,
    pin_block: str | None = None,
) -> TerminalData:
    """What the acquirer gets of a payment at a terminal."""
    mode = sent[ENTRY_MODE]
    sequence = sent.get(SEQUENCE) or (None if account is None else account.sequence)
    is_typed = mode == TYPED_IN
    return TerminalData(
        entry_mode=ENTRY_MODES[mode] + PIN_CAPABILITIES[sent.get("pos.pinEntryCapability")],
        terminal=sent[TERMINAL_ID].zfill(TERMINAL_DIGITS)[-TERMINAL_DIGITS:],
        sequence=None if sequence is None else sequence.zfill(SEQUENCE_DIGITS)[-SEQUENCE_DIGITS:],
        track=None if account is None or is_typed else account.track,
        pin_block=pin_block,
        pin_format=None if pin_block is None else PIN_FORMAT,
        chip=None if chip is None or not chip.tags else chip.tags,
        is_offline=chip is not None and chip.is_offline and ENTRY_MODES[mode] in READ_BY_CHIP,
    )
