"""What a run shows while it goes: failures as they come, and how far it is."""

from io import StringIO

from msgspec.structs import replace
from rich.console import Console

from features.conformance.progress import FULL_FAILURES_MAX, REPORT_INTERVAL_S, ProgressDisplay
from reports.events import CaseFailure, CaseVerdict, Event, RunStarted, StepResult, Verdict

BEGAN = RunStarted("", "http://h/", "target.toml", "1", 30, "specification", ["clock"])
FAILURE = CaseFailure("status", "200", "500", "")


class Watch:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def case(verdict: Verdict, number: int = 1, reason: str = "") -> CaseVerdict:
    steps = [StepResult("When", "the merchant pays", "failed")]
    failure = FAILURE if verdict == "failed" else None
    return CaseVerdict(
        f"A case #{number}", "A case", "a.feature", verdict, 0.1, 7, ["PAY-01"], steps=steps,
        failure=failure, reason=reason, repeat=f"sandgate check --only 'A case #{number}'",
    )  # fmt: skip


def shown(*events: Event) -> str:
    """Everything that is shown where there is no terminal."""
    out = StringIO()
    showing = ProgressDisplay(Console(file=out, width=40), clock=Watch())
    for event in events:
        showing.event(event)
    showing.close()
    return out.getvalue()


def test_a_failure_is_shown_with_both_sides_the_rule_and_what_repeats_it() -> None:
    result = shown(BEGAN, case("failed"))
    for words in (
        "FAILED A case #1  (a.feature:7)\n    When the merchant pays\n    status\n",
        "expected: 200\n", "came:     500\n", "rule:     PAY-01, ",
        "again:    sandgate check --only 'A case #1'\n",
    ):  # fmt: skip
        assert words in result


def test_a_target_that_fails_everything_is_reported_in_one_line_a_case() -> None:
    result = shown(BEGAN, *(case("failed", number) for number in range(FULL_FAILURES_MAX + 5)))
    assert result.count("FAILED") == FULL_FAILURES_MAX + 5
    assert result.count("expected:") == FULL_FAILURES_MAX


def test_what_is_shown_does_not_command_the_terminal() -> None:
    failure = CaseFailure("\x1b]0;gone\x07", "", "\x9b2J", "")
    result = shown(BEGAN, replace(case("failed"), failure=failure))
    assert "\u241b]0;gone\u2407" in result
    assert not {"\x1b", "\x07", "\x9b"} & set(result)


def test_long_work_says_now_and_then_how_far_it_is() -> None:
    result = shown(BEGAN, *(case("passed", number) for number in range(25)))
    assert result.count("of 30 done after") == 25 // REPORT_INTERVAL_S
    assert "10 of 30 done after 10 s; none failed" in result
