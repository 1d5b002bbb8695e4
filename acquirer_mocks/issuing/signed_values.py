"""What a chip signed of its payment, compared with what is asked for: one row a data object.

The holder saw what the card signed. Not compared: the date (9A), which is that of the terminal's
own clock, also days before an upload. Choice: D-432.
"""

from collections.abc import Callable
from decimal import Decimal

from acquirer_mocks.issuing.cryptograms import Objects
from simulator.domain.core.currencies import decimals_of, number_of
from simulator.domain.core.money import Money

CURRENCY, AMOUNT, KIND = "5F2A", "9F02", "9C"
# The first digit of the processing code of what is paid to the holder. Source: ISO 8583.
CREDIT = "2"


def differing(chip: Objects, money: Money) -> str | None:
    """What the card signed otherwise than a charge of `money`, in words; None where nothing is."""
    for tag, said in ROWS:
        words = said(chip[tag].hex(), money)
        if words is not None:
            return f"{tag}: the card signed {words}"
    return None


def _other_currency(signed: str, money: Money) -> str | None:
    asked = number_of(money.currency)
    return None if signed == f"0{asked}" else f"currency {signed[1:]}, {asked} is asked for"


def _other_amount(signed: str, money: Money) -> str | None:
    """Other digits than those of the amount in the smallest unit of its currency, which it has."""
    amount = None
    if signed.isdecimal():
        amount = Decimal(int(signed)).scaleb(-decimals_of(money.currency))
    if amount == money.amount:
        return None
    shown = "no amount" if amount is None else f"{amount} {money.currency}"
    return f"{shown}, {money} is asked for"


def _credit(signed: str, money: Money) -> str | None:
    return "a credit" if signed.startswith(CREDIT) else None


# fmt: off
ROWS: tuple[tuple[str, Callable[[str, Money], str | None]], ...] = (
    (CURRENCY, _other_currency),
    (AMOUNT,   _other_amount),
    (KIND,     _credit),
)
# fmt: on
