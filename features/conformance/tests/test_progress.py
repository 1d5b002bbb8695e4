"""What a run shows while it goes: failures as they come, and how far it is."""

from io import StringIO

from msgspec.structs import replace
from rich.console import Console

from features.conformance.pacing import RequestedWait
from features.conformance.progress import REPORT_INTERVAL_S, ProgressDisplay
from reports.events import CaseFailure, CaseVerdict, Event, RunStarted, StepResult, Verdict
from reports.run import run_of
from reports.summary import print_summary

BEGAN = RunStarted("", "http://h/", "target.toml", "1", 30, "specification", ["clock"])
FAILURE = CaseFailure("status", "200", "500", "")


class Watch:
    """A clock that goes on by some seconds whenever it is looked at."""

    def __init__(self, step_s: float = 1) -> None:
        self.now = 0.0
        self.step_s = step_s

    def __call__(self) -> float:
        self.now += self.step_s
        return self.now


def case(verdict: Verdict, number: int = 1, reason: str = "") -> CaseVerdict:
    steps = [StepResult("When", "the merchant pays", "failed")]
    failure = FAILURE if verdict == "failed" else None
    return CaseVerdict(
        f"A case #{number}", "A case", "a.feature", verdict, 0.1, 7, ["PAY-01"], steps=steps,
        failure=failure, reason=reason, repeat=f"sandgate check --only 'A case #{number}'",
    )  # fmt: skip


def shown(*events: Event, step_s: float = 1) -> str:
    """Everything that is shown where there is no terminal."""
    out = StringIO()
    showing = ProgressDisplay(Console(file=out, width=40), clock=Watch(step_s))
    for event in events:
        showing.event(event)
    showing.close()
    return out.getvalue()


def test_a_failure_is_printed_once_and_in_full_at_the_end() -> None:
    failed = case("failed")
    progress, out = shown(BEGAN, failed), StringIO()
    print_summary(run_of([replace(BEGAN, cases=1), failed]), Console(file=out, width=40))
    assert progress.count("FAILED A case #1  (a.feature:7)\n") == 1
    for words in (
        "When the merchant pays\n", "status; expected 200; came 500\n", "PAY-01: ",
        "sandgate check --only 'A case #1'\n",
    ):  # fmt: skip
        assert words not in progress
        assert out.getvalue().count(words) == 1


def test_what_is_shown_does_not_command_the_terminal() -> None:
    result = shown(BEGAN, replace(case("failed"), id="\x1b]0;gone\x07\x9b2J"))
    assert "\u241b]0;gone\u2407" in result
    assert not {"\x1b", "\x07", "\x9b"} & set(result)


def test_a_terminal_shows_how_long_the_rest_takes() -> None:
    out = StringIO()
    console = Console(file=out, width=120, force_terminal=True)
    showing = ProgressDisplay(console)
    for event in (BEGAN, case("passed")):
        showing.event(event)
    showing.close()
    assert "left: " in out.getvalue()


def test_the_first_case_foretells_nothing_about_the_rest() -> None:
    # After one case of 2,746, which waited for its gateway, nine hours were announced.
    result = shown(BEGAN, *(case("passed", number) for number in range(10)), step_s=12)

    assert "1 of 30 done after 12 s; none failed" in result
    assert "10 of 30 done after 120 s, about 4 min 0 s left; none failed" in result


def test_long_work_says_now_and_then_how_far_it_is() -> None:
    result = shown(BEGAN, *(case("passed", number) for number in range(25)))
    assert result.count("of 30 done after") == 25 // REPORT_INTERVAL_S
    assert "10 of 30 done after 10 s, about 20.0 s left; none failed" in result


def test_a_wait_is_said_in_one_line_that_steers_no_terminal() -> None:
    out = StringIO()
    showing = ProgressDisplay(Console(file=out, width=40))
    showing.waits(RequestedWait(61.0, "3600\x1b[31m"))
    showing.waits(RequestedWait(60.0))
    first, second = out.getvalue().splitlines()
    assert first.startswith("Waiting 61 s: the target throttles requests, Retry-After: 3600")
    assert "\x1b" not in first
    assert second == "Waiting 60 s: the target throttles requests, without Retry-After"
