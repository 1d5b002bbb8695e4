"""A pytest plugin that runs the suite against several targets in one session.

Starting pytest takes longer than most scenarios, so hundreds of targets share one session. Verdicts
are those of `features.conformance.stream`, as in `sandgate check`, each with its target.

    python -m pytest -p features.conformance.stream -p features.mutants.plugin \\
        --targets RUNS --results FILE
"""

from pathlib import Path

import msgspec
import pytest

from features.conformance.stash import skip_case
from features.conformance.stream import PROPERTY, WorkerResult, suite_case_of
from features.conformance.verdicts import scenario_of
from features.target.reading import read_target
from features.target.records import Target
from reports.events import CaseVerdict

FIELD = "FIELD:"
TARGET = "sandgate.target"


class TargetRun(msgspec.Struct, frozen=True):
    """A target to test: its name, its target file, and the titles of the cases to run.

    A title is that of a scenario or the id of a boundary case; no titles mean all scenarios. With
    `once` the remaining rows of a scenario are skipped as soon as one row has failed.
    """

    name: str
    file: str
    titles: tuple[str, ...] = ()
    once: bool = False

    def includes(self, title: str) -> bool:
        """Whether a scenario or a boundary case is to run against this target."""
        return title in self.titles if self.titles else not title.startswith(FIELD)


class CaseResult(msgspec.Struct, frozen=True):
    """The verdict of a case, and its target."""

    target: str
    case: CaseVerdict

    @property
    def name(self) -> str:
        """The id of a boundary case, or the title of a scenario."""
        return self.case.id if self.case.id.startswith(FIELD) else self.case.title

    @property
    def has_failed(self) -> bool:
        """Whether the case failed."""
        return self.case.verdict == "failed"

    @property
    def text(self) -> str:
        """The text of the failure; empty where it did not fail."""
        return self.case.failure.text if self.case.failure else ""

    @property
    def is_comparison(self) -> bool:
        """Whether a comparison failed, as opposed to an error on the way to it."""
        return self.has_failed and "requirement: " in self.text

    @property
    def is_in_then(self) -> bool:
        """Whether it failed in a Then step; a boundary case has no other step."""
        words = [step.keyword for step in self.case.steps if step.verdict != "not-reached"]
        parts = [word for word in words if word in ("Given", "When", "Then")]
        return self.name.startswith(FIELD) or parts[-1:] == ["Then"]


def read_results(file: Path) -> list[CaseResult]:
    """Every result that a session wrote. Raises msgspec.MsgspecError."""
    return [msgspec.json.decode(line, type=CaseResult) for line in file.read_bytes().splitlines()]


class ResultWriter:
    """Writes each verdict with its target, and remembers the cases that failed."""

    def __init__(self, path: Path):
        self._path = path
        self.failed: set[tuple[str, str]] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the verdict that the last report of a case carries."""
        properties = dict(report.user_properties)
        if PROPERTY not in properties:
            return
        reported = msgspec.json.decode(str(properties[PROPERTY]), type=WorkerResult)
        result = CaseResult(str(properties[TARGET]), reported.case)
        if result.has_failed:
            self.failed.add((result.target, result.name))
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(result) + b"\n")


_RUNS = pytest.StashKey[dict[str, TargetRun]]()
_WRITER = pytest.StashKey[ResultWriter]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the targets to test and the file of results."""
    parser.addoption("--targets", metavar="RUNS", help="the targets to test, as JSON")
    parser.addoption("--results", metavar="FILE", help="where to write the results")


def pytest_configure(config: pytest.Config) -> None:
    """Read the targets, and register the marker that connects a case with its target."""
    config.addinivalue_line("markers", "target_run(name): the target of a case")
    runs = msgspec.json.decode(Path(config.getoption("targets")).read_bytes(), type=list[TargetRun])
    config.stash[_RUNS] = {run.name: run for run in runs}
    config.stash[_WRITER] = ResultWriter(Path(config.getoption("results")))
    config.pluginmanager.register(config.stash[_WRITER])


@pytest.fixture(autouse=True)
def _each_target(target: Target) -> None:
    """Every case depends on `target`, so that it can be parametrized with several."""


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize each case with the targets it is to run against."""
    runs = metafunc.config.stash[_RUNS].values()
    targets = [
        pytest.param(
            read_target(Path(run.file)), id=run.name, marks=pytest.mark.target_run(run.name)
        )
        for run in runs
        if _may_include(run, metafunc)
    ]
    metafunc.parametrize("target", targets, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the cases that no target includes."""
    items[:] = [
        item for item in items if any(run.includes(_name_of(item)) for run in _runs_of(item))
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Record the target of a case, and skip rows after a failed one where `once` is set."""
    (run,) = _runs_of(item)
    item.user_properties.append((TARGET, run.name))
    if run.once and (run.name, _name_of(item)) in item.config.stash[_WRITER].failed:
        skip_case(item, "not-judged", "another row of it has failed already")


def _may_include(run: TargetRun, metafunc: pytest.Metafunc) -> bool:
    scenario = scenario_of(metafunc.function)
    if scenario is not None:
        return run.includes(scenario.name)
    return any(title.startswith(FIELD) for title in run.titles)


def _name_of(item: pytest.Item) -> str:
    known = suite_case_of(item)
    return known.id if known.is_boundary else known.title


def _runs_of(item: pytest.Item) -> list[TargetRun]:
    runs = item.config.stash[_RUNS]
    return [runs[mark.args[0]] for mark in item.iter_markers("target_run")]
