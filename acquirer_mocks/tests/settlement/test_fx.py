"""Exchange rates, and exact arithmetic with them."""

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acquirer_mocks.settlement import fx
from simulator.domain.core.currencies import decimals_of
from simulator.domain.core.money import Money

DAY = date(2030, 1, 3)
CURRENCIES = st.sampled_from(["EUR", "USD", "JPY", "KWD", "GBP", "XYZ"])


@given(
    units=st.integers(0, 10**13), source=CURRENCIES, target=CURRENCIES, rate=st.integers(1, 10**10)
)
def test_an_exchange_is_what_decimals_say(units: int, source: str, target: str, rate: int) -> None:
    amount = Decimal(units).scaleb(-decimals_of(source)) * Decimal(rate).scaleb(-6)
    decimals = min(2, decimals_of(target))
    expected = amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)

    exchanged = fx.exchanged(units, source, target, rate=rate)

    assert Decimal(fx.written(exchanged, target)) == expected


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        ("92.00", "EUR", "92.00"),
        ("92.00", "JPY", "92"),
        ("92.50", "JPY", "93"),
        ("92.49", "JPY", "92"),
        ("7.50", "KWD", "7.500"),
        ("0.00", "KWD", "0.000"),
        ("1.23", "XYZ", "1.23"),
    ],
)
def test_an_amount_has_the_decimals_of_its_currency(amount: str, currency: str, text: str) -> None:
    units = fx.units_of(Money(Decimal(amount), currency))

    assert fx.written(units, currency) == text


@given(units=st.integers(0, 10**9), source=CURRENCIES, rate=st.integers(1, 10**9))
def test_a_fault_of_rounding_can_be_planted_where_an_exchange_is_rounded(
    units: int, source: str, rate: int
) -> None:
    exchanged = fx.exchanged(units, source, "KWD", rate=rate)
    numerator, denominator = fx.exact(units, source, "KWD", rate=rate)

    assert exchanged % 10 == 0
    assert fx.is_rounded(units, source, "KWD", rate=rate) == (exchanged * denominator != numerator)


def test_a_currency_in_itself_is_one_to_one() -> None:
    assert fx.rate("JPY", "JPY", day=DAY, seed=1) == fx.MICRO


@pytest.mark.parametrize("unknown", ["CLF", "XDR", "AFN", "XYZ"])
@pytest.mark.parametrize("known", ["EUR", "USD", "JPY", "ZZZ"])
def test_a_currency_without_a_rate_is_exchanged_one_to_one(unknown: str, known: str) -> None:
    for source, target in ((unknown, known), (known, unknown)):
        rates = {fx.rate(source, target, day=DAY, seed=seed) for seed in range(5)}
        assert rates == {fx.MICRO}


def test_a_rate_moves_from_day_to_day_and_stays_near_the_table() -> None:
    days = [DAY + timedelta(days=each) for each in range(60)]
    rates = [fx.rate("USD", "EUR", day=day, seed=1) for day in days]

    assert len(set(rates)) > 30
    assert all(0.98 < rate * 1.10 / fx.MICRO < 1.02 for rate in rates)


def test_a_rate_is_the_same_whenever_it_is_asked_and_another_by_another_seed() -> None:
    assert fx.rate("JPY", "EUR", day=DAY, seed=1) == fx.rate("JPY", "EUR", day=DAY, seed=1)
    assert fx.rate("JPY", "EUR", day=DAY, seed=1) != fx.rate("JPY", "EUR", day=DAY, seed=2)


@given(source=CURRENCIES, target=CURRENCIES)
def test_there_and_back_is_nearly_one(source: str, target: str) -> None:
    there = fx.rate(source, target, day=DAY, seed=1)
    back = fx.rate(target, source, day=DAY, seed=1)

    assert abs(there * back / fx.MICRO**2 - 1) < 0.001
