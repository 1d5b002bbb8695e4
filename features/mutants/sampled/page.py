"""docs/makers/sampled-mutants.md: how many sampled mutants the suite kills, and which survive."""

from collections.abc import Mapping

from features.mutants.sampled.figures import (
    GroupFigure,
    SampleFigures,
    SurvivingMutant,
    read_figures,
)
from features.mutants.sampled.modules import LEFT_OUT

LENGTH_MAX = 160

TOP = """\
# Sampled mutants: how much of the gateway the conformance suite covers

**{killed} of {tried} sampled mutants are killed: {percent:.1f} %** (seed {seed}, {date}).

[mutmut](https://mutmut.readthedocs.io/) changes the source of the gateway: a comparison, a number,
a word, an argument, a branch. A seed draws some of these changes from every capability. Each
gateway with one change is served, and the conformance suite is run against it. The changes were not
chosen by people, so this figure says how likely the suite is to detect a defect. [The mutants made
by hand](mutants.md) say something else: that each scenario can fail.

- Drawn: {drawn}. Of these {not_started} did not start and are not counted.
- Killed: {killed}, {by_scenarios} of them by a scenario and {by_fields} by a boundary of a field. A
  mutant is killed when a case fails twice in a row that the original passes.
- Survived: {survived}. For {not_executed} of these no case executes the changed statement.
- Left out: {equivalent} known changes that no client can notice
  ([the list](../../features/mutants/sampled/equivalent.csv) has the reason of each), and the texts,
  logs and modules below.
- Machine: {machine}.

```sh
{command}
```

tries the same mutants again, as long as the source is the same. It keeps its results in
`build/mutants` and goes on there when it is called again. `make proof` runs it.

## By group of requirements

A mutant belongs to the group whose scenarios are most like those that execute the changed
statement.

| group | tried | killed | % |
| --- | --- | --- | --- |
"""

WITHOUT_FIGURES = """\
No whole sample was tried yet: `python -m features.mutants.sampled try --store` tries one, and
stores the figures that belong here.
"""

CAPABILITIES = """
## By capability

| capability | tried | killed | % |
| --- | --- | --- | --- |
"""

SURVIVORS = """
## Survivors

| mutant | group | where | instead of | stands | cases |
| --- | --- | --- | --- | --- | --- |
"""

MODULES = """
## What is not mutated

| modules | because |
| --- | --- |
"""


def render_page(figures: SampleFigures | None = None) -> str:
    """The whole page, in Markdown; without figures it says how to get them."""
    figures = figures or read_figures()
    if figures is None:
        return "".join([*TOP.partition("\n\n")[:2], WITHOUT_FIGURES, *render_modules()])
    return "".join([
        render_top(figures), render_figures(figures.groups),
        CAPABILITIES, render_figures(figures.capabilities),
        SURVIVORS, *map(render_survivor, figures.survivors),
        *render_modules(),
    ])  # fmt: skip


def render_modules() -> list[str]:
    """The modules that are not mutated, each with the reason."""
    return [MODULES, *(f"| `{path}` | {why} |\n" for path, why in LEFT_OUT.items())]


def render_top(figures: SampleFigures) -> str:
    """The headline, and where it comes from."""
    machine = figures.run["machine"]
    return TOP.format(
        killed=figures.all.killed,
        tried=figures.all.tried,
        percent=figures.all.percent,
        seed=figures.seed,
        command=figures.run["command"].removesuffix(" --store"),
        date=figures.run["date"],
        drawn=figures.drawn,
        not_started=figures.not_started,
        by_scenarios=figures.by_scenarios,
        by_fields=figures.all.killed - figures.by_scenarios,
        survived=len(figures.survivors),
        not_executed=sum(not each.executed_by for each in figures.survivors),
        equivalent=figures.equivalent,
        machine=", ".join(f"{name} {value}" for name, value in machine.items()),
    )


def headline(figures: SampleFigures | None = None) -> str:
    """The figure in one sentence."""
    figures = figures or read_figures()
    if figures is None:
        return "none yet, for no sample was tried"
    percent, day = f"{figures.all.percent:.1f} %", figures.run["date"].partition(" ")[0]
    return f"{figures.all.killed} of {figures.all.tried} ({percent}, {day})"


def render_figures(figures: Mapping[str, GroupFigure]) -> str:
    """The rows of a table of figures."""
    return "".join(
        f"| {name} | {each.tried} | {each.killed} | {each.percent:.0f} |\n"
        for name, each in figures.items()
    )


def render_survivor(each: SurvivingMutant) -> str:
    """The row of a survivor."""
    where = f"`{each.module}` {each.function}"
    cells = [each.id, each.group, where, code(each.before), code(each.after)]
    return f"| {' | '.join(cells)} | {each.executed_by} |\n"


def code(lines: str) -> str:
    """Changed lines as one cell of a table."""
    text = " ".join(lines.split()).replace("|", "\\|")
    shown = text if len(text) <= LENGTH_MAX else f"{text[:LENGTH_MAX]}..."
    return f"`` {shown} ``" if shown else "(nothing)"
