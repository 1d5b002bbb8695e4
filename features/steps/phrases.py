"""Words and helpers shared by the steps of several nouns."""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.client import Answer

TYPES = {
    "an authorized payment": "PA",
    "a debit": "DB",
    "a credit": "CD",
    "authorizes": "PA",
    "debits": "DB",
    "credits": "CD",
    "captures": "CP",
    "refunds": "RF",
    "rebills": "RB",
    "reports": "RC",
}
Script = Mapping[str, Any]
MONEY = r"(?P<amount>\S+) (?P<currency>\w+)"
PAYS = rf"the merchant (?P<verb>authorizes|debits|credits) {MONEY}"


def outcome_of(answer: Answer) -> tuple[int, str]:
    """Status and result code of a response."""
    return answer.status, answer.code


def several(datatable: Sequence[Sequence[str]]) -> dict[str, str]:
    """The parameters of a two-column table."""
    return {row[0]: row[1] for row in datatable}


def behaviour(name: str, acquirer: Mapping[str, Any]) -> Mapping[str, Any]:
    """A behaviour with these steps of the acquirer."""
    return {
        "name": name,
        "title": name.replace("-", " "),
        "description": "Armed by a scenario.",
        "steps": {"acquirer": acquirer},
    }
