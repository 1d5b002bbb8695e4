"""The tables of the suite: every parameter, every requirement, every expectation of clients, every
result code.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class SpecificationRow:
    """One parameter as the specification writes it, with format, need and rule in words."""

    section: str
    name: str
    words: str
    rule: str
    direction: str
    need: str = ""


@cache
def rows() -> tuple[SpecificationRow, ...]:
    """Every row of parameters.csv, in the order of the specification."""
    return tuple(
        SpecificationRow(
            line["section"],
            line["name"],
            line["format"],
            line["rule"],
            line["direction"],
            line["requirement"],
        )
        for line in _lines("parameters.csv")
    )


@cache
def requirements() -> Mapping[str, str]:
    """The statement of every requirement, by its id."""
    return {line["id"]: line["statement"] for line in _lines("requirements.csv")}


@cache
def expectations() -> Mapping[str, str]:
    """What clients in the field expect, by the id of each expectation."""
    return {line["id"]: line["statement"] for line in _lines("expectations.csv")}


@cache
def result_codes() -> Mapping[str, str]:
    """The group of every result code of the list, by the code."""
    return {line["code"]: line["group"] for line in _lines("result-codes.csv")}


def _lines(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))
