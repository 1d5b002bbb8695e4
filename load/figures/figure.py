"""Figures: what was measured over several rounds, the goal it is compared with, and their files."""

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from rich.box import HEAVY_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

FOLDER = Path(__file__).parent
AT_LEAST, AT_MOST = "at least", "at most"
COLUMNS = ("figure", "unit", "min", "median", "max", "rounds", "must", "aim", "verdict")
DIGITS = 3
PLAIN_WIDTH = 160


class Goal(NamedTuple):
    """The limit a median must keep, and the better one it aims at."""

    sense: str
    must: float
    aim: float

    def verdict(self, value: float) -> str:
        """ "aim met", "must met" or "missed"."""
        if self._holds(value, self.aim):
            return "aim met"
        return "must met" if self._holds(value, self.must) else "missed"

    def _holds(self, value: float, limit: float) -> bool:
        return value >= limit if self.sense == AT_LEAST else value <= limit


class Figure(NamedTuple):
    """One measured quantity, a value per round. Without a goal it only explains the others."""

    name: str
    unit: str
    values: tuple[float, ...]
    goal: Goal | None = None

    @property
    def median(self) -> float:
        """The value that is compared with the goal."""
        return median(self.values)

    @property
    def verdict(self) -> str:
        """The result of the comparison with its goal; empty without one."""
        return "" if self.goal is None else self.goal.verdict(self.median)

    def document(self) -> dict[str, Any]:
        """Return the figure as JSON, with its spread and its verdict."""
        spread = {"min": min(self.values), "median": self.median, "max": max(self.values)}
        goal = {} if self.goal is None else {**self.goal._asdict(), "verdict": self.verdict}
        values = {"values": [round_value(value) for value in self.values]}
        return {
            "name": self.name,
            "unit": self.unit,
            **{name: round_value(value) for name, value in spread.items()},
            **goal,
            **values,
        }

    def row(self) -> tuple[str, ...]:
        """Return the figure as the cells of COLUMNS."""
        spread = (min(self.values), self.median, max(self.values))
        goal = ("", "")
        if self.goal is not None:
            sense = self.goal.sense
            goal = (
                f"{sense} {format_value(self.goal.must)}",
                f"{sense} {format_value(self.goal.aim)}",
            )
        counted = str(len(self.values))
        return (self.name, self.unit, *map(format_value, spread), counted, *goal, self.verdict)


def missed_names(figures: Iterable[Figure]) -> list[str]:
    """Return the names of the figures that miss their goal."""
    return [figure.name for figure in figures if figure.verdict == "missed"]


def print_table(title: str, figures: Iterable[Figure]) -> None:
    """Print figures: a table on a terminal, otherwise plain columns."""
    print_rows(title, COLUMNS, (figure.row() for figure in figures))


def print_rows(title: str, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
    """Print rows under their columns: a table on a terminal, otherwise plain columns."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH, no_color=True)
    table = Table(title=title, box=HEAVY_HEAD if console.is_terminal else None)
    shown = [tuple(row) for row in rows]
    for number, column in enumerate(columns):
        is_numeric = shown and all(_is_number(row[number]) for row in shown)
        table.add_column(column, justify="right" if is_numeric else "left", overflow="fold")
    for row in shown:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)


def write_figures(
    name: str, title: str, facts: Mapping[str, Any], figures: Iterable[Figure]
) -> None:
    """Write `<name>.json` and `<name>.md` into the folder of figures."""
    figures = list(figures)
    FOLDER.mkdir(exist_ok=True)
    document = {**facts, "figures": [figure.document() for figure in figures]}
    text = json.dumps(document, indent=2, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (FOLDER / f"{name}.md").write_text(format_markdown(title, facts, figures), encoding="utf-8")


def format_markdown(title: str, facts: Mapping[str, Any], figures: Iterable[Figure]) -> str:
    """Return figures as a Markdown page: first where they come from, then a table of them."""
    lines = [f"# {title}", ""]
    lines += [f"- {name}: {_fact_text(fact)}" for name, fact in facts.items()]
    lines += ["", _table_row(COLUMNS), _table_row(["---"] * len(COLUMNS))]
    lines += [_table_row(figure.row()) for figure in figures]
    return "\n".join(lines) + "\n"


def round_value(value: float) -> float:
    """Return a value with its significant digits. What was not measured is infinite."""
    if not isfinite(value):
        return value
    return round(value, DIGITS) if abs(value) < 100 else round(value)


def format_value(value: float) -> str:
    """Return a value as text, with separated thousands and no trailing zeros."""
    return f"{round_value(value):,}"


def _is_number(cell: str) -> bool:
    return cell.lstrip("+-")[:1].isdigit() or cell == "-"


def _table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fact_text(fact: object) -> str:
    if isinstance(fact, Mapping):
        return ", ".join(f"{name} {value}" for name, value in fact.items())
    return str(fact)
