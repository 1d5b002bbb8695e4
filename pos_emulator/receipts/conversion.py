"""What a cardholder pays in a currency of their own: amount, rate, markup.

Rates are those of a file, not of a market: what is offered can be repeated. Choice: D-613.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from iso4217 import Currency

RATE_DECIMALS, GATEWAY_DECIMALS, HUNDRED = 6, 2, Decimal(100)
RATE_MAX, MARKUP_MAX = Decimal(10**6), Decimal(100)


@dataclass(frozen=True, kw_only=True)
class Conversion:
    """`amount` of `currency` is what the card is charged; `rate` is how much of it one unit of the
    till's currency is, with the `markup` (percent) in it.
    """

    currency: str
    amount: Decimal
    rate: Decimal
    markup: Decimal

    def of(self, amount: Decimal) -> "Conversion":
        """The conversion of another amount of the till, at the same rate."""
        return converted(amount, self.currency, self.rate, markup=self.markup)

    def back(self, amount: Decimal, exponent: int) -> Decimal:
        """An amount of the card in the till's currency, which has so many decimals."""
        unit = Decimal(1).scaleb(-min(exponent, GATEWAY_DECIMALS))
        return (amount / self.rate).quantize(unit, ROUND_HALF_UP)


@dataclass(frozen=True, kw_only=True)
class ConversionRates:
    """`rates` are units of each currency for one of the same base; `markup` is in percent."""

    rates: Mapping[str, Decimal] = field(default_factory=dict)
    markup: Decimal = Decimal("3.5")

    def complaint(self) -> str:
        """What is wrong with them; empty where nothing is."""
        if not (self.markup.is_finite() and 0 <= self.markup <= MARKUP_MAX):
            return f"markup: expected 0 to {MARKUP_MAX}, in percent"
        return next(filter(None, (_complaint(*each) for each in self.rates.items())), "")

    def offer(self, amount: Decimal, till: str, card: str) -> Conversion | None:
        """What an amount of the till's currency is in the card's; None where there is nothing to
        offer: the same currency, or one without a rate.
        """
        if till == card or till not in self.rates or card not in self.rates:
            return None
        exact = self.rates[card] / self.rates[till] * (1 + self.markup / HUNDRED)
        rate = exact.quantize(Decimal(1).scaleb(-RATE_DECIMALS), ROUND_HALF_UP)
        offered = converted(amount, card, rate, markup=self.markup) if rate else None
        return offered if offered and offered.amount > 0 else None


def _complaint(code: str, rate: Decimal) -> str:
    try:
        Currency(code)
    except ValueError:
        return f"rates: expected codes of ISO 4217, got {code[:8]}"
    is_rate = rate.is_finite() and 0 < rate < RATE_MAX
    return "" if is_rate else f"rates.{code}: expected more than 0 and below {RATE_MAX}"


def converted(amount: Decimal, currency: str, rate: Decimal, *, markup: Decimal) -> Conversion:
    """An amount of the till at a rate, rounded half up to the decimals that are charged."""
    decimals = min(Currency(currency).exponent or 0, GATEWAY_DECIMALS)
    charged = (amount * rate).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    return Conversion(currency=currency, amount=charged, rate=rate, markup=markup)
