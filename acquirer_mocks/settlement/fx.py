"""Exchange rates: a table of each day by a seed, six decimals, and exact arithmetic with them.

Amounts are integers in the smallest unit of their currency (ISO 4217), and no finer than a
hundredth: a gateway has no 7.501 KWD. Choices: D-381, D-382.
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files

from scenarios.yaml_text import read_yaml
from simulator.domain.core.currencies import USUAL_DECIMALS, decimals_of
from simulator.domain.core.money import Money

BASE = "EUR"
MICRO = 1_000_000
# Twelve digits, six of them decimals.
RATE_MAX = 10**12 - 1
# A day's rate is at most one percent from the table, in steps of a ten thousandth.
STEPS = 100
STEP = 10_000
# A line and its answer key have an amount several times, and lines of a day many in common.
TEXTS_MAX = 1024


@cache
def step_of(currency: str) -> int:
    """The smallest amount that is settled, in units: ten of KWD, which has three decimals."""
    return int(10 ** max(0, decimals_of(currency) - USUAL_DECIMALS))


def units_of(money: Money) -> int:
    """An amount in the smallest unit of its currency, rounded half up: JPY 92.50 is 93."""
    return round_half_up(int(money.amount * 100) * 10 ** decimals_of(money.currency), 100)


@lru_cache(TEXTS_MAX)
def in_cents(units: int, currency: str) -> str:
    """Units as an amount with two decimals, rounded half up."""
    decimals = decimals_of(currency)
    if decimals == USUAL_DECIMALS:
        return decimal_text(units, USUAL_DECIMALS)
    cents = round_half_up(units * 100, 10**decimals)
    return decimal_text(cents, USUAL_DECIMALS)


@lru_cache(TEXTS_MAX)
def written(units: int, currency: str) -> str:
    """Units as a decimal with the decimals of the currency."""
    return decimal_text(units, decimals_of(currency))


@lru_cache(TEXTS_MAX)
def decimal_text(units: int, decimals: int) -> str:
    """An integer with a decimal point before its last `decimals` digits."""
    if units < 0:
        return f"-{decimal_text(-units, decimals)}"
    if decimals == USUAL_DECIMALS:
        return f"{units // 100}.{units % 100:02d}"
    if decimals == 0:
        return str(units)
    whole, part = divmod(units, 10**decimals)
    return f"{whole}.{part:0{decimals}d}"


def settled(numerator: int, denominator: int, currency: str) -> int:
    """A fraction of units of a currency as an amount that can be settled, rounded half up."""
    step = step_of(currency)
    return round_half_up(numerator, denominator * step) * step


def round_half_up(numerator: int, denominator: int) -> int:
    """The nearest integer of a fraction, the half away from zero."""
    if numerator < 0:
        return -round_half_up(-numerator, denominator)
    return (2 * numerator + denominator) // (2 * denominator)


@cache
def rate(source: str, target: str, *, day: date, seed: int) -> int:
    """How many millionths of `target` one `source` is on a day, at least 1."""
    if source == target or not _has_rate(source) or not _has_rate(target):
        return MICRO
    return _in_millionths(_of_euro(target, day, seed) / _of_euro(source, day, seed))


@cache
def highest_rate(source: str, target: str) -> int:
    """What `rate` is on no day more than."""
    if source == target or not _has_rate(source) or not _has_rate(target):
        return MICRO
    return _in_millionths(_moved(target, STEPS) / _moved(source, -STEPS))


def exchanged(units: int, source: str, target: str, *, rate: int) -> int:
    """Units of `source` in units of `target`, rounded half up."""
    return settled(*exact(units, source, target, rate=rate), target)


def is_rounded(units: int, source: str, target: str, *, rate: int) -> bool:
    """Whether an exchange does not come out even."""
    numerator, denominator = exact(units, source, target, rate=rate)
    return bool(numerator % (denominator * step_of(target)))


def exact(units: int, source: str, target: str, *, rate: int) -> tuple[int, int]:
    """Units of `source` in units of `target`, as numerator and denominator."""
    return units * rate * 10 ** decimals_of(target), MICRO * 10 ** decimals_of(source)


def _of_euro(currency: str, day: date, seed: int) -> Decimal:
    digest = sha256(f"{seed}:{day}:{currency}".encode()).digest()
    return _moved(currency, int.from_bytes(digest[:4], "big") % (2 * STEPS + 1) - STEPS)


def _moved(currency: str, steps: int) -> Decimal:
    """What one euro is in a currency whose rate has moved so far."""
    return Decimal(1) if currency == BASE else _table()[currency] * (STEP + steps) / STEP


def _in_millionths(ratio: Decimal) -> int:
    return min(RATE_MAX, max(1, round_half_up(int(ratio * MICRO * MICRO), MICRO)))


def _has_rate(currency: str) -> bool:
    return currency == BASE or currency in _table()


@cache
def _table() -> Mapping[str, Decimal]:
    text = files(__package__).joinpath("data", "rates.yaml").read_text("utf-8")
    return {currency: Decimal(value) for currency, value in read_yaml(text).items()}
