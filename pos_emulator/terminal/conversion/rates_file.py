"""Rates of conversions in a TOML file: `markup` in percent, and `[rates]`, units of each currency
for one of the same base.
"""

import errno
import tomllib
from pathlib import Path

import msgspec

from pos_emulator.receipts.conversion import ConversionRates
from simulator.client.files.bounded import read_text_within
from simulator.client.shown.misfits import said_of_file

BYTES_MAX = 64 * 1024


class RatesError(ValueError):
    """A file that cannot be followed: where, and what was expected."""


def read_rates(file: Path) -> ConversionRates:
    """The rates in a file. Raises RatesError."""
    try:
        described = tomllib.loads(read_text_within(file, BYTES_MAX))
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise RatesError(f"{file}: expected at most {BYTES_MAX} bytes") from None
        raise RatesError(f"{file}: expected a TOML file, got: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise RatesError(f'{file}: expected TOML, such as rates.USD = "1.08"') from None
    _refuse_unknown(file, described)
    try:
        rates = msgspec.convert(described, ConversionRates)
    except msgspec.ValidationError as error:
        said = said_of_file(error, described, ConversionRates, mapping="a table")
        raise RatesError(f"{file}: {said}") from None
    if found := rates.complaint():
        raise RatesError(f"{file}: {found}")
    return rates


def _refuse_unknown(file: Path, described: dict[str, object]) -> None:
    for name in described:
        if name not in ("markup", "rates"):
            raise RatesError(f"{file}: {name[:64]} is unknown; expected markup and [rates]")
