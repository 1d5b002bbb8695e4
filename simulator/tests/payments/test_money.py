"""Money is exact, has two decimals and never mixes currencies."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.domain.core.errors import CurrencyMismatchError
from simulator.domain.core.money import Money, read_amount

CENTS = st.integers(min_value=0, max_value=10**12 - 1)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("92", "92.00"), ("92.00", "92.00"), ("0.01", "0.01"), ("9999999999.99", "9999999999.99")],
)
def test_an_amount_is_read_with_two_decimals(text: str, amount: str) -> None:
    assert str(read_amount(text)) == amount


@given(CENTS, CENTS)
def test_what_is_added_and_taken_away_again_is_exact(one: int, other: int) -> None:
    first, second = _euros(one), _euros(other)
    assert first + second - second == first


@given(CENTS)
def test_money_prints_what_it_read(cents: int) -> None:
    text = f"{cents // 100}.{cents % 100:02d}"
    assert str(read_amount(text)) == text


@pytest.mark.parametrize("operation", ["__add__", "__sub__", "__gt__"])
def test_two_currencies_never_meet(operation: str) -> None:
    with pytest.raises(CurrencyMismatchError):
        getattr(_euros(100), operation)(Money(Decimal("1.00"), "USD"))


def _euros(cents: int) -> Money:
    return Money(Decimal(cents) / 100, "EUR")
