"""A gateway that shares nothing with ours is judged fairly: it fails where it lacks something."""

import ast
import csv
import sys
from pathlib import Path

import pytest

from features.mutants.plugin import TargetRun
from features.mutants.runner import run_suite, write_target
from features.reference_gateway.server import serving
from features.spec.tables import requirements

HOME = Path(__file__).parents[1]
PASSED_LEAST = 700


def lacking() -> list[dict[str, str]]:
    with (HOME / "lacking.csv").open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def test_it_is_made_of_the_standard_library_alone() -> None:
    allowed = {*sys.stdlib_module_names}
    for file in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in getattr(node, "names", [])]
            modules = names if isinstance(node, ast.Import) else []
            modules += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            foreign = [name for name in modules if name.partition(".")[0] not in allowed]
            assert all(name.startswith("features.reference_gateway") for name in foreign), file.name


def test_what_it_lacks_is_reported_with_requirements_that_exist() -> None:
    named = {requirement for row in lacking() for requirement in row["requirements"].split()}
    assert named <= set(requirements())
    assert all(row["lacks"] for row in lacking())


@pytest.mark.timeout(300)
def test_it_fails_what_it_lacks_and_nothing_else(tmp_path: Path) -> None:
    with serving() as target:
        run = TargetRun("independent", str(write_target(tmp_path / "independent.toml", target)))
        results = run_suite(tmp_path, [run])

    failed = [each for each in results if each.has_failed]
    assert {each.name for each in failed} == {row["scenario"] for row in lacking()}
    for row in lacking():
        text = "\n".join(each.text for each in failed if each.name == row["scenario"])
        assert all(f"requirement: {name}," in text for name in row["requirements"].split())
    assert all(each.is_comparison for each in failed)
    assert sum(each.case.verdict == "passed" for each in results) >= PASSED_LEAST
