"""Rates of conversions in a TOML file: `markup` in percent, and `[rates]`, units of each currency
for one of the same base.
"""

import tomllib
from decimal import Decimal
from pathlib import Path

import msgspec
from iso4217 import Currency

from pos_emulator.receipts.conversion import ConversionRates

BYTES_MAX = 64 * 1024
RATE_MAX, MARKUP_MAX = Decimal(10**6), Decimal(100)


class RatesError(ValueError):
    """A file that cannot be followed: where, and what was expected."""


def read_rates(file: Path) -> ConversionRates:
    """The rates in a file. Raises RatesError."""
    try:
        if file.stat().st_size > BYTES_MAX:
            raise RatesError(f"{file}: expected at most {BYTES_MAX} bytes")
        described = tomllib.loads(file.read_text("utf-8"))
        _refuse_unknown(file, described)
        rates = msgspec.convert(described, ConversionRates)
    except OSError as error:
        raise RatesError(f"{file}: expected a TOML file, got: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        raise RatesError(f'{file}: expected TOML, such as rates.USD = "1.08"') from None
    except msgspec.ValidationError as error:
        raise RatesError(f"{file}: {error}") from None
    if found := complaint_about(rates):
        raise RatesError(f"{file}: {found}")
    return rates


def complaint_about(rates: ConversionRates) -> str:
    """What is wrong with rates; empty where nothing is."""
    if not (rates.markup.is_finite() and 0 <= rates.markup <= MARKUP_MAX):
        return f"markup: expected 0 to {MARKUP_MAX}, in percent"
    return next(filter(None, (_complaint(*each) for each in rates.rates.items())), "")


def _refuse_unknown(file: Path, described: dict[str, object]) -> None:
    for name in described:
        if name not in ("markup", "rates"):
            raise RatesError(f"{file}: {name[:64]} is unknown; expected markup and [rates]")


def _complaint(code: str, rate: Decimal) -> str:
    try:
        Currency(code)
    except ValueError:
        return f"rates: expected codes of ISO 4217, got {code[:8]}"
    is_rate = rate.is_finite() and 0 < rate < RATE_MAX
    return "" if is_rate else f"rates.{code}: expected more than 0 and below {RATE_MAX}"
