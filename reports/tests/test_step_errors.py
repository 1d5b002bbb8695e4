"""An error of a step is no failure of the target, in any report."""

from xml.etree import ElementTree

from reports.events import CaseFailure, CaseVerdict, exit_status_of
from reports.junit import junit_of
from reports.matrix import matrix_of
from reports.page import page_of
from reports.requirements import Requirement
from reports.run import RecordedRun, run_of
from reports.summary import summary_lines
from reports.tests.streams import errored, events_of, failed, passed
from reports.words import headline_of


def run_with(*cases: CaseVerdict) -> RecordedRun:
    return run_of(events_of(list(cases)))


def test_the_exit_status_is_2_unless_a_case_failed() -> None:
    assert exit_status_of({"error": 1, "passed": 3}) == 2
    assert exit_status_of({"error": 1, "failed": 1}) == 1
    assert run_with(passed(), errored()).exit_status == 2


def test_junit_has_an_error_and_no_failure() -> None:
    root = ElementTree.fromstring(junit_of(run_with(passed(), errored())))
    assert (root.get("errors"), root.get("failures")) == ("1", "0")
    (error,) = root.iter("error")
    assert error.get("message") == "the step could not be carried out"
    assert "KeyError: 'points'" in (error.text or "")


def test_a_requirement_with_an_error_has_failed_only_where_a_case_failed() -> None:
    row = Requirement("END-08", "Endpoints", "captures")
    assert matrix_of([errored()], [row], {})[0].state == "error"
    assert matrix_of([errored(), failed()], [row], {})[0].state == "failed"


def test_terminal_and_page_list_it_apart_from_what_failed() -> None:
    run = run_with(passed(), errored())
    shown = "\n".join(line.plain for line in summary_lines(run))
    assert "Errors of steps" in shown
    assert "Failed" not in shown
    assert headline_of(run).title == "Error"
    page = page_of(run)
    assert 'id="errors"' in page
    assert 'id="failed"' not in page


def test_an_error_keeps_its_text() -> None:
    assert errored().failure == CaseFailure(
        "the step could not be carried out", came="KeyError: 'points'", text="KeyError: 'points'"
    )
