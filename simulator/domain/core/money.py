"""Money: an exact amount with two decimals, in one currency."""

from decimal import ROUND_HALF_UP, Decimal

import msgspec

from simulator.domain.core.currencies import USUAL_DECIMALS, decimals_of
from simulator.domain.core.errors import CurrencyMismatchError

CENT = Decimal("0.01")
ZERO = Decimal("0.00")


class Money(msgspec.Struct, frozen=True):
    """An amount with exactly two decimals, whatever the currency (two decimals is the wire
    rule).
    """

    amount: Decimal
    currency: str

    def __add__(self, other: "Money") -> "Money":
        return Money(self.amount + self._same(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.amount - self._same(other), self.currency)

    def __gt__(self, other: "Money") -> bool:
        return self.amount > self._same(other)

    def __str__(self) -> str:
        return f"{self.amount} {self.currency}"

    def _same(self, other: "Money") -> Decimal:
        if other.currency != self.currency:
            raise CurrencyMismatchError(self.currency, other.currency)
        return other.amount


def read_amount(text: str) -> Decimal:
    """The exact amount `text` writes, as `92` or `92.00`; the catalogue has checked its form.

    Source: Basic payment, amount.
    """
    return Decimal(text).quantize(CENT)


def with_two_decimals(amount: Decimal) -> Decimal:
    """An amount as the gateway writes all of them."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def as_settled(money: Money) -> Decimal:
    """An amount of the gateway as an institute's file has it, with two decimals: rounded half up to
    the decimals of its currency, where these are fewer. Choice: D-381.
    """
    step = Decimal(1).scaleb(-min(USUAL_DECIMALS, decimals_of(money.currency)))
    return with_two_decimals(money.amount.quantize(step, ROUND_HALF_UP))


def as_part(money: Money) -> Decimal:
    """What a part of a payment takes of it: no less than it settles as, so that parts never settle
    for more than the whole. Choice: D-381.
    """
    return max(money.amount, as_settled(money))
