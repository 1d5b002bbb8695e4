"""The figures of a sample, and the page that shows them."""

from pathlib import Path

from features.mutants.sampled.commands import describe
from features.mutants.sampled.figures import GroupFigure, figures_of, read_figures, write_figures
from features.mutants.sampled.jobs import Job, JobResult, read_result, write_result
from features.mutants.sampled.mutations import SampledMutant
from features.mutants.sampled.page import headline, render_page
from features.mutants.sampled.run import Tried

PAGE = Path(__file__).parents[4] / "docs" / "makers" / "sampled-mutants.md"
RUN = {
    "command": "python -m features.mutants.sampled try",
    "date": "2026-11-24 12:00 UTC",
    "machine": {"cores": 2},
}


def tried(name: str, group: str, state: str, killer: str = "") -> Tried:
    mutant = SampledMutant(name, "simulator/x.py", "payments", "f", (3, 3), "a > b", "a >= b")
    result = JobResult(name, state, 1, killer) if killer else None  # type: ignore[arg-type]
    return Tried(mutant, group, 0 if state == "not executed" else 5, state, result)


TRIED = [
    tried("1", "PAY", "killed", "An amount is charged"),
    tried("2", "PAY", "killed", "FIELD:amount:longest"),
    tried("3", "PAY", "survived"),
    tried("4", "CARD", "not executed"),
    tried("5", "CARD", "not-started"),
]


def test_what_does_not_start_is_not_counted_and_what_is_not_executed_survived() -> None:
    figures = figures_of(TRIED, run=RUN, seed=7, equivalent=2)
    assert figures.all == GroupFigure(4, 2)
    assert figures.groups == {"CARD": GroupFigure(1, 0), "PAY": GroupFigure(3, 2)}
    assert figures.not_started == 1
    assert figures.by_scenarios == 1
    assert [each.id for each in figures.survivors] == ["3", "4"]
    assert headline(figures) == "2 of 4 (50.0 %, 2026-11-24)"


def test_figures_are_read_as_they_were_written(tmp_path: Path) -> None:
    figures = figures_of(TRIED, run=RUN, seed=7, equivalent=2)
    write_figures(figures, tmp_path / "figures.json")
    assert read_figures(tmp_path / "figures.json") == figures


def test_a_survivor_is_described_with_its_change() -> None:
    assert describe(TRIED[0]) == ""
    assert "    - a > b\n    + a >= b\n" in describe(TRIED[2])


def test_a_result_is_written_whole_and_read_again(tmp_path: Path) -> None:
    assert read_result(tmp_path, "1") is None
    result = JobResult("1", "killed", 3, "An amount is charged", ["PAY-01"])
    write_result(tmp_path, result)
    assert read_result(tmp_path, "1") == result
    assert Job("1").result(tmp_path).exists()


def test_a_page_with_figures_begins_with_the_figure() -> None:
    page = render_page(figures_of(TRIED, run=RUN, seed=7, equivalent=2))
    assert "**2 of 4 sampled mutants are killed: 50.0 %** (seed 7, 2026-11-24 12:00 UTC)." in page
    assert "| CARD | 1 | 0 | 0 |\n| PAY | 3 | 2 | 67 |" in page


def test_the_page_is_the_stored_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page()
