"""Which lines use what a statement gives a value."""

from pathlib import Path

from features.mutants.sampled.modules import ROOT
from features.mutants.sampled.uses import body_of, class_of, names_at, users_of, uses_of

SOURCE = """\
LARGEST, SMALLEST = 100, 1


class Row:
    is_bare: bool = False
"""


FUNCTIONS = """\
class Error(Exception):
    def __init__(self, why: str, *, is_too_long: bool = False):
        super().__init__(why)
        self.is_too_long = is_too_long

    @property
    def why(
        self,
    ) -> str:
        return str(self)
"""


def test_a_statement_gives_values_to_variables_and_members() -> None:
    assert names_at(SOURCE, (1, 1)) == {"LARGEST", "SMALLEST"}
    assert names_at(SOURCE, (5, 5)) == {"is_bare"}
    assert names_at(SOURCE, (2, 2)) == set()


def test_a_name_is_used_where_it_stands_but_not_where_it_is_imported() -> None:
    found = list(uses_of("NO_SESSION", "simulator/catalogue/results.py", ROOT))
    lines = [(ROOT / module).read_text().splitlines()[line - 1] for module, line in found]
    assert found and all("NO_SESSION" in line for line in lines)
    assert not [line for line in lines if line.startswith(("from ", "import "))]


def test_a_row_of_a_table_is_used_where_the_table_is() -> None:
    found = {module for module, _ in users_of("simulator/catalogue/results.py", (60, 60), ROOT)}
    assert {"simulator/catalogue/results.py", "simulator/domain/payments/bodies.py"} <= found


def test_a_value_is_used_by_modules_that_are_not_mutated_too() -> None:
    found = {module for module, _ in uses_of("matched", "simulator/domain/core/records.py", ROOT)}
    assert "simulator/domain/steering/matching_scripts.py" in found


def test_a_member_is_of_the_class_around_it(tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(SOURCE, encoding="utf-8")
    of = {line: class_of("rows.py", (line, line), tmp_path) for line in range(1, 6)}
    assert of == {1: "", 2: "", 3: "", 4: "", 5: "Row"}


def test_the_head_of_a_function_has_to_do_with_its_body(tmp_path: Path) -> None:
    (tmp_path / "errors.py").write_text(FUNCTIONS, encoding="utf-8")
    of = {line: body_of("errors.py", (line, line), tmp_path) for line in range(1, 11)}
    assert of == {1: None, 2: (3, 4), 3: None, 4: None, 5: None} | dict.fromkeys(
        (6, 7, 8, 9), (10, 10)
    ) | {10: None}
