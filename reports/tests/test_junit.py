"""JUnit XML keeps the schema of the Jenkins xUnit plugin, and hides no verdict."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from hypothesis import given, settings

from reports.events import CaseFailure, StepResult
from reports.junit import TEXT_MAX, TEXT_MAX_PASSED, junit_of
from reports.run import run_of
from reports.tests.anything import SOME_CASES
from reports.tests.streams import events_of, exchange, failed, one_of_each, passed

# The rules of junit-10.xsd for the elements we write: attributes that must be, that may be,
# children, and whether it holds text.
REPORTED = {"message", "type"}
SCHEMA = {
    #             must                                     may                  children     text
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}, False),
    "testsuite": ({"name", "tests", "failures", "errors"}, {"time", "skipped", "timestamp"},
                  {"properties", "testcase"}, False),
    "properties": (set(), set(), {"property"}, False),
    "property":   ({"name", "value"}, set(), set(), False),
    "testcase":   ({"name"}, {"time", "classname"},
                   {"skipped", "error", "failure", "system-out", "system-err"}, False),
    "failure":    (set(), REPORTED, set(), True),
    "error":      (set(), REPORTED, set(), True),
    "skipped":    (set(), REPORTED, set(), True),
    "system-out": (set(), set(), set(), True),
    "system-err": (set(), set(), set(), True),
}  # fmt: skip
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def wrong_in(root: Element) -> list[str]:
    """What breaks the schema."""
    found = []
    for element in root.iter():
        must, may, children, has_text = SCHEMA[element.tag]
        names = set(element.attrib)
        if must - names or names - must - may:
            found.append(f"{element.tag} has {sorted(names)}")
        if {child.tag for child in element} - children:
            found.append(f"{element.tag} holds {[child.tag for child in element]}")
        if not has_text and (element.text or "").strip():
            found.append(f"{element.tag} holds text")
        if element.tag.startswith("testsuite") and not TIME.fullmatch(element.get("time", "")):
            found.append(f"{element.tag} took {element.get('time')}")
    return found


def read(judged, /, **began) -> Element:
    return ElementTree.fromstring(junit_of(run_of(events_of(judged, **began))))


def test_a_report_of_every_verdict_keeps_the_schema():
    assert wrong_in(read(one_of_each())) == []
    assert wrong_in(read(one_of_each(), ends=False)) == []


def test_a_breach_of_the_schema_is_found():
    planted = ElementTree.fromstring('<testsuites time="soon">x<testcase id="1"/></testsuites>')

    assert len(wrong_in(planted)) == 4


@settings(max_examples=25, deadline=None)
@given(SOME_CASES)
def test_any_stream_gives_xml_that_can_be_read(cases):
    root = read(cases)

    assert wrong_in(root) == []
    assert len(root.findall(".//testcase[system-out]")) == len(cases)


def test_what_was_not_judged_is_skipped_with_its_reason():
    root = read(one_of_each())
    skipped = {each.get("type"): each.get("message") for each in root.iter("skipped")}

    assert skipped == {
        "waived": "waived: the memo is shown from release 4 on (until 2027-02-28)",
        "not-checkable": "not checkable: the target does not offer webhooks",
        "not-judged": "not evaluated: D-41 are decisions of another gateway",
    }


def test_the_counts_are_those_of_the_verdicts():
    root = read(one_of_each())

    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "1", "0")
    assert sum(int(suite.get("skipped")) for suite in root) == 3


def test_a_failure_says_expected_came_and_how_to_repeat_it():
    [failure] = read([failed()]).iter("failure")

    assert failure.get("message") == "result of the capture"
    for side in ("result of the capture", "a refusal", "'000.100.110'"):
        assert failure.text.count(side) == 1
    assert f"repeat: {failed().repeat}" in failure.text


def test_a_failure_without_a_whole_text_says_both_sides_too():
    compared = CaseFailure("answer", expected="a refusal", came="000.100.110")
    [failure] = read([failed(failure=compared)]).iter("failure")

    assert failure.text.startswith("answer\nexpected: a refusal\ncame: 000.100.110\n")


def test_the_report_has_the_name_of_the_command_that_ran():
    assert read([passed()]).get("name") == "sandgate check"
    command = "sandgate check-merchant"
    assert read([passed()], command=command).get("name") == command


def test_requirements_are_properties_of_the_suite_with_their_verdicts():
    root = read([failed()])
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}

    assert properties["requirement:ERR-01"] == f"{failed().id}: failed"
    assert properties["target"] == "http://127.0.0.1:8080/"
    assert root.findtext(".//system-out").startswith("requirements: END-08, ERR-01, D-07")


def test_the_output_holds_requests_and_answers_but_not_all_of_a_large_one():
    steps = [StepResult("When", "all is read", "passed", [exchange(body="x" * 1_000_000)])]

    read_failed = read([failed(steps=steps)]).findtext(".//system-out")
    read_passed = read([passed(steps=steps)]).findtext(".//system-out")

    assert "POST /v1/payments/" in read_failed and "amount=92.00" in read_passed
    assert f"[{TEXT_MAX:,} of " in read_failed and len(read_failed) < 2 * TEXT_MAX
    assert len(read_passed) < 4 * TEXT_MAX_PASSED


def test_a_run_that_was_cut_off_or_empty_is_red():
    for root in (read([passed()], ends=False, cases=9), read([])):
        assert root.get("errors") == "1"
        assert root.find(".//testcase[@name='the run is complete']/error") is not None
    assert "cut off after 1 of 9" in read([passed()], ends=False, cases=9).find(".//error").text
