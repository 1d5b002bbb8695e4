"""What a movement costs: parts of its fee, and fixed fees. Choice: D-383.

All amounts are integers in the smallest unit of the settlement currency.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from acquirer_mocks.settlement.fx import settled
from acquirer_mocks.settlement.institutes import Institute
from acquirer_mocks.settlement.kinds import PAID_TO_SHOPPER, SALES, event_of
from simulator.domain.core.currencies import decimals_of
from simulator.domain.ports.clearing import ClearingEntry

# A percentage has at most four decimals: 0.2500.
MILLION = 1_000_000


class FeeParts(NamedTuple):
    """The parts of a fee, each rounded by itself. Interchange that a refund gets back is below
    zero.
    """

    interchange: int = 0
    scheme: int = 0
    markup: int = 0

    @property
    def total(self) -> int:
        """The fee: never below zero."""
        return self.interchange + self.scheme + self.markup

    def plus(self, others: "Iterable[FeeParts]") -> "FeeParts":
        """These parts and those of others, added part by part."""
        return FeeParts(*(sum(part) for part in zip(self, *others, strict=True)))


NO_FEE = FeeParts()


def fee_of(institute: Institute, entry: ClearingEntry, gross: int, currency: str) -> FeeParts:
    """The fee of a movement that settles `gross` in `currency`. Chargebacks and what takes one
    back cost nothing.
    """
    if entry.kind not in SALES | PAID_TO_SHOPPER:
        return NO_FEE
    prices = _prices(institute, (entry.brand, entry.region, entry.entry_mode), currency)
    interchange, scheme, markup = (
        settled(gross * per_million, MILLION, currency) + fixed for per_million, fixed in prices
    )
    if entry.kind in SALES:
        missing = _units(institute.tariff.minimum, currency) - interchange - scheme - markup
        return FeeParts(interchange, scheme, markup + max(0, missing))
    if entry.kind == "RF" and institute.tariff.returns_interchange:
        # What would be more than the rest of the fee is not paid back: a fee is never below zero.
        return FeeParts(-min(interchange, scheme + markup), scheme, markup)
    return FeeParts(0, scheme, markup)


def fixed_fees(
    institute: Institute, entry: ClearingEntry, currency: str
) -> Iterator[tuple[str, int]]:
    """The fixed fees of a movement, type and units; none that is zero."""
    names: list[str] = [event_of(entry.kind)]
    if entry.kind in SALES:
        names.append("SUBMERCHANT" if entry.sub_merchant else "")
        names.append("PAYMENT_FACILITATOR" if entry.facilitator else "")
    for name in names:
        units = fixed_fee(institute, name, currency) if name else 0
        if units:
            yield name, units


@cache
def fixed_fee(institute: Institute, name: str, currency: str) -> int:
    """A fixed fee by its type, zero where the tariff has none."""
    tariff = institute.tariff
    return _units(
        tariff.monthly if name == "MONTHLY" else tariff.events.get(name, Decimal(0)), currency
    )


@cache
def _prices(
    institute: Institute, what: tuple[str, str, str], currency: str
) -> tuple[tuple[int, int], ...]:
    """Interchange, scheme and markup of brand, region and entry mode: millionths and units."""
    tariff = institute.tariff
    rows = [
        next(row for row in rows if row.applies_to(*what))
        for rows in (tariff.interchange, tariff.scheme, (tariff.markup,))
    ]
    return tuple((int(row.percent * MILLION / 100), _units(row.fixed, currency)) for row in rows)


@cache
def _units(amount: Decimal, currency: str) -> int:
    return settled(int(amount * 10_000) * 10 ** decimals_of(currency), 10_000, currency)
