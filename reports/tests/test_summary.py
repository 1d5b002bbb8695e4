"""The end of a run on the terminal."""

from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from reports.run import run_of
from reports.summary import FAILED_MAX, print_summary
from reports.tests.streams import HOSTILE, aside, events_of, failed, one_of_each, passed


def printed(events, *, width: int = 100, **more) -> str:
    console = Console(file=StringIO(), width=width)
    print_summary(run_of(events), console, **more)
    return console.file.getvalue()


def test_it_counts_every_verdict_and_says_the_whole_in_words():
    text = printed(events_of(one_of_each()))

    assert "✓ 1 passed  ✗ 1 failed  ! 1 waived  ? 1 not checkable  – 1 not evaluated" in text
    assert "Failed: 1 of 5 cases failed." in text
    assert "4.5 s waited for the limits" in text


def test_a_failed_case_names_its_requirement_both_sides_and_the_command():
    text = printed(events_of(one_of_each()))

    assert "END-08: Referencing requests use the id of a payment" in text
    assert "result of the capture; expected a refusal; came '000.100.110'" in text


def test_a_command_is_not_broken_into_lines_that_cannot_be_pasted():
    assert f"{failed().repeat}\n" in printed(events_of([failed()]), width=40)


def test_what_was_not_checked_is_grouped_by_its_reason():
    cases = [aside("not-checkable", "no clock", id=str(n)) for n in range(3)]

    assert "? not checkable, 3 cases: no clock" in printed(events_of(cases))


def test_waivers_are_shown_and_those_that_expired_ask_for_something():
    text = printed(events_of([passed()]))

    assert "! PAY-10 (5 cases), in force, until 2027-02-28: the memo is shown" in text
    assert "? CARD-05 (1 case), expired, until 2026-10-31" in text
    assert "Next: renew the waivers that expired" in text


@pytest.mark.parametrize(
    ("state", "sign", "asks"), [("unused", "?", True), ("not judged", "\u2013", False)]
)
def test_only_a_waiver_whose_cases_were_all_judged_is_to_be_taken_out(state, sign, asks):
    began, *cases, ended = events_of([passed()])
    waiver = replace(ended.waivers[0], state=state)

    text = printed([began, *cases, replace(ended, waivers=[waiver])])

    assert f"{sign} PAY-10 (5 cases), {state}, until" in text
    assert ("take out the waivers" in text) == asks


def test_it_says_what_to_do_next():
    assert "Next: sandgate coverage verdicts.jsonl" in printed(
        events_of([passed()]), stream="verdicts.jsonl"
    ).replace("see which requirements that proves: ", "")
    assert "Next: repeat one case" in printed(events_of([failed()]))
    assert "Next: test a target that offers webhooks." in printed(events_of(one_of_each()))
    assert "Next: run it again" in printed(events_of([passed()], ends=False))


def test_a_thousand_failures_do_not_scroll_the_verdict_away():
    text = printed(events_of([failed(id=str(n)) for n in range(1_000)]))

    assert "and 980 more; sandgate report STREAM --html report.html shows all" in text
    assert text.count("\n") < 10 * FAILED_MAX


def test_a_terminal_obeys_nothing_that_it_shows():
    events = events_of([failed(title=HOSTILE, repeat=HOSTILE), aside("not-checkable", HOSTILE)])

    text = printed(events)

    assert "\x1b" not in text and "[red]" in text


def test_a_run_that_lacks_its_end_alone_lacks_no_case():
    said = printed(events_of([passed()], ends=False, cases=1))

    assert "Next: run it again; the end of the run is missing" in said
    assert "not run" not in said.split("Next:")[1]
