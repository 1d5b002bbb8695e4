"""A payment with a swipe, and when a magstripe may be used at all.

A card with a chip has to be inserted. Only after its chip has failed three times may its magstripe
be swiped, and the entry mode says so.
"""

from dataclasses import dataclass, replace

from pos_emulator.bits import Capability, Tvr, is_set
from pos_emulator.card.magstripe import Magstripe
from pos_emulator.kernel.completion import APPROVED_CODES, ask_host, with_code
from pos_emulator.kernel.contact import WRONG_PIN
from pos_emulator.kernel.cvm import ask_online_pin
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import (
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    EndError,
    EntryMode,
    KernelTerminal,
)

CHIP_FAILURES_MAX = 3
PIN_SERVICES = ("0", "3", "5", "6", "7")
ALWAYS_PIN = ("0", "3", "5")
PIN_CVM = bytes.fromhex("020000")
SIGNATURE_CVM = bytes.fromhex("1E0000")
NO_CVM = bytes.fromhex("1F0002")


@dataclass(frozen=True)
class Tries:
    """How often in a row the chip could not be used, in the payment that is being made."""

    chip_failures: int = 0

    @property
    def may_swipe(self) -> bool:
        return self.chip_failures >= CHIP_FAILURES_MAX

    def after(self, outcome: CardOutcome) -> "Tries":
        """The tries after one more with the chip."""
        if outcome.result is CardResult.CARD_ERROR:
            return Tries(self.chip_failures + 1)
        return Tries() if outcome.result is not CardResult.CARD_REMOVED else self


def advise(outcome: CardOutcome, tries: Tries, terminal: KernelTerminal) -> CardOutcome:
    """The outcome of a chip, turned into "use the magstripe" where it failed often enough."""
    can_swipe = "magstripe" in terminal.reads
    if outcome.result is CardResult.CARD_ERROR and tries.may_swipe and can_swipe:
        return replace(outcome, result=CardResult.USE_MAGSTRIPE)
    return outcome


def pay_with_swipe(
    terminal: KernelTerminal,
    payment: CardPayment,
    devices: Devices,
    *,
    magstripe: Magstripe,
    tries: Tries,
) -> CardOutcome:
    """How a payment with a swipe ended."""
    can_insert = "chip" in terminal.reads
    is_fallback = magstripe.has_chip and can_insert
    mode = EntryMode.MAGSTRIPE_AS_FALLBACK if is_fallback else EntryMode.MAGSTRIPE
    dialog = Dialog(terminal, payment, devices, mode)
    dialog.say("the magstripe was read", step="swipe")
    dialog.values |= {
        "57": magstripe.track2_data,
        "5A": _number(magstripe),
        "5F24": _expiry(magstripe),
    }
    try:
        if is_fallback and not tries.may_swipe:
            raise EndError(CardResult.USE_CHIP, "the card has a chip, which has to be used")
        _verify(dialog, magstripe)
        return _complete(dialog)
    except EndError as end:
        return dialog.outcome(end.result, end.reason)


def _verify(dialog: Dialog, magstripe: Magstripe) -> None:
    """PIN where the service code asks for it and the terminal has a PIN pad, else a signature."""
    can = dialog.terminal.capabilities
    if magstripe.service_code[2] in PIN_SERVICES and is_set(can, Capability.ONLINE_PIN):
        dialog.pin = ask_online_pin(dialog)
        if dialog.pin is not None:
            dialog.note(Tvr.ONLINE_CVM_CAPTURED)
            dialog.values["9F34"] = PIN_CVM
            return
        if magstripe.service_code[2] in ALWAYS_PIN:
            raise EndError(CardResult.DECLINED, "the PIN was not entered")
    if is_set(can, Capability.SIGNATURE):
        dialog.needs_signature = True
        dialog.values["9F34"] = SIGNATURE_CVM
    else:
        dialog.values["9F34"] = NO_CVM


def _complete(dialog: Dialog) -> CardOutcome:
    """A magstripe is always online."""
    response = ask_host(dialog)
    if response is None:
        with_code(dialog, "Z3")
        outcome = dialog.outcome(CardResult.DECLINED, "declined, the host cannot be reached")
        return replace(outcome, code="Z3", is_offline=True)
    is_approved = response.code in APPROVED_CODES
    result = CardResult.APPROVED if is_approved else CardResult.DECLINED
    outcome = dialog.outcome(result, f"{'approved' if is_approved else 'declined'} by the host")
    return replace(
        outcome,
        code=response.code,
        pin_was_wrong=response.code == WRONG_PIN,
        authorization=response.authorization,
    )


def _number(magstripe: Magstripe) -> bytes:
    return bytes.fromhex(magstripe.account + "F" * (len(magstripe.account) % 2))


def _expiry(magstripe: Magstripe) -> bytes:
    """The last day of the month; 31 stands for it in the chip too."""
    return bytes.fromhex(magstripe.expiry + "31")
