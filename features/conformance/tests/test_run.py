"""A run: how many judge, by which part of the suite, and what becomes of a known failure."""

import os
from datetime import date
from pathlib import Path

import pytest

from features.conformance.cases import BOUNDARIES, FOLDER, CaseKey, SuiteCase
from features.conformance.execution import apply_waivers
from features.conformance.run import ConformanceRun, TargetUnderTest, choose_worker_count
from features.conformance.session import suite_paths_of
from features.target.records import ReceiverAddress, RequestLimits, Target
from reports.events import CaseVerdict, Verdict, WaiverStatus

TARGET = Target("http://h/", "t", "e")


class Waiving:
    """Waives one case."""

    def __init__(self) -> None:
        self.unneeded: list[str] = []

    def passed(self, case_id: str) -> None:
        """Remembers it."""
        self.unneeded.append(case_id)

    def reason_for(self, case_id: str, today: date) -> str | None:
        """A reason that names the case and the day."""
        return f"{case_id} until after {today.year}" if case_id == "A case" else None

    def handed_in(self) -> list[WaiverStatus]:
        """The one there is."""
        return [WaiverStatus("A case", "agreed", "2027-01-01")]

    def shown(self) -> list[WaiverStatus]:
        """The one there is."""
        return self.handed_in()


def run(*, waivers: Waiving | None = None, features: Path | None = None) -> ConformanceRun:
    gateway = TargetUnderTest(TARGET, Path("/a/target.toml"), "my target.toml")
    return ConformanceRun(gateway, [], Path("folder"), features, waivers=waivers)


@pytest.mark.parametrize(
    ("verdict", "id", "becomes"),
    [
        ("failed", "A case", "waived"),
        ("failed", "Another case", "failed"),
        ("passed", "A case", "passed"),
        ("not-checkable", "A case", "not-checkable"),
    ],
)
def test_a_failure_that_is_known_is_waived_and_nothing_else(
    verdict: Verdict, id: str, becomes: Verdict
) -> None:
    case = CaseVerdict(id, id, "a.feature", verdict, 0.1, requirements=["PAY-02"])
    waiving = Waiving()
    result = apply_waivers(case, run(waivers=waiving))
    assert result.verdict == becomes
    assert waiving.unneeded == ([id] if verdict == "passed" else [])
    assert ("A case until after 20" in result.reason) == (becomes == "waived")


def test_a_case_is_repeated_by_a_command_that_can_be_pasted() -> None:
    again = run(features=Path("my features")).repeat("It's a case #2")
    assert again == (
        "sandgate check 'my target.toml' --features 'my features' --only 'It'\"'\"'s a case #2'"
    )


def test_a_case_at_a_fleet_is_repeated_at_its_members() -> None:
    gateway = TargetUnderTest(TARGET, Path("/a/t.toml"), "t.toml", members=["http://b/"])
    again = ConformanceRun(gateway, [], Path("folder")).repeat("A case")
    assert again == "sandgate check t.toml --member http://b/ --only 'A case'"


@pytest.mark.parametrize(
    ("target", "cases", "is_alone"),
    [
        (Target("http://h/", "t", "e", offers=frozenset({"control"})), 1_000, False),
        (Target("http://h/", "t", "e", offers=frozenset({"control"})), 10, True),
        (Target("http://h/", "t", "e", offers=frozenset({"clock"})), 1_000, True),
        (
            Target("http://h/", "t", "e", offers=frozenset({"control"}), limits=RequestLimits(5)),
            1_000,
            True,
        ),
        (
            Target(
                "http://h/", "t", "e", offers=frozenset({"control"}),
                receiver=ReceiverAddress("0.0.0.0:9000"),
            ),
            1_000,
            True,
        ),
    ],
)  # fmt: skip
def test_one_judges_alone_where_several_would_be_in_each_others_way(
    target: Target, cases: int, is_alone: bool
) -> None:
    assert (choose_worker_count(target, cases) == 1) is (is_alone or os.cpu_count() == 1)


def test_a_file_of_the_suite_without_a_chosen_case_is_not_collected() -> None:
    boundary = SuiteCase("FIELD:a:b", CaseKey(BOUNDARIES, "FIELD:a:b"), "a", BOUNDARIES)
    scenarios = [
        SuiteCase(title, CaseKey(str(FOLDER / "requests" / f"{name}.feature"), title), title, name)
        for title, name in (("One", "errors"), ("Another", "errors"), ("A third", "formats"))
    ]

    assert suite_paths_of([boundary]) == [FOLDER / BOUNDARIES]
    assert suite_paths_of([*scenarios, boundary]) == [
        FOLDER / "requests" / "errors.feature",
        FOLDER / "requests" / "formats.feature",
        FOLDER / BOUNDARIES,
    ]
