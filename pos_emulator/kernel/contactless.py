"""A payment with one tap: the card leaves the field before the host is asked.

Source: EMV contactless Books A (limits), B (selection), C-3 (cryptogram at once) and C-2 (GENERATE
AC, magstripe mode).
"""

from collections.abc import Callable
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.bits import Aip, Capability, Ctq, Ttq, Tvr, is_set, with_bit
from pos_emulator.card.records import Interface
from pos_emulator.card.slot import CardMuteError, CardRemovedError
from pos_emulator.kernel.actions import CardAction
from pos_emulator.kernel.completion import APPROVED_CODES, ask_host, given, require, with_code
from pos_emulator.kernel.contact import WRONG_PIN
from pos_emulator.kernel.cvm import ask_online_pin
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.offline_auth import read_fast_signature
from pos_emulator.kernel.reading import (
    entries_of,
    parsed,
    read_record,
    send_options,
)
from pos_emulator.kernel.records import (
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    EndError,
    EntryMode,
    KernelTerminal,
    SaleKind,
)
from pos_emulator.kernel.restrictions import check_dates
from pos_emulator.kernel.selection import Candidate, select_final, tap_candidates
from pos_emulator.kernel.tap_generate import ON_DEVICE, generate_on_tap
from pos_emulator.kernel.tap_magstripe import read_magstripe_mode
from pos_emulator.tlv import leaves

INSERT_CODES = frozenset({"65", "1A"})
BY_PIN, BY_SIGNATURE, WITHOUT = (
    bytes.fromhex("020000"), bytes.fromhex("1E0000"), bytes.fromhex("1F0002"),
)  # fmt: skip


def _pass(dialog: Dialog) -> None:
    """Go on with what the card said."""


def pay_with_tap(
    terminal: KernelTerminal,
    payment: CardPayment,
    devices: Devices,
    look: Callable[[Dialog], None] = _pass,
) -> CardOutcome:
    """How a payment with a tap ended; nothing is raised for what a card may do.

    `look` gets what the card said once it has left the field, before its holder is verified and
    the host is asked; it may raise EndError.
    """
    dialog = Dialog(terminal, payment, devices, EntryMode.NFC_ICC)
    try:
        _read(dialog)
        look(dialog)
        return _complete(dialog)
    except EndError as end:
        return dialog.outcome(end.result, end.reason)


def read_tap(terminal: KernelTerminal, payment: CardPayment, devices: Devices) -> Dialog:
    """All that a tapped card says for this amount, its cryptogram too, before its payment. Raises
    EndError.
    """
    dialog = Dialog(terminal, payment, devices, EntryMode.NFC_ICC)
    _read(dialog)
    return dialog


def pay_with_read_tap(dialog: Dialog, payment: CardPayment, devices: Devices) -> CardOutcome:
    """How the payment of a tap ended that `read_tap` has read, for the same amount; the card has
    left the field. What it said stands, and `history` begins anew.
    """
    dialog.payment, dialog.devices = payment, devices
    dialog.history.clear()
    try:
        return _complete(dialog)
    except EndError as end:
        return dialog.outcome(end.result, end.reason)


def _read(dialog: Dialog) -> None:
    """Everything for which the card has to be in the field."""
    _power(dialog)
    candidate = _choose(dialog)
    _set_limits(dialog, candidate)
    if not select_final(dialog, candidate):
        raise EndError(CardResult.INSERT_CARD, "the card does not take the tap")
    _tap(dialog)
    if "9F26" not in dialog.values and dialog.has(Aip.EMV_MODE_SUPPORTED):
        dialog.was_asked_to_generate = True
        generate_on_tap(dialog)
        return
    dialog.is_sealed = True
    if "9F26" in dialog.values:
        _take_cryptogram(dialog)
    else:
        read_magstripe_mode(dialog)


def _complete(dialog: Dialog) -> CardOutcome:
    """What follows when the card has left: PIN, host, outcome."""
    is_final = _judge_generated(dialog) if dialog.was_asked_to_generate else _judge(dialog)
    return _approved_offline(dialog) if is_final else _complete_online(dialog)


def _power(dialog: Dialog) -> None:
    try:
        dialog.devices.card.power(Interface.CONTACTLESS)
    except (CardMuteError, CardRemovedError):
        raise EndError(CardResult.CARD_REMOVED, "there is no card in the field") from None
    dialog.say("a card is in the field", step="tap")


def _choose(dialog: Dialog) -> Candidate:
    shared = tap_candidates(dialog)
    if not shared:
        raise EndError(CardResult.INSERT_CARD, "no application for a tap")
    return shared[0]


def _set_limits(dialog: Dialog, candidate: Candidate) -> None:
    """Compare the amount with the reader's limits, and say to the card what follows."""
    limits, payment = candidate.accepted.tap, dialog.payment
    amount = payment.amount + payment.cashback
    if amount > limits.most or payment.kind in (SaleKind.CASH, SaleKind.CASHBACK):
        raise EndError(CardResult.INSERT_CARD, "above the limit for a tap")
    qualifiers = dialog.values["9F66"]
    is_refund = payment.kind is SaleKind.REFUND
    if amount > limits.floor or payment.forced_online or is_refund:
        qualifiers = with_bit(qualifiers, Ttq.ONLINE_CRYPTOGRAM_REQUIRED)
    if dialog.terminal.is_online_only:
        qualifiers = with_bit(qualifiers, Ttq.ONLINE_CRYPTOGRAM_REQUIRED)
    if amount > limits.cvm and not is_refund:
        qualifiers = with_bit(qualifiers, Ttq.CVM_REQUIRED)
    dialog.values["9F66"] = qualifiers


def _tap(dialog: Dialog) -> None:
    """GET PROCESSING OPTIONS brings the cryptogram at once, or the way to records."""
    qualifiers = dialog.values["9F66"]
    response = send_options(dialog)
    if response.sw == apdu.CONDITIONS_NOT_MET:
        raise EndError(CardResult.INSERT_CARD, "the card wants to be inserted")
    if not response.is_ok:
        raise EndError(CardResult.CARD_ERROR, "the card does not take the tap")
    nodes = parsed(response.data)
    dialog.take((node.tag, node.value) for node in leaves(nodes))
    dialog.values["9F66"] = qualifiers


def _judge_generated(dialog: Dialog) -> bool:
    """Whether the card has approved by GENERATE AC; else the host decides. Raises EndError."""
    if dialog.found(Tvr.CDA_FAILED):
        raise _declined(dialog, "the signature of the card does not hold")
    if given(dialog) is CardAction.DECLINE:
        raise _declined(dialog, "the card declined")
    if given(dialog) is CardAction.APPROVE:
        return True
    if dialog.found(Tvr.ONLINE_CVM_CAPTURED):
        _ask_pin(dialog)
    return False


def _judge(dialog: Dialog) -> bool:
    """Whether the card has approved at once; else the host decides. Raises EndError."""
    if dialog.entry_mode is EntryMode.NFC_ICC and given(dialog) is CardAction.DECLINE:
        raise _declined(dialog, "the card declined")
    _verify(dialog)
    return _is_final(dialog)


def _take_cryptogram(dialog: Dialog) -> None:
    require(dialog.values, "82", "9F27", "9F36", "9F26")
    if not dialog.account_number():
        raise EndError(CardResult.CARD_ERROR, "the card gives no track 2")
    if given(dialog) is CardAction.APPROVE:
        for entry in entries_of(dialog.values.get("94", b"")):
            for number in range(entry.first, entry.last + 1):
                read_record(dialog, entry, number)


def _verify(dialog: Dialog) -> None:
    """The verification that the card wants: on its device, PIN, signature, or none."""
    wishes = dialog.values.get("9F6C", bytes(2))
    is_required = is_set(dialog.values["9F66"], Ttq.CVM_REQUIRED)
    is_chip = dialog.entry_mode is EntryMode.NFC_ICC
    can = dialog.terminal.capabilities
    if is_chip and is_set(wishes, Ctq.ON_DEVICE_VERIFICATION_PERFORMED):
        dialog.values["9F34"] = ON_DEVICE
        dialog.say("the holder was verified on the device", step="verification")
        return
    wants_pin = is_set(wishes, Ctq.ONLINE_PIN_REQUIRED) if is_chip else is_required
    if wants_pin and is_set(can, Capability.ONLINE_PIN):
        _ask_pin(dialog)
        dialog.note(Tvr.ONLINE_CVM_CAPTURED)
        dialog.values["9F34"] = BY_PIN
        return
    if is_set(wishes, Ctq.SIGNATURE_REQUIRED) and is_set(can, Capability.SIGNATURE):
        dialog.needs_signature = True
        dialog.values["9F34"] = BY_SIGNATURE
        return
    if is_required:
        raise EndError(CardResult.INSERT_CARD, "the tap allows no verification of the holder")
    dialog.values["9F34"] = WITHOUT


def _ask_pin(dialog: Dialog) -> None:
    dialog.pin = ask_online_pin(dialog)
    if dialog.pin is None:
        raise EndError(CardResult.DECLINED, "the PIN was not entered")


def _is_final(dialog: Dialog) -> bool:
    """Whether the card approved and its signature holds; else the host decides, or the tap ends."""
    if dialog.entry_mode is not EntryMode.NFC_ICC or given(dialog) is not CardAction.APPROVE:
        return False
    check_dates(dialog)
    wishes = dialog.values.get("9F6C", bytes(2))
    if dialog.found(Tvr.APPLICATION_EXPIRED):
        if is_set(wishes, Ctq.ONLINE_IF_APPLICATION_EXPIRED):
            return False
        raise _declined(dialog, "the application has expired")
    if read_fast_signature(dialog):
        return True
    if is_set(wishes, Ctq.ONLINE_IF_ODA_FAILED):
        return False
    if is_set(wishes, Ctq.SWITCH_INTERFACE_IF_ODA_FAILED):
        raise EndError(CardResult.INSERT_CARD, "the signature of the card does not hold")
    raise _declined(dialog, "the signature of the card does not hold")


def _declined(dialog: Dialog, reason: str) -> EndError:
    with_code(dialog, "Z1")
    return EndError(CardResult.DECLINED, reason)


def _approved_offline(dialog: Dialog) -> CardOutcome:
    with_code(dialog, "Y1")
    outcome = dialog.outcome(CardResult.APPROVED, "approved offline")
    return replace(outcome, code="Y1", is_offline=True)


def _complete_online(dialog: Dialog) -> CardOutcome:
    response = ask_host(dialog)
    if response is None:
        with_code(dialog, "Z3")
        declined = dialog.outcome(CardResult.DECLINED, "declined, the host cannot be reached")
        return replace(declined, code="Z3", is_offline=True)
    if response.code in APPROVED_CODES:
        outcome = dialog.outcome(CardResult.APPROVED, "approved online")
    elif response.code in INSERT_CODES:
        outcome = dialog.outcome(CardResult.INSERT_CARD, "the issuer wants the card to be inserted")
    else:
        outcome = dialog.outcome(CardResult.DECLINED, "the host declined")
    return replace(
        outcome,
        code=response.code,
        pin_was_wrong=response.code == WRONG_PIN,
        authorization=response.authorization,
    )
