"""The texts of requirements and of clients' expectations, and what is still planned.

The tables of the suite are read here by a separate reader, so that reports need no other package.
"""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

FEATURES = Path(__file__).parents[1] / "features"
EXPECTED = "Expectations of existing clients"


class Requirement(NamedTuple):
    """A requirement or an expectation: its id, the section it stands in, what it says."""

    id: str
    section: str
    statement: str


def requirements() -> tuple[Requirement, ...]:
    """Every requirement, in the order of the specification."""
    return tuple(Requirement(**row) for row in _rows(FEATURES / "spec" / "requirements.csv"))


def expectations() -> tuple[Requirement, ...]:
    """Every expectation of existing clients, which scenarios show in profile `field`."""
    rows = _rows(FEATURES / "spec" / "expectations.csv")
    return tuple(Requirement(row["id"], EXPECTED, row["statement"]) for row in rows)


def beside(table: Path = FEATURES / "beside.csv") -> Mapping[str, str]:
    """What no scenario can show, and which tests show it instead."""
    return {row["id"]: row["reason"] for row in _rows(table)}


def statements() -> Mapping[str, str]:
    """What each id says that a case may name: requirements and expectations of clients."""
    return {row.id: row.statement for row in (*requirements(), *expectations())}


def planned(table: Path = FEATURES / "planned.csv") -> Mapping[str, str]:
    """Requirements that have no scenario yet, and why."""
    return {row["id"]: row["reason"] for row in _rows(table)}


def _rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))
