"""docs/makers/patterns.md: the table of requirements and patterns, and the reasons in it."""

from itertools import groupby

from features.patterns.recognition import PATTERNS
from features.patterns.table import Cell, read_reasons, scenarios_by_cell
from features.spec.tables import requirements

TRIED = "●"

TOP = """\
# Patterns: how each requirement is tried

A fault in a gateway hides where no test looked: in the second item of a list, at the last second,
with another brand, in a checkout, at the acquirer. So each of the {count} requirements is worked
through seven patterns:

| column | pattern |
| --- | --- |
{legend}
A cell with {sign} has scenarios: {tried} of {cells} cells. A number is the reason why the pattern
does not apply. The scenarios of a cell, or its reason, are printed by

```console
$ python -m features.patterns CARD-02 limit
A card is charged in its last month and not in the next
...
```

The table is computed. What a scenario does shows most patterns: which columns of its examples
vary, whom its steps let act, what its Then steps read (`features/patterns/recognition.py`). A limit
cannot be seen, so a tag says it: `@pattern:limit`. Reasons are in `features/patterns/reasons.csv`.
A test refuses a cell with neither scenario nor reason, and a reason for a cell that has a scenario.
This page is printed by `python -m features.patterns > docs/makers/patterns.md`.

The table says that a rule is tried in a way, not that every fault in it is seen.
[Mutants](mutants.md) say more about that.

## The table
"""


def render_page() -> str:
    """The whole page, in Markdown."""
    found = scenarios_by_cell()
    tried = sum(cell.requirement in requirements() for cell in found)
    cells = len(requirements()) * len(PATTERNS)
    legend = "".join(f"| {name} | {words} |\n" for name, words in PATTERNS.items())
    top = TOP.format(count=len(requirements()), legend=legend, sign=TRIED, tried=tried, cells=cells)
    return "".join([top, *_tables(), _reasons()])


def render_cell(requirement: str, pattern: str) -> str:
    """The scenarios of a cell, one a line, or the reason why it has none."""
    cell = Cell(requirement, pattern)
    titles = scenarios_by_cell().get(cell, [])
    reasons = [
        f"does not apply: {each.reason}"
        for each in read_reasons()
        if each.pattern == pattern and requirement in each.requirements
    ]
    lines = titles or reasons or [f"{requirement} {pattern}: no such cell"]
    return "".join(f"{line}\n" for line in lines)


def _tables() -> list[str]:
    found = scenarios_by_cell()
    numbers = {
        Cell(requirement, each.pattern): str(number)
        for number, each in enumerate(read_reasons(), start=1)
        for requirement in each.requirements
    }
    head = f"\n| requirement | {' | '.join(PATTERNS)} |\n| --- |{' :-: |' * len(PATTERNS)}\n"
    tables = []
    for _, group in groupby(requirements(), lambda each: each.partition("-")[0]):
        rows = []
        for requirement in group:
            cells = [Cell(requirement, pattern) for pattern in PATTERNS]
            signs = [TRIED if cell in found else numbers.get(cell, "") for cell in cells]
            rows.append(f"| {requirement} | {' | '.join(signs)} |\n")
        tables.append(head + "".join(rows))
    return tables


def _reasons() -> str:
    lines = [
        f"{number}. *{each.pattern}*: {each.reason}.\n"
        for number, each in enumerate(read_reasons(), start=1)
    ]
    return "\n## The reasons\n\n" + "".join(lines)
