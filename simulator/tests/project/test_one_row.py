"""Payment types, webhook events and brands are each listed in one table: everything else reads it.

A literal (or a match, or the arguments of a call) that names three or more of them is a second
list. It would have to be changed with the table, and nothing would say so.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.events import EVENT_NAMES, EVENT_TYPES
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.core.records import PaymentType
from simulator.tests.kit.trees import ROOT

SOURCES = ("simulator", "acquirer_mocks", "scenarios")
A_LIST = 3
MEMBERS = {f"PaymentType.{member.name}": member.value for member in PaymentType}

# What is listed, how code names each of it, and the modules that hold the table.
TABLES: Mapping[str, tuple[Mapping[str, str], frozenset[str]]] = {
    "payment types": (
        {**{code: code for code in PAYMENT_TYPES}, **MEMBERS},
        frozenset({"simulator/catalogue/payment_types.py"}),
    ),
    "webhook event types": (
        {**{kind: kind for kind in EVENT_TYPES}, **{name: name for name in EVENT_NAMES}},
        frozenset({"simulator/catalogue/events.py", "simulator/grammar/events.py"}),
    ),
    "brands": (
        {brand: brand for brand in BRANDS},
        frozenset({"simulator/catalogue/brands.py"}),
    ),
}


def lists_in(source: str, names: Mapping[str, str]) -> Iterator[tuple[int, set[str]]]:
    """The lines of literals, calls and matches that name three or more different rows."""
    for node in ast.walk(ast.parse(source)):
        found = {names[name] for each in _members(node) if (name := _name(each)) in names}
        if len(found) >= A_LIST:
            yield getattr(node, "lineno", 0), found


def _members(node: ast.AST) -> list[ast.expr | None]:
    match node:
        case ast.Tuple() | ast.List() | ast.Set():
            return [*node.elts]
        case ast.Dict():
            return [*node.keys]
        case ast.Call():
            return [*node.args]
        case ast.Match():
            return [part for case in node.cases for part in _patterns(case.pattern)]
        case ast.BoolOp():
            return [part for each in node.values for part in _compared(each)]
    return []


def _patterns(pattern: ast.pattern) -> list[ast.expr | None]:
    if isinstance(pattern, ast.MatchOr):
        return [part for each in pattern.patterns for part in _patterns(each)]
    return [pattern.value] if isinstance(pattern, ast.MatchValue) else []


def _compared(node: ast.expr) -> list[ast.expr | None]:
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else []


def _name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _production() -> Iterator[Path]:
    for package in SOURCES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "tests" not in path.parts:
                yield path


@pytest.mark.parametrize("listed", TABLES)
def test_there_is_no_second_list(listed: str) -> None:
    names, tables = TABLES[listed]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {', '.join(sorted(codes))}"
        for path in _production()
        if str(path.relative_to(ROOT)) not in tables
        for line, codes in lists_in(path.read_text(), names)
    ]
    assert not found, f"a second list of {listed}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        'X = ("PA", "DB", "CD")',
        'X = {"PA", PaymentType.DB, PaymentType.PA_CP}',
        'X = {PaymentType.PA: 1, PaymentType.DB: 2, "RG": 3}',
        'X = choice_of("PA", "DB", "CD")',
        'match kind:\n    case "PA" | "DB":\n        pass\n    case "CD":\n        pass',
        "X = a is PaymentType.PA or a is PaymentType.DB or a is PaymentType.CD",
    ],
)
def test_a_second_list_is_found(source: str) -> None:
    assert list(lists_in(source, TABLES["payment types"][0]))


def test_a_pair_is_no_list() -> None:
    assert not list(lists_in('X = ("PA", "DB", "PA")', TABLES["payment types"][0]))


def test_the_enumeration_has_the_rows_in_their_order() -> None:
    assert [member.value for member in PaymentType] == [*PAYMENT_TYPES]
