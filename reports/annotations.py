"""Annotations: failed cases as the workflow commands that GitHub shows beside a change.

Source: GitHub Docs, workflow commands, setting an error message.
"""

from collections.abc import Iterator

from reports.events import CaseVerdict
from reports.run import RecordedRun
from reports.words import readable, reason_of

LEVELS = {"failed": "error", "error": "error", "waived": "warning"}


def annotation_lines(run: RecordedRun) -> Iterator[str]:
    """A line for each case that failed, ended in an error or was waived."""
    return (annotation_of(case) for case in run.cases if case.verdict in LEVELS)


def annotation_of(case: CaseVerdict) -> str:
    """`::error file=...,line=...,title=...::text`, with what would end a value escaped."""
    place = {"file": case.file, "line": str(case.line or 1), "title": case.id}
    members = ",".join(f"{name}={_escape(text, ':,')}" for name, text in place.items())
    return f"::{LEVELS[case.verdict]} {members}::{_escape(_message(case))}"


def _message(case: CaseVerdict) -> str:
    if case.verdict == "waived" or case.failure is None:
        return reason_of(case)
    return case.failure.text or case.failure.what


def _escape(text: str, more: str = "") -> str:
    escaped = readable(text).replace("%", "%25").replace("\n", "%0A")
    for sign in more:
        escaped = escaped.replace(sign, f"%{ord(sign):02X}")
    return escaped
