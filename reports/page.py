"""The report for people: one HTML page that needs nothing but itself.

It loads nothing and sends nothing, and its own policy forbids both. It is read without its script,
which only filters and copies.
"""

import base64
import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from reports import exchanges
from reports.events import CaseFailure, CaseVerdict
from reports.matrix import RequirementStatus, matrix_of
from reports.requirements import planned, requirements, statements
from reports.run import VERDICTS, RecordedRun
from reports.words import SIGNS, State, duration, headline_of, moment, readable, reason_of

TEMPLATES = Path(__file__).parent / "templates"
# Choice: D-220. What is longer stands in the JSON report.
TEXT_MAX = 8_000
OPEN_MAX = 50


@dataclass(frozen=True, slots=True)
class RequirementSection:
    """The requirements of one section of the specification, and how many are in each state."""

    name: str
    standings: Sequence[RequirementStatus]
    counts: Mapping[State, int]


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case, where it stands on the page, and which of its steps asked what the verdict is about.

    `asking` is the last step with an exchange before, or at, the one that failed; -1 for none.
    """

    case: CaseVerdict
    anchor: str
    asking: int


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Cases that stand together: those of a file, or those that share a reason."""

    name: str
    cases: Sequence[CaseView]
    counts: Mapping[State, int]


def page_of(run: RecordedRun) -> str:
    """The page of a run."""
    shown = [
        CaseView(case, f"case-{n}", _asking(case)) for n, case in enumerate(run.cases, start=1)
    ]
    matrix = matrix_of(run.cases, requirements(), planned())
    return _environment().get_template("report.html").render(
        run=run,
        headline=headline_of(run),
        failed=[each for each in shown if each.case.verdict == "failed"],
        errors=[each for each in shown if each.case.verdict == "error"],
        waived=[each for each in shown if each.case.verdict == "waived"],
        skipped=_skipped(shown),
        sections=_sections(matrix),
        features=_groups((each.case.file, each) for each in shown),
        anchors={each.case.id: each.anchor for each in shown},
        statements=statements(),
        verdicts=VERDICTS,
        open_max=OPEN_MAX,
    )  # fmt: skip


def _asking(case: CaseVerdict) -> int:
    asked = -1
    for number, step in enumerate(case.steps):
        asked = number if step.exchanges else asked
        if step.verdict == "failed":
            break
    return asked


def _sections(matrix: Iterable[RequirementStatus]) -> list[RequirementSection]:
    parts = [(name, list(rows)) for name, rows in groupby(matrix, lambda row: row.section)]
    return [
        RequirementSection(name, rows, _counts(row.state for row in rows)) for name, rows in parts
    ]


def _skipped(shown: Sequence[CaseView]) -> list[CaseGroup]:
    """What was not checkable or not evaluated, by reason, the most frequent reason first."""
    aside = [each for each in shown if each.case.verdict in ("not-checkable", "not-judged")]
    groups = _groups((reason_of(each.case), each) for each in aside)
    return sorted(groups, key=lambda group: -len(group.cases))


def _groups(named: Iterable[tuple[str, CaseView]]) -> list[CaseGroup]:
    members: dict[str, list[CaseView]] = defaultdict(list)
    for name, shown in named:
        members[name].append(shown)
    return [
        CaseGroup(name, cases, _counts(each.case.verdict for each in cases))
        for name, cases in members.items()
    ]


def _counts(states: Iterable[State]) -> dict[State, int]:
    """How many are in each state that occurs, the worst first."""
    found = Counter(states)
    return {state: found[state] for state in SIGNS if found[state]}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    css, script = ((TEMPLATES / name).read_text("utf-8") for name in ("report.css", "report.js"))
    environment.globals.update(
        signs=SIGNS,
        surfaces=exchanges.SURFACES,
        duration=duration,
        moment=moment,
        css=css,
        script=script,
        policy=_policy(css, script),
        request_text=partial(exchanges.request_text, most=TEXT_MAX),
        answer_text=partial(exchanges.answer_text, most=TEXT_MAX),
        shortened=partial(exchanges.cut, most=TEXT_MAX),
    )
    environment.filters["reason"] = reason_of
    environment.filters["rest"] = rest_of
    environment.filters["line_of"] = exchanges.line_of
    return environment


def rest_of(failure: CaseFailure) -> str:
    """What the message of a failure says beside what was compared and both sides, which stand above
    it.
    """
    rest = failure.text.removeprefix(failure.what).lstrip("\n")
    for side, value in (("expected", failure.expected), ("came", failure.came)):
        label = re.match(rf" *{side}: *", rest)
        if label is None:
            continue
        rest = rest[label.end() :]
        # A long side is shortened; of the message at least its line goes.
        rest = rest[len(value) :] if rest.startswith(value) else rest.partition("\n")[2]
        rest = rest.lstrip("\n")
    return rest.strip("\n")


def _shown(value: Any) -> Any:
    """What is put into the page: texts without characters that a browser drops or obeys."""
    return readable(value) if type(value) is str else value


def _policy(css: str, script: str) -> str:
    """The page loads nothing, sends nothing, and runs this script alone."""
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(css)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
