"""Syntax that old browsers cannot read is found, and nothing else."""

from pathlib import Path

import pytest

from features.support.syntax import newer_syntax
from simulator.client.processes import PACKAGES

PARTS = sorted(Path(PACKAGES, "simulator", "web", "form").rglob("*.js"))


@pytest.mark.parametrize(
    "script",
    [
        "var a = function () { return 1; };",
        'var a = "let b => `c`"; // const d = () => 1;',
        "/* class A {} */ var b = a / 2 / 3;",
        "var r = /^([^#]*)(#.*)?$/.exec(x) || /=>/.test(y);",
        "for (var i = 0; i < 3; i += 1) {}",
    ],
)
def test_old_syntax_is_left_alone(script: str) -> None:
    assert newer_syntax(script) == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("let a = 1;", ["let a"]), ("const a = () => 1;", ["const a", "=>"]),
        ("var a = `b`;", ["`", "`"]), ("f(...a);", ["..."]), ("class A {}", ["class A"]),
        ("for (var a of b) {}", ["for (var a of"]), ("a?.b ?? c", ["?.", "??"]),
        ("async function f() { await g(); }", ["async f", "await g"]),
    ],
)  # fmt: skip
def test_newer_syntax_is_found(script: str, found: list[str]) -> None:
    assert newer_syntax(script) == found


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_parts_of_our_own_script_have_none(part: Path) -> None:
    assert newer_syntax(part.read_text(encoding="utf-8")) == []
