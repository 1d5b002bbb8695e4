"""The clearing institutes: name, format, calendar and tariff, one file of data each.

Choice: D-380.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from scenarios.yaml_text import read_yaml
from simulator.domain.ports.clearing import UnknownInstituteError

# The default of a channel comes first.
FILES = ("sandgate_clearing", "sandgate_acquiring", "sandgate_bank")

FileFormat = Literal["SGFIX", "SGCSV", "camt.053.001.08"]
# The format whose lines have no id of the gateway.
WITHOUT_IDS: FileFormat = "SGFIX"


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a fee: a percentage of the settlement amount and a fixed amount in the settlement
    currency. Empty lists stand for every brand, region and entry mode.
    """

    percent: Decimal
    fixed: Decimal = Decimal(0)
    brands: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    entry_modes: tuple[str, ...] = ()

    def applies_to(self, brand: str, region: str, entry_mode: str) -> bool:
        """Whether this row is for such a payment."""
        return (
            brand in (self.brands or (brand,))
            and region in (self.regions or (region,))
            and entry_mode in (self.entry_modes or (entry_mode,))
        )


class Tariff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an institute charges. Of interchange and scheme the first row that applies is taken.
    `minimum` is that of a whole fee; `events` are fixed fees of single movements.
    """

    interchange: tuple[Price, ...]
    scheme: tuple[Price, ...]
    markup: Price
    minimum: Decimal
    returns_interchange: bool
    events: Mapping[str, Decimal]
    monthly: Decimal


class Institute(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clearing institute. `code` begins its settlement ids, `slug` its file names; `cut_off`
    is local time, as 23:00; `settles_after` counts bank days; `fx_seed` seeds its rates.
    """

    name: str
    slug: str
    code: str
    format: FileFormat
    zone: str
    cut_off: str
    calendar: str
    settles_after: int
    fx_seed: int
    tariff: Tariff

    def __hash__(self) -> int:
        """Names are unique; a tariff has mappings, which have no hash."""
        return hash(self.name)


@cache
def institutes() -> Mapping[str, Institute]:
    """Every institute by its name."""
    found = (msgspec.convert(_data(name), Institute, strict=False) for name in FILES)
    return {each.name: each for each in found}


def institute_named(name: str) -> Institute:
    """The institute of this name. Raises UnknownInstituteError."""
    found = institutes().get(name)
    if found is None:
        raise UnknownInstituteError(
            f"expected one of {', '.join(institutes())}; received {name[:64]!r}"
        )
    return found


def _data(name: str) -> Any:
    return read_yaml(files(__package__).joinpath("data", f"{name}.yaml").read_text("utf-8"))
