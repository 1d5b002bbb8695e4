"""The report for build servers: JUnit XML as the schema of the Jenkins xUnit plugin has it.

One suite for each feature file. What was waived, not checkable or not evaluated is `skipped` and
says why. The schema knows no properties of a case, so each requirement is a property of its suite,
with its verdicts, and the output of a case begins with the requirements it shows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from reports.events import CaseFailure, CaseVerdict
from reports.exchanges import protocol_of
from reports.run import RecordedRun
from reports.words import SIGNS, headline_of, readable, reason_of

# Enough to see what happened; build servers keep every report in memory. Choice: D-220.
TEXT_MAX = 4_000
TEXT_MAX_PASSED = 500
# The elements of what did not end as it should: of the target, or of a step itself.
FAILURES: Mapping[str, str] = {"failed": "failure", "error": "error"}


def junit_of(run: RecordedRun) -> bytes:
    """The XML document of a run. One that lacks something has an error of its own, and is red."""
    files = defaultdict(list)
    for case in run.cases:
        files[case.file].append(case)
    suites = [_suite(file, cases, run) for file, cases in files.items()]
    if run.lacks or not run.cases:
        suites.append(_incomplete(headline_of(run).words))
    totals = {
        name: str(sum(int(suite.attrib[name]) for suite in suites))
        for name in ("tests", "failures", "errors")
    }
    about = {"name": readable(run.began.command), "time": _seconds(run.seconds)}
    root = Element("testsuites", {**about, **totals})
    root.extend(suites)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _suite(file: str, cases: Sequence[CaseVerdict], run: RecordedRun) -> Element:
    failed = sum(case.verdict == "failed" for case in cases)
    errors = sum(case.verdict == "error" for case in cases)
    passed = sum(case.verdict == "passed" for case in cases)
    suite = Element(
        "testsuite",
        name=readable(file),
        tests=str(len(cases)),
        failures=str(failed),
        errors=str(errors),
        skipped=str(len(cases) - failed - errors - passed),
        time=_seconds(sum(case.seconds for case in cases)),
        timestamp=readable(run.began.at),
    )
    properties = SubElement(suite, "properties")
    for name, value in _properties(cases, run):
        SubElement(properties, "property", name=readable(name), value=readable(value))
    suite.extend(_testcase(case) for case in cases)
    return suite


def _properties(cases: Sequence[CaseVerdict], run: RecordedRun) -> list[tuple[str, str]]:
    """The target, and each requirement with the verdicts of its cases in this suite."""
    shown = defaultdict(list)
    for case in cases:
        for name in dict.fromkeys([*case.requirements, *case.expectations]):
            shown[name].append(f"{case.id}: {SIGNS[case.verdict].word}")
    headline = headline_of(run)
    about = [("verdict", f"{headline.title}: {headline.words}".strip())]
    about += [("target", run.began.base_url), ("profile", run.began.profile or "none")]
    return about + [(f"requirement:{name}", "; ".join(shown[name])) for name in sorted(shown)]


def _testcase(case: CaseVerdict) -> Element:
    element = Element(
        "testcase",
        name=readable(case.id),
        classname=readable(case.file.removesuffix(".feature").replace("/", ".")),
        time=_seconds(case.seconds),
    )
    if case.verdict in FAILURES:
        element.append(_failure(case))
    elif case.verdict != "passed":
        word = SIGNS[case.verdict].word
        message = readable(f"{word}: {reason_of(case)}")
        SubElement(element, "skipped", type=case.verdict, message=message)
    SubElement(element, "system-out").text = readable(_output(case))
    if case.server_wrote:
        SubElement(element, "system-err").text = readable(case.server_wrote)
    return element


def _failure(case: CaseVerdict) -> Element:
    failure = case.failure
    what = failure.what if failure else "it failed without a reason"
    element = Element(FAILURES[case.verdict], type=case.verdict, message=readable(what))
    repeat = [f"repeat: {case.repeat}"] if case.repeat else []
    element.text = readable("\n".join([_compared(failure) if failure else what, *repeat]))
    return element


def _compared(failure: CaseFailure) -> str:
    """What was compared, once: the whole text holds both sides."""
    sides = [("expected", failure.expected), ("came", failure.came)]
    lines = [failure.what, *(f"{name}: {value}" for name, value in sides if value)]
    return failure.text or "\n".join(lines)


def _output(case: CaseVerdict) -> str:
    shows = ", ".join([*case.requirements, *case.expectations, *case.decisions]) or "none"
    most = TEXT_MAX_PASSED if case.verdict == "passed" else TEXT_MAX
    return f"requirements: {shows}\n{case.title}\n{protocol_of(case, most=most)}".rstrip()


def _incomplete(words: str) -> Element:
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    suite = Element("testsuite", {"name": "the run itself", **counts})
    testcase = SubElement(suite, "testcase", name="the run is complete", classname="sandgate")
    SubElement(testcase, "error", type="incomplete", message=readable(words)).text = words
    return suite


def _seconds(seconds: float) -> str:
    return f"{max(seconds, 0):.3f}"
