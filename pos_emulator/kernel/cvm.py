"""Cardholder verification: the card's list of methods, tried in its order.

Source: EMV Book 3, 10.5 and annex C3.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand
from pos_emulator.bits import Aip, Capability, Tsi, Tvr, cvm_words, is_set
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.enciphered_pin import encipher_block
from pos_emulator.kernel.records import CardResult, EndError, PinPrompt, PinStatus, SaleKind
from pos_emulator.tlv import TlvError, find, parse

CODE_MASK, APPLY_NEXT = 0x3F, 0x40
AMOUNTS_SIZE = 8
FAIL, PLAIN, ONLINE, PLAIN_SIGNED, ENCIPHERED, ENCIPHERED_SIGNED = range(6)
SIGNATURE, NONE = 0x1E, 0x1F
NOT_PERFORMED = bytes.fromhex("3F0000")
NO_MATCH = bytes.fromhex("3F0001")
UNKNOWN, FAILED, SUCCESSFUL = 0, 1, 2
PROMPTS_MAX = 16
KEY_SIZE_MIN, CHALLENGE_SIZE = 64, 8
# fmt: off
NEEDS: Mapping[int, tuple[Capability, ...]] = {
    PLAIN:             (Capability.PLAIN_OFFLINE_PIN,),
    ONLINE:            (Capability.ONLINE_PIN,),
    PLAIN_SIGNED:      (Capability.PLAIN_OFFLINE_PIN, Capability.SIGNATURE),
    ENCIPHERED:        (Capability.ENCIPHERED_OFFLINE_PIN,),
    ENCIPHERED_SIGNED: (Capability.ENCIPHERED_OFFLINE_PIN, Capability.SIGNATURE),
    SIGNATURE:         (Capability.SIGNATURE,),
    NONE:              (Capability.NO_CVM,),
}
# fmt: on
PIN_METHODS = frozenset({PLAIN, ONLINE, PLAIN_SIGNED, ENCIPHERED, ENCIPHERED_SIGNED})


class CvmRule(NamedTuple):
    """A method, whether the next one follows its failure, and when it applies."""

    code: int
    has_next: bool
    condition: int


class Amounts(NamedTuple):
    """X and Y of the list, in minor units of the application's currency."""

    x: int
    y: int


class CvmVerdict(Enum):
    """What became of a method."""

    DONE = SUCCESSFUL
    LATER = UNKNOWN
    NOT_DONE = FAILED


def verify_holder(dialog: Dialog) -> None:
    """Verify the holder, and note method and result. Raises EndError if the holder cancels."""
    listed = dialog.values.get("8E", b"")
    if not dialog.has(Aip.CVM_SUPPORTED):
        return
    dialog.note(Tsi.CVM_PERFORMED)
    if len(listed) <= AMOUNTS_SIZE or len(listed) % 2:
        dialog.note(Tvr.ICC_DATA_MISSING)
        dialog.values["9F34"] = NOT_PERFORMED
        return
    amounts = Amounts(int.from_bytes(listed[:4], "big"), int.from_bytes(listed[4:8], "big"))
    for rule in _rules(listed):
        if not _applies(dialog, rule, amounts):
            continue
        verdict = _perform(dialog, rule)
        _keep(dialog, rule, verdict)
        if verdict is not CvmVerdict.NOT_DONE:
            return
        if not rule.has_next or rule.code == FAIL:
            dialog.note(Tvr.CVM_FAILED)
            return
    dialog.note(Tvr.CVM_FAILED)
    if dialog.values["9F34"] == NOT_PERFORMED:
        dialog.values["9F34"] = NO_MATCH


def _rules(listed: bytes) -> Iterator[CvmRule]:
    for at in range(AMOUNTS_SIZE, len(listed), 2):
        method, condition = listed[at], listed[at + 1]
        yield CvmRule(method & CODE_MASK, bool(method & APPLY_NEXT), condition)


def _keep(dialog: Dialog, rule: CvmRule, verdict: CvmVerdict) -> None:
    method = rule.code | (APPLY_NEXT if rule.has_next else 0)
    dialog.values["9F34"] = bytes([method, rule.condition, verdict.value])
    dialog.say(f"{cvm_words(method, rule.condition)}: {verdict.name.lower()}", step="verification")


def _applies(dialog: Dialog, rule: CvmRule, amounts: Amounts) -> bool:
    payment = dialog.payment
    is_cash, is_cashback = (
        payment.kind is SaleKind.CASH,
        payment.kind is SaleKind.CASHBACK,
    )
    is_same = dialog.values.get("9F42") == dialog.values["5F2A"]
    total = payment.amount + payment.cashback
    conditions = (
        True,
        is_cash and dialog.terminal.is_unattended,
        not is_cash and not is_cashback,
        _is_supported(dialog, rule.code),
        is_cash and not dialog.terminal.is_unattended,
        is_cashback,
        is_same and total < amounts.x,
        is_same and total > amounts.x,
        is_same and total < amounts.y,
        is_same and total > amounts.y,
    )
    return rule.condition < len(conditions) and conditions[rule.condition]


def _is_supported(dialog: Dialog, code: int) -> bool:
    needed = NEEDS.get(code)
    capabilities = dialog.terminal.capabilities
    return needed is not None and all(is_set(capabilities, bit) for bit in needed)


def _perform(dialog: Dialog, rule: CvmRule) -> CvmVerdict:
    code = rule.code
    if code == FAIL:
        return CvmVerdict.NOT_DONE
    if code not in NEEDS:
        dialog.note(Tvr.CVM_UNRECOGNIZED)
        return CvmVerdict.NOT_DONE
    if not _is_supported(dialog, code):
        if code in PIN_METHODS:
            dialog.note(Tvr.PIN_PAD_FAILED)
        return CvmVerdict.NOT_DONE
    if code in PIN_METHODS and dialog.method_bypassed:
        return CvmVerdict.NOT_DONE
    if code == ONLINE:
        return _online_pin(dialog)
    verdict = _offline_pin(dialog, code) if code in PIN_METHODS else CvmVerdict.DONE
    needs_signature = Capability.SIGNATURE in NEEDS[code]
    if needs_signature and verdict is CvmVerdict.DONE:
        dialog.needs_signature = True
        return CvmVerdict.LATER
    return verdict


def _online_pin(dialog: Dialog) -> CvmVerdict:
    if dialog.asks_pin_later:
        dialog.note(Tvr.ONLINE_CVM_CAPTURED)
        return CvmVerdict.LATER
    block = ask_online_pin(dialog)
    if block is None:
        return CvmVerdict.NOT_DONE
    dialog.pin = block
    dialog.note(Tvr.ONLINE_CVM_CAPTURED)
    return CvmVerdict.LATER


def ask_online_pin(dialog: Dialog) -> bytes | None:
    """The enciphered block of the PIN that the holder entered; None if there is none."""
    return _ask(dialog, is_online=True, tries_left=None)


def _ask(dialog: Dialog, *, is_online: bool, tries_left: int | None) -> bytes | None:
    payment = dialog.payment
    prompt = PinPrompt(payment.amount + payment.cashback, payment.currency, is_online, tries_left)
    entry = dialog.devices.pin_pad.ask(prompt, dialog.account_number())
    dialog.say(f"PIN {entry.status.value}", step="PIN pad")
    if entry.status is PinStatus.CANCELED:
        raise EndError(CardResult.CANCELED, "the holder canceled at the PIN")
    if entry.status is PinStatus.FAILED:
        dialog.note(Tvr.PIN_PAD_FAILED)
    if entry.status is PinStatus.BYPASSED:
        dialog.note(Tvr.PIN_NOT_ENTERED)
        dialog.method_bypassed = True
    return entry.content if entry.status is PinStatus.ENTERED else None


def _offline_pin(dialog: Dialog, code: int) -> CvmVerdict:
    left = _tries_left(dialog)
    if left == 0:
        dialog.note(Tvr.PIN_TRY_LIMIT_EXCEEDED)
        return CvmVerdict.NOT_DONE
    is_enciphered = code in (ENCIPHERED, ENCIPHERED_SIGNED)
    wrong_before: int | None = None
    for _ in range(PROMPTS_MAX):
        block = _ask(dialog, is_online=False, tries_left=wrong_before)
        if block is None:
            return CvmVerdict.NOT_DONE
        status = _verify(dialog, block, is_enciphered=is_enciphered)
        if status == apdu.OK:
            return CvmVerdict.DONE
        if status & 0xFFF0 == apdu.TRIES_LEFT and status & 0x0F:
            wrong_before = status & 0x0F
            continue
        if status in (apdu.TRIES_LEFT, apdu.PIN_BLOCKED, apdu.REFERENCE_INVALIDATED):
            dialog.note(Tvr.PIN_TRY_LIMIT_EXCEEDED)
        return CvmVerdict.NOT_DONE
    return CvmVerdict.NOT_DONE


def _tries_left(dialog: Dialog) -> int | None:
    response = dialog.send(CardCommand(0x80, 0xCA, 0x9F, 0x17, expected=0))
    if not response.is_ok:
        return None
    try:
        value = find(parse(response.data), "9F17")
    except TlvError:
        return None
    return value[0] if value else None


def _verify(dialog: Dialog, block: bytes, *, is_enciphered: bool) -> int:
    """The card's status word about a PIN block; 0 if it cannot be asked."""
    if not is_enciphered:
        return dialog.send(CardCommand(0x00, 0x20, 0x00, 0x80, block)).sw
    challenge = dialog.send(CardCommand(0x00, 0x84, 0x00, 0x00, expected=0))
    key = dialog.card_key
    if key is None or len(key.modulus) < KEY_SIZE_MIN:
        return 0
    if not challenge.is_ok or len(challenge.data) != CHALLENGE_SIZE:
        return 0
    sealed = encipher_block(key, block, challenge.data, random_bytes=dialog.devices.random_bytes)
    return dialog.send(CardCommand(0x00, 0x20, 0x00, 0x88, sealed)).sw
