"""The mutants that are equivalent to the original."""

import csv
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_name("equivalent.csv")


def equivalent_mutants() -> Mapping[str, dict[str, str]]:
    """The mutants that no client can tell from the original, each with the reason, by id."""
    with FILE.open(encoding="utf-8", newline="") as source:
        return {row["id"]: row for row in csv.DictReader(source)}
