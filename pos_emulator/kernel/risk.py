"""Terminal risk management: floor limit, selection by chance, and payments offline in a row.

Source: EMV Book 3, 10.6.
"""

from pos_emulator.apdu import CardCommand
from pos_emulator.bits import Aip, Tsi, Tvr
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.tlv import TlvError, find, parse


def manage_risk(dialog: Dialog) -> None:
    """Note what speaks for going online."""
    if dialog.payment.forced_online:
        dialog.note(Tvr.MERCHANT_FORCED_ONLINE)
    if dialog.account_number() in dialog.terminal.exception_file:
        dialog.note(Tvr.CARD_ON_EXCEPTION_FILE)
    if not dialog.has(Aip.TERMINAL_RISK_MANAGEMENT_REQUIRED):
        return
    dialog.note(Tsi.TERMINAL_RISK_MANAGEMENT_PERFORMED)
    amount = dialog.payment.amount + dialog.payment.cashback
    if amount >= dialog.accepted.floor_limit:
        dialog.note(Tvr.FLOOR_LIMIT_EXCEEDED)
    elif _is_selected(dialog, amount):
        dialog.note(Tvr.RANDOM_SELECTED_ONLINE)
    _check_velocity(dialog)


def _is_selected(dialog: Dialog, amount: int) -> bool:
    """Whether chance sends this payment online; above the threshold it grows with the amount."""
    rules = dialog.accepted
    percent = float(rules.random_percent)
    span = rules.floor_limit - rules.random_above
    if amount >= rules.random_above and span > 0:
        share = (amount - rules.random_above) / span
        percent += (rules.random_percent_max - rules.random_percent) * share
    drawn = int.from_bytes(dialog.devices.random_bytes(2), "big") % 99 + 1
    return drawn <= percent


def _check_velocity(dialog: Dialog) -> None:
    lower, upper = dialog.values.get("9F14"), dialog.values.get("9F23")
    if not lower or not upper:
        return
    counter, last_online = _read(dialog, "9F36"), _read(dialog, "9F13")
    if counter is None or last_online is None or counter <= last_online:
        dialog.note(Tvr.LOWER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED)
        dialog.note(Tvr.UPPER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED)
    else:
        if counter - last_online > lower[0]:
            dialog.note(Tvr.LOWER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED)
        if counter - last_online > upper[0]:
            dialog.note(Tvr.UPPER_CONSECUTIVE_OFFLINE_LIMIT_EXCEEDED)
    if last_online == 0:
        dialog.note(Tvr.NEW_CARD)


def _read(dialog: Dialog, tag: str) -> int | None:
    first, second = bytes.fromhex(tag)
    response = dialog.send(CardCommand(0x80, 0xCA, first, second, expected=0))
    if not response.is_ok:
        return None
    try:
        value = find(parse(response.data), tag)
    except TlvError:
        return None
    return int.from_bytes(value, "big") if value and len(value) <= 2 else None
