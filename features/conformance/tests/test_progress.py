"""What a run shows while it goes: failures as they come, and how far it is."""

from io import StringIO

from msgspec.structs import replace
from rich.console import Console

from features.conformance.progress import EVERY_S, SHOWN_IN_FULL, Showing
from reports.events import Began, Case, Event, Failure, Step, Verdict

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


def test_what_is_shown_does_not_command_the_terminal() -> None:
    failure = Failure("\x1b]0;gone\x07", "", "\x9b2J", "")
    told = shown(BEGAN, replace(case("failed"), failure=failure))
    assert "\u241b]0;gone\u2407" in told
    assert not {"\x1b", "\x07", "\x9b"} & set(told)


def test_long_work_says_now_and_then_how_far_it_is() -> None:
    told = shown(BEGAN, *(case("passed", number) for number in range(25)))
    assert told.count("of 30 judged after") == 25 // EVERY_S
    assert "10 of 30 judged after 10 s; none failed" in told
