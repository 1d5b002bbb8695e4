"""Processing restrictions: version, dates and use of the application.

Source: EMV Book 3, 10.4.
"""

from datetime import date

from pos_emulator.bits import Auc, Tvr, is_set
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import SaleKind


def check_restrictions(dialog: Dialog) -> None:
    """Note what restricts this payment in the verification results."""
    values = dialog.values
    if values.get("9F08", dialog.accepted.version) != dialog.accepted.version:
        dialog.note(Tvr.APPLICATION_VERSIONS_DIFFERENT)
    if "9F07" in values and not _is_allowed(dialog, values["9F07"]):
        dialog.note(Tvr.SERVICE_NOT_ALLOWED)
    check_dates(dialog)


def check_dates(dialog: Dialog) -> None:
    """Note an application that is not valid yet, or no more."""
    today = dialog.payment.at.date()
    effective = _date(dialog.values.get("5F25", b""))
    expires = _date(dialog.values.get("5F24", b""))
    if effective and today < effective:
        dialog.note(Tvr.APPLICATION_NOT_EFFECTIVE)
    if expires is None or today > expires:
        dialog.note(Tvr.APPLICATION_EXPIRED)


def _is_allowed(dialog: Dialog, usage: bytes) -> bool:
    if not is_set(usage, Auc.NON_ATM):
        return False
    issuer = dialog.values.get("5F28")
    if issuer is None:
        return True
    is_domestic = issuer == dialog.values["9F1A"]
    return all(
        is_set(usage, domestic if is_domestic else international)
        for domestic, international in _uses(dialog.payment.kind)
    )


def _uses(kind: SaleKind) -> tuple[tuple[Auc, Auc], ...]:
    """The uses that a payment needs, at home and abroad. Goods stand for services too."""
    if kind is SaleKind.CASH:
        return ((Auc.DOMESTIC_CASH, Auc.INTERNATIONAL_CASH),)
    goods = (Auc.DOMESTIC_GOODS, Auc.INTERNATIONAL_GOODS)
    if kind is SaleKind.CASHBACK:
        return (goods, (Auc.DOMESTIC_CASHBACK, Auc.INTERNATIONAL_CASHBACK))
    return (goods,)


def _date(value: bytes) -> date | None:
    """YYMMDD; years from 50 on are of the last century."""
    digits = value.hex()
    if len(digits) != 6 or not digits.isdecimal():
        return None
    year = int(digits[:2])
    try:
        return date(1900 + year if year >= 50 else 2000 + year, int(digits[2:4]), int(digits[4:]))
    except ValueError:
        return None
