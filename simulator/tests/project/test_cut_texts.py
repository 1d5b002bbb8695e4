"""What an error repeats is cut in one way: a slice of a card number is one that no mask finds."""

import ast

from simulator.tests.kit.trees import ROOT


def cut_by_hand(source: str) -> list[str]:
    """What is cut with a slice where it is said to have come."""
    calls = [
        each
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.Call) and getattr(each.func, "id", "") == "InvalidInputError"
    ]
    said = [part for call in calls for got in call.args[2:] for part in ast.walk(got)]
    slices = [each for each in said if isinstance(each, ast.Subscript)]
    return [ast.unparse(each) for each in slices if isinstance(each.slice, ast.Slice)]


def test_no_error_cuts_what_came_by_hand() -> None:
    assert cut_by_hand('raise InvalidInputError("a", "b", f"{c[:10]}, {d[0]}")') == ["c[:10]"]
    found = {
        path.relative_to(ROOT).as_posix(): cut
        for path in sorted((ROOT / "simulator").rglob("*.py"))
        if (cut := cut_by_hand(path.read_text(encoding="utf-8")))
    }
    assert found == {}
