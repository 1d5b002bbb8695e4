"""What a run shows: failures as they come, how far it is, and the one command to go on with."""

from io import StringIO

import pytest
from rich.console import Console

from features.showing import EVERY_S, SHOWN_IN_FULL, Showing
from reports.events import Began, Case, Ended, Event, Failure, Step, Verdict

BEGAN = Began("", "http://h/", "target.toml", "1", 30, "specification", ["clock"])
FAILURE = Failure("status", "200", "500", "")


class Watch:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def case(verdict: Verdict, number: int = 1, reason: str = "") -> Case:
    steps = [Step("When", "the merchant pays", "failed")]
    failure = FAILURE if verdict == "failed" else None
    return Case(
        f"A case #{number}", "A case", "a.feature", verdict, 0.1, 7, ["PAY-01"], steps=steps,
        failure=failure, reason=reason, repeat=f"sandgate check --only 'A case #{number}'",
    )  # fmt: skip


def shown(*events: Event) -> str:
    """Everything that is shown where there is no terminal."""
    out = StringIO()
    showing = Showing(Console(file=out, width=40), clock=Watch())
    for event in events:
        showing.event(event)
    showing.close()
    return out.getvalue()


def test_a_failure_is_shown_with_both_sides_the_rule_and_what_repeats_it() -> None:
    told = shown(BEGAN, case("failed"))
    for words in (
        "FAILED A case #1  (a.feature:7)\n    When the merchant pays\n    status\n",
        "expected: 200\n", "came:     500\n", "rule:     PAY-01, ",
        "again:    sandgate check --only 'A case #1'\n",
    ):  # fmt: skip
        assert words in told


def test_a_target_that_fails_everything_is_told_in_one_line_a_case() -> None:
    told = shown(BEGAN, *(case("failed", number) for number in range(SHOWN_IN_FULL + 5)))
    assert told.count("FAILED") == SHOWN_IN_FULL + 5
    assert told.count("expected:") == SHOWN_IN_FULL


def test_long_work_says_now_and_then_how_far_it_is() -> None:
    told = shown(BEGAN, *(case("passed", number) for number in range(25)))
    assert told.count("of 30 judged after") == 25 // EVERY_S
    assert "10 of 30 judged after 10 s; none failed" in told


@pytest.mark.parametrize(
    ("counts", "status", "after"),
    [
        ({"passed": 1}, 0, "Everything that was judged is as the specification says"),
        ({"passed": 1, "not-checkable": 1}, 3, "Next: let the target file offer what is missing"),
    ],
)
def test_the_end_says_what_to_do_next(counts: dict[str, int], status: int, after: str) -> None:
    ended = Ended("", 2.0, counts, status, [{"id": "PAY-02", "until": "2027-01-01"}], 12.5)
    told = shown(BEGAN, case("not-checkable", reason="the target does not offer clock"), ended)
    assert after in told
    assert "1 because the target does not offer clock" in told
    assert "waited 12.5 s in all to keep to the limits of the target" in told
    assert "waiver: id PAY-02, until 2027-01-01" in told


def test_after_a_failure_comes_the_command_that_repeats_the_first() -> None:
    ended = Ended("", 2.0, {"failed": 2}, 1)
    told = shown(BEGAN, case("failed", 4), case("failed", 5), ended)
    assert told.endswith("Next: sandgate check --only 'A case #4'\n")
