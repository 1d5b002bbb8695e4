"""A tap whose cryptogram the terminal asks for: records as with contacts, then GENERATE AC, once.

Source: EMV contactless Book C-2, 3.4 to 3.8. Read `generate_on_tap` from top to bottom.
"""

from dataclasses import replace

from pos_emulator.bits import Aip, Capability, Tvr, is_set, word_of
from pos_emulator.kernel.actions import CardAction, analyze
from pos_emulator.kernel.completion import first_cryptogram
from pos_emulator.kernel.cvm import verify_holder
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.offline_auth import authenticate_data
from pos_emulator.kernel.reading import read_application
from pos_emulator.kernel.records import SaleKind
from pos_emulator.kernel.restrictions import check_restrictions

ON_DEVICE, NOT_ASKED = bytes.fromhex("010002"), bytes.fromhex("3F0002")
# What a reader can do where the amount needs a verification, as far as its terminal can.
VERIFIES = (Capability.ONLINE_PIN, Capability.SIGNATURE)


def generate_on_tap(dialog: Dialog) -> CardAction:
    """The card's decision about a tap, over what the terminal found. Raises EndError."""
    read_application(dialog)
    authenticate_data(dialog)
    check_restrictions(dialog)
    _choose_verification(dialog)
    limits, payment = dialog.accepted.tap, dialog.payment
    if payment.amount + payment.cashback > limits.floor:
        dialog.note(Tvr.FLOOR_LIMIT_EXCEEDED)
    if payment.forced_online or payment.kind is SaleKind.REFUND:
        dialog.note(Tvr.MERCHANT_FORCED_ONLINE)
    action = analyze(dialog)
    dialog.is_sealed = True
    return first_cryptogram(dialog, action)


def _choose_verification(dialog: Dialog) -> None:
    """How the holder is verified; a PIN is asked for when the card has left the field."""
    payment, limit = dialog.payment, dialog.accepted.tap.cvm
    is_above = payment.amount + payment.cashback > limit and payment.kind is not SaleKind.REFUND
    if dialog.has(Aip.ON_DEVICE_VERIFICATION_SUPPORTED):
        dialog.values["9F34"] = ON_DEVICE if is_above else NOT_ASKED
        if is_above:
            dialog.say("the holder was verified on the device", step="verification")
        return
    dialog.asks_pin_later = True
    dialog.terminal = replace(dialog.terminal, capabilities=_capabilities(dialog, is_above))
    dialog.values["9F33"] = dialog.terminal.capabilities
    verify_holder(dialog)


def _capabilities(dialog: Dialog, is_above: bool) -> bytes:
    """Terminal capabilities (9F33) with the verifications that fit the amount."""
    known = dialog.terminal.capabilities
    can = [bit for bit in VERIFIES if is_set(known, bit)] if is_above else [Capability.NO_CVM]
    methods = word_of(3, *can)[1]
    return bytes([known[0], methods, known[2]])
