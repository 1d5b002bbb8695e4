"""Which lines use what a statement gives a value."""

from features.mutants.sampled.modules import ROOT
from features.mutants.sampled.uses import names_at, users_of, uses_of

SOURCE = """\
LARGEST, SMALLEST = 100, 1


class Row:
    is_bare: bool = False
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
