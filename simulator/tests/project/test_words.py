"""Names and sentences use the words of the glossary."""

import ast
from collections import defaultdict
from pathlib import Path

from simulator.tests.kit.trees import Source, sources
from simulator.tests.project.words import EXEMPT, ROOT, refused_words, tracked_files

SHOWN_MAX = 40
# Exceptions that no error is behind: two of the four words that are never mixed up.
NOT_ERRORS = ("Violations", "Refusal")
# The program of a terminal shares no record with the gateway; both have the words of their trade.
TERMINAL_SIDE = ("Entry", "Gateway", "Operation", "Order", "Stage", "Terminal")
# One meaning on both sides of the wire: the suite shares no record with the gateway.
SHARED = {"Merchant", *TERMINAL_SIDE}


def test_no_file_uses_a_refused_word() -> None:
    found = refused_words(ROOT, tracked_files(ROOT))

    assert not found, "\n".join([f"{len(found)} refused words", *map(str, found[:SHOWN_MAX])])


def test_each_exempt_word_is_still_there() -> None:
    unused = [row for row in EXEMPT if row.word not in (ROOT / row.path).read_text("utf-8").lower()]

    assert not unused, f"{unused}: take them out of the table"


def test_a_refused_word_is_found_in_names_and_across_lines(tmp_path: Path) -> None:
    planted = tmp_path / "planted.py"
    planted.write_text("class FarSide:\n    # Nobody knows the\n    # books.\n    seat_of = 1\n")

    assert [(each.line, each.word) for each in refused_words(tmp_path, ["planted.py"])] == [
        (1, "far side"),
        (2, "nobody"),
        (2, "the # books"),
        (4, "seat"),
    ]


def test_other_words_that_hold_a_refused_one_are_allowed(tmp_path: Path) -> None:
    allowed = "a recommendation, an indoor payment, made up of two parts, whatever the currency\n"
    (tmp_path / "page.md").write_text(allowed)

    assert refused_words(tmp_path, ["page.md"]) == []


def test_git_lists_sources_pages_and_features() -> None:
    listed = tracked_files(ROOT)

    assert {"README.md", "Makefile", "simulator/app.py"} <= set(listed)
    assert any(path.endswith(".feature") for path in listed)


def production() -> list[Source]:
    return [source for source in sources() if not source.is_test]


def class_definitions(modules: list[Source]) -> list[tuple[Source, ast.ClassDef]]:
    """The classes of each module; those inside a function are its own matter."""
    return [
        (source, node)
        for source in modules
        for node in source.tree.body
        if isinstance(node, ast.ClassDef)
    ]


def test_a_class_name_has_one_meaning() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for source, node in class_definitions(production()):
        found[node.name].append(f"{source.path}:{node.lineno}")

    repeated = {
        name: places for name, places in found.items() if len(places) > 1 and name not in SHARED
    }

    assert not repeated, "\n".join(f"{name}: {' '.join(at)}" for name, at in repeated.items())


def test_the_name_of_an_exception_ends_in_error() -> None:
    bases = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for _, node in class_definitions(production())
    }

    found = [name for name in bases if is_exception(name, bases) and not name.endswith("Error")]

    assert set(found) == set(NOT_ERRORS)


def is_exception(name: str, bases: dict[str, list[str]]) -> bool:
    return (
        name in ("Exception", "BaseException")
        or name not in bases
        and name.endswith("Error")
        or any(is_exception(base, bases) for base in bases.get(name, ()))
    )
