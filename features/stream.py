"""The pytest plugin that tells a verdict a case: what was done, what went over the wire, and why.

`sandgate check` loads it beside `features.plugin`. A worker makes the verdict of each of its cases,
masked, as a property of the last report; the controller alone writes, one JSON object a line.
"""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_bdd.parser import Scenario, ScenarioTemplate, Step
from pytest_bdd.scenario import scenario_wrapper_template_registry

from features import feature_files
from features.boundaries.cases import Case as Boundary
from features.cases import Key, Known, known_cases, of_boundary
from features.failures import failure_of
from features.keys import PACER, RECORDER, RECORDS, SERVER_FOLDER, UNJUDGED
from features.masking import Masking, without_numbers
from features.recording import cut
from reports import events

PROPERTY = "sandgate.case"
EXAMPLE = "_pytest_bdd_example"
THROTTLED = (
    "the target throttled a request of this case; name its limits in [limits] of the target file"
)

_KNOWN = pytest.StashKey[Mapping[Key, Known]]()
_LOG = pytest.StashKey["_Log"]()


class Judged(msgspec.Struct, frozen=True):
    """What a worker tells of a case: its verdict, and how long the judge waited for limits."""

    case: events.Case
    paced_s: float = 0.0


@dataclass
class _Log:
    """What happened to one case so far."""

    known: Known
    steps: list[events.Step] = field(default_factory=list)
    left: list[Step] = field(default_factory=list)
    exchanges: list[events.Exchange] = field(default_factory=list)
    seconds: float = 0.0
    failed: pytest.CallInfo[None] | None = None
    was_skipped: bool = False
    skipped: str = ""
    server_wrote: str = ""


class Writer:
    """Writes each verdict as it comes in, from whichever worker."""

    def __init__(self, path: Path):
        self._out = path.open("wb", buffering=0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the verdict that the last report of a case carries."""
        for name, told in report.user_properties:
            if name == PROPERTY:
                self._out.write(str(told).encode() + b"\n")

    def pytest_unconfigure(self) -> None:
        """Close what was written."""
        self._out.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `sandgate check` hands to the judge."""
    group = parser.getgroup("sandgate")
    group.addoption("--stream", help="write a verdict a line to this file")
    group.addoption("--cases", help="judge only the cases this file names, a JSON list of ids")
    group.addoption("--feature-files", help="judge the .feature files of this folder")
    group.addoption("--server-folder", help="where the server under judgement writes its stderr")


def pytest_configure(config: pytest.Config) -> None:
    """Have exchanges recorded; only the controller of several workers writes."""
    config.stash[RECORDS] = True
    folder = config.getoption("feature_files")
    known = known_cases(Path(folder) if folder else None)
    config.stash[_KNOWN] = {each.key: each for each in known}
    server = config.getoption("server_folder")
    if server:
        config.stash[SERVER_FOLDER] = Path(server)
    if folder:
        config.pluginmanager.register(feature_files)
    out = config.getoption("stream")
    if out and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Writer(Path(out)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the cases that were chosen, every worker alike."""
    for item in items:
        item.stash[_LOG] = _Log(known_of(item))
    chosen = config.getoption("cases")
    if chosen is None:
        return
    ids = set(json.loads(Path(chosen).read_text(encoding="utf-8")))
    left = [item for item in items if item.stash[_LOG].known.id not in ids]
    items[:] = [item for item in items if item.stash[_LOG].known.id in ids]
    config.hook.pytest_deselected(items=left)


def known_of(item: pytest.Item) -> Known:
    """The case that an item of pytest judges."""
    call = getattr(item, "callspec", None)
    if call is not None and isinstance(call.params.get("case"), Boundary):
        return of_boundary(call.params["case"])
    template = _template_of(item)
    rows = sum(len(table.examples) for table in template.examples)
    # pytest counts the calls of a function: all rows for one target, then all for the next.
    row = call.indices[EXAMPLE] % rows + 1 if call is not None and EXAMPLE in call.indices else 0
    return item.config.stash[_KNOWN][Key(template.feature.filename, template.name, row)]


def scenario_of(function: Any) -> ScenarioTemplate | None:
    """The scenario that a test function executes; None where it is no scenario."""
    return scenario_wrapper_template_registry.get(function)


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, scenario: Scenario) -> None:
    """Know every step there is to be executed."""
    request.node.stash[_LOG].left = list(scenario.steps)


def pytest_bdd_after_step(request: pytest.FixtureRequest, step: Step) -> None:
    """A step that went through."""
    _step_ended(request.node, step, "passed")


def pytest_bdd_step_error(request: pytest.FixtureRequest, step: Step) -> None:
    """A step that did not."""
    _step_ended(request.node, step, "failed")


def pytest_bdd_step_func_lookup_error(request: pytest.FixtureRequest, step: Step) -> None:
    """A step that nobody has defined."""
    _step_ended(request.node, step, "failed")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget what went over the wire after the last step of the case before."""
    recorder = item.config.stash.get(RECORDER, None)
    if recorder is not None:
        recorder.taken()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note how each phase ended, and tell the verdict with the last."""
    report = yield
    log = item.stash[_LOG]
    log.seconds += call.duration
    recorder = item.config.stash.get(RECORDER, None)
    if log.known.is_boundary and recorder is not None and call.when != "teardown":
        # What takes down a session comes after its last case, and is no part of that.
        log.exchanges += recorder.taken()
    if report.failed:
        log.failed = log.failed or call
        wrote = [text for title, text in report.sections if title == "server stderr"]
        log.server_wrote = "\n".join(wrote) or log.server_wrote
    if report.skipped:
        log.was_skipped = True
        log.skipped = str(call.excinfo.value) if call.excinfo is not None else ""
    if call.when == "teardown":
        pacer = item.config.stash.get(PACER, None)
        judged = Judged(case_of(item), pacer.taken_s() if pacer else 0.0)
        report.user_properties.append((PROPERTY, msgspec.json.encode(judged).decode()))
    return report


def case_of(item: pytest.Item) -> events.Case:
    """The verdict of a case whose phases are over."""
    log, masking = item.stash[_LOG], _masking_of(item)
    known = log.known
    verdict, reason = verdict_of(item)
    failure = failure_of(log.failed, log.skipped, masking) if verdict == "failed" else None
    return events.Case(
        id=known.id,
        title=without_numbers(known.title),
        file=known.file,
        line=known.line,
        verdict=verdict,
        reason=masking.text(reason),
        seconds=round(log.seconds, 3),
        requirements=[*known.requirements],
        expectations=[*known.expectations],
        decisions=[*known.decisions],
        needs=[*known.needs],
        example={name: cut(masking.value(name, text)) for name, text in known.example.items()},
        steps=_steps_of(item, verdict),
        failure=failure,
        server_wrote=masking.text(log.server_wrote),
    )


def verdict_of(item: pytest.Item) -> tuple[events.Verdict, str]:
    """How a case ended, and why where it is neither passed nor failed.

    What a throttled request was answered says nothing of the case, be it what a step expects or
    not. A skip that is not our own is a failure, whatever reason it has.
    """
    log, pacer = item.stash[_LOG], item.config.stash.get(PACER, None)
    unjudged = item.stash.get(UNJUDGED, None)
    if log.failed is None and unjudged is not None:
        return unjudged
    if not log.was_skipped and pacer is not None and pacer.was_throttled:
        return "not-checkable", THROTTLED
    return ("passed" if _went_through(log) else "failed"), ""


def _went_through(log: _Log) -> bool:
    """Whether nothing failed or was skipped, and every step was reached and passed."""
    every_step = not log.left and all(step.verdict == "passed" for step in log.steps)
    return log.failed is None and not log.was_skipped and every_step


def _template_of(item: pytest.Item) -> ScenarioTemplate:
    template = scenario_of(getattr(item, "function", None))
    assert template is not None, f"{item.nodeid} is no scenario"
    return template


def _step_ended(item: pytest.Item, step: Step, verdict: events.StepVerdict) -> None:
    log, recorder = item.stash[_LOG], item.config.stash.get(RECORDER, None)
    exchanges = recorder.taken() if recorder is not None else []
    log.left = log.left[1:]
    log.steps.append(_step(step, verdict, _masking_of(item), exchanges))


def _steps_of(item: pytest.Item, verdict: events.Verdict) -> list[events.Step]:
    """The steps of a case, those that were not reached among them."""
    log, masking = item.stash[_LOG], _masking_of(item)
    if log.known.is_boundary:
        return [_boundary_step(item, verdict)]
    if not log.steps and not log.left:
        log.left = list(_template_of(item).render(log.known.example).steps)
    return [*log.steps, *(_step(step, "not-reached", masking, []) for step in log.left)]


def _step(
    step: Step, verdict: events.StepVerdict, masking: Masking, exchanges: list[events.Exchange]
) -> events.Step:
    rows = step.datatable.raw() if step.datatable is not None else []
    lines = [step.name, *(f"| {' | '.join(map(str, row))} |" for row in rows)]
    return events.Step(
        keyword=step.keyword.strip(),
        text=masking.text("\n".join(lines)),
        verdict=verdict,
        exchanges=exchanges,
    )


def _boundary_step(item: pytest.Item, verdict: events.Verdict) -> events.Step:
    """What a boundary case does, in the words of a step."""
    log = item.stash[_LOG]
    example = log.known.example
    ended: dict[str, events.StepVerdict] = {"passed": "passed", "failed": "failed"}
    return events.Step(
        keyword="When",
        text=f"a payment has {example['name']} of {len(example['value'])} characters",
        verdict=ended.get(verdict, "not-reached"),
        exchanges=log.exchanges,
    )


def _masking_of(item: pytest.Item) -> Masking:
    recorder = item.config.stash.get(RECORDER, None)
    return recorder.masking if recorder is not None else Masking()
