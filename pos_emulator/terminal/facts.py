"""What a receipt says of a payment, from what card, gateway and terminal know of it."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from pos_emulator.kernel.records import CardOutcome, EntryMode
from pos_emulator.kernel.tap_generate import ON_DEVICE
from pos_emulator.receipts.document import LAST_DIGITS, PaymentReceipt, Verification
from pos_emulator.terminal.gateway import GatewayAnswer
from pos_emulator.terminal.memory.identity import Identity
from pos_emulator.terminal.orders import asked_amount
from pos_emulator.terminal.records import Ending, OrderKind, TerminalEntry
from pos_emulator.tlv import find, parse

# fmt: off
KINDS: Mapping[OrderKind, str] = {
    OrderKind.SALE:              "SALE",
    OrderKind.REFUND:            "REFUND",
    OrderKind.PRE_AUTHORIZATION: "PRE-AUTHORIZATION",
    OrderKind.CAPTURE:           "CAPTURE",
    OrderKind.VOID:              "VOID",
}
ENTRY_MODES: Mapping[EntryMode, str] = {
    EntryMode.ICC:                   "CHIP",
    EntryMode.NFC_ICC:               "CONTACTLESS",
    EntryMode.NFC_MAGSTRIPE:         "CONTACTLESS",
    EntryMode.MAGSTRIPE:             "SWIPED",
    EntryMode.MAGSTRIPE_AS_FALLBACK: "SWIPED, FALLBACK",
    EntryMode.MANUAL:                "KEYED",
}
# fmt: on
METHOD_MASK = 0x3F
PINS = frozenset({1, 2, 3, 4, 5})
SUCCESSFUL_OR_LATER = frozenset({0, 2})


def receipt_of(
    identity: Identity,
    entry: TerminalEntry,
    *,
    outcome: CardOutcome,
    answer: GatewayAnswer,
    status: str,
) -> PaymentReceipt | None:
    """The receipt of a payment with a card; None where no card was read."""
    digits = last_digits(outcome.account)
    if not digits:
        return None
    values = outcome.values
    is_whole = entry.ending is Ending.APPROVED
    is_chip = outcome.entry_mode in (EntryMode.ICC, EntryMode.NFC_ICC)
    return PaymentReceipt(
        merchant=identity.merchant,
        terminal_id=identity.id,
        merchant_id=answer.merchant_id,
        receipt_number=entry.receipt,
        trace_number=entry.trace,
        at=entry.at,
        kind=KINDS[entry.order.operation],
        entry_mode=ENTRY_MODES[outcome.entry_mode],
        brand=answer.brand,
        card=digits,
        amount=entry.approved if entry.approved is not None else asked_amount(entry.order),
        tip=entry.order.tip if is_whole else Decimal(0),
        cashback=entry.order.cashback if is_whole else Decimal(0),
        currency=entry.order.currency,
        conversion=entry.conversion,
        status=status,
        verification=_verification(outcome),
        label=label_of(values),
        aid=(values.get("84") or values.get("4F") or b"").hex().upper(),
        sequence=values.get("5F34", b"").hex(),
        cryptogram=values.get("9F26", b"").hex().upper() if is_chip else "",
        tvr=values.get("95", b"").hex().upper() if is_chip else "",
        tsi=values.get("9B", b"").hex().upper() if is_chip else "",
        authorization_code=answer.authorization or outcome.authorization,
    )


def receipt_of_reference(
    original: PaymentReceipt | None, entry: TerminalEntry, answer: GatewayAnswer
) -> PaymentReceipt | None:
    """The receipt of a payment that refers to an earlier one: its card, nothing of its chip."""
    if original is None:
        return None
    return replace(
        original,
        receipt_number=entry.receipt,
        trace_number=entry.trace,
        at=entry.at,
        kind=KINDS[entry.order.operation],
        amount=asked_amount(entry.order),
        conversion=entry.conversion,
        tip=Decimal(0),
        cashback=Decimal(0),
        status=answer.status or ("APPROVED" if answer.is_approved else "DECLINED"),
        verification=Verification.NONE,
        cryptogram="",
        tvr="",
        tsi="",
        authorization_code=answer.authorization,
    )


def label_of(values: Mapping[str, bytes]) -> str:
    """The name of the application, as its card gives it; empty if it has none."""
    return (values.get("9F12") or values.get("50") or b"").decode("ascii", "replace")


def last_digits(account: bytes) -> str:
    """The last four digits of the number in what was read; empty if there is none."""
    nodes = parse(account)
    number = (find(nodes, "5A") or b"").hex().upper().rstrip("F")
    number = number or (find(nodes, "57") or b"").hex().upper().partition("D")[0]
    digits = number[-LAST_DIGITS:]
    return digits if len(digits) == LAST_DIGITS and digits.isdecimal() else ""


def _verification(outcome: CardOutcome) -> Verification:
    method = outcome.values.get("9F34", b"")
    if outcome.needs_signature:
        return Verification.SIGNATURE
    if outcome.entry_mode is EntryMode.NFC_ICC and method == ON_DEVICE:
        return Verification.ON_DEVICE
    is_pin = len(method) == 3 and method[0] & METHOD_MASK in PINS
    return Verification.PIN if is_pin and method[2] in SUCCESSFUL_OR_LATER else Verification.NONE
