"""What changed between two runs, and failures as annotations of GitHub."""

from reports.annotations import annotation_lines, annotation_of
from reports.changes import CaseChange, change_lines, changes_between, failed_ids
from reports.events import CaseFailure, CaseVerdict
from reports.run import RecordedRun, run_of
from reports.tests.streams import HOSTILE, aside, errored, events_of, failed, passed


def run_with(*cases: CaseVerdict) -> RecordedRun:
    return run_of(events_of(list(cases)))


BEFORE = run_with(passed(1), passed(2), failed(), errored())


def test_the_worst_change_is_first_and_what_was_not_selected_is_none() -> None:
    after = run_with(passed(3), failed(id=passed(2).id), passed(id=failed().id))
    assert changes_between(BEFORE, after) == [
        CaseChange(passed(2).id, "passed", "failed"),
        CaseChange(passed(3).id, "none", "passed"),
        CaseChange(failed().id, "failed", "passed"),
    ]
    assert changes_between(BEFORE, BEFORE) == []


def test_the_lines_say_since_when_and_are_bounded() -> None:
    title, *lines = change_lines(run_with(), run_with(*(passed(each) for each in range(30))))
    assert title.plain == "Since the run of 2026-11-22T09:30:00Z: 30 changed"
    assert len(lines) == 21
    assert lines[-1].plain == "    ... and 10 more"


def test_failed_cases_and_errors_are_run_again() -> None:
    assert failed_ids(BEFORE) == [failed().id, errored().id]


def test_what_failed_or_was_waived_is_annotated_where_it_is_written() -> None:
    run = run_with(passed(), failed(), errored(), aside("waived", "until release 4"))
    first, second, third = annotation_lines(run)
    assert first.startswith("::error file=features/back_office.feature,line=31,title=A capture")
    assert "%0A  expected%3A" not in first
    assert "%0A  expected:    a refusal" in first
    assert second.startswith("::error file=own/shop.feature,line=7,")
    assert third == (
        "::warning file=features/webhooks.feature,line=1,title=A case that was waived"
        "::until release 4"
    )


def test_a_text_of_a_target_cannot_begin_another_command() -> None:
    text = f"came\n::error file=x::y, 100% {HOSTILE}"
    shown = annotation_of(failed(id="a,b: c", failure=CaseFailure("what", text=text)))
    assert "\n" not in shown
    assert "\r" not in shown
    assert "title=a%2Cb%3A c::came%0A::error" in shown
    assert "100%25" in shown
