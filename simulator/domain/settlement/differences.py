"""What the lines of a run say against what the ledger moved to its merchants. Choice: D-526."""

from collections.abc import Mapping
from decimal import Decimal

from simulator.domain.core.money import ZERO, Money, as_settled

# Of each merchant account, by currency.
Amounts = Mapping[str, Mapping[str, Decimal]]


class MerchantAmounts:
    """Amounts of merchant accounts by currency, below zero where they are taken from them."""

    def __init__(self, known: Amounts | None = None):
        self._held = {
            (account, currency): amount
            for account, amounts in (known or {}).items()
            for currency, amount in amounts.items()
        }

    def add(self, account: str, money: Money, sign: int = 1) -> None:
        """Add an amount as institutes settle it: in the decimals that its currency has."""
        key = account, money.currency
        self._held[key] = self._held.get(key, ZERO) + sign * as_settled(money)

    def plus(self, other: "MerchantAmounts", sign: int = 1) -> "MerchantAmounts":
        """These and those of another one, or less those."""
        found = MerchantAmounts()
        found._held = {
            key: self._held.get(key, ZERO) + sign * other._held.get(key, ZERO)
            for key in (*self._held, *(each for each in other._held if each not in self._held))
        }
        return found

    def where(self, other: "MerchantAmounts") -> "MerchantAmounts":
        """Those of which another one has some too."""
        found = MerchantAmounts()
        found._held = {key: amount for key, amount in self._held.items() if other._held.get(key)}
        return found

    def stored(self) -> dict[str, dict[str, Decimal]]:
        """What is not zero."""
        found: dict[str, dict[str, Decimal]] = {}
        for (account, currency), amount in self._held.items():
            if amount:
                found.setdefault(account, {})[currency] = amount
        return found
