"""The pytest plugin that writes one verdict for each test case, with its steps and exchanges.

`sandgate check` loads it beside `features.plugin`. A worker makes the verdict of each of its test
cases, masked, as a property of the last report; the controller alone writes, one JSON object a
line.
"""

from collections.abc import Callable, Generator, Mapping
from functools import partial
from inspect import isfunction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pytest_bdd.parser import Scenario, Step

from features.boundaries.cases import BoundaryCase as Boundary
from features.conformance.cases import BOUNDARIES, CaseKey, SuiteCase, load_cases
from features.conformance.pacing import RequestedWait
from features.conformance.stash import (
    ANNOUNCE_WAIT,
    OWN_STEPS,
    RATE_LIMITER,
    RECORD_EXCHANGES,
    RECORDER,
    SERVER_FOLDER,
)
from features.conformance.verdicts import (
    EXAMPLE,
    LOG,
    CaseLog,
    masking_of,
    result_of,
    scenario_of,
    step_of,
    template_of,
)
from features.gherkin import collector as feature_files
from features.support.assertions import ConformanceAssertionError
from reports import events
from simulator.client.shown.writable import writable_document

PROPERTY = "sandgate.case"
SAID_MAX = 60

# The test cases that were chosen, and the files and titles of their scenarios; all, and nothing, if
# none were chosen.
_KNOWN = pytest.StashKey[Mapping[CaseKey, SuiteCase]]()
_TITLES = pytest.StashKey[set[tuple[str, str]] | None]()


class WorkerResult(msgspec.Struct, frozen=True):
    """What a worker reports of a test case: its verdict, and how long it waited for rate limits."""

    case: events.CaseVerdict
    paced_s: float = 0.0


class AnnouncedWait(msgspec.Struct, frozen=True):
    """What a worker reports while a test case waits, as its target demands."""

    wait: RequestedWait


class StreamWriter:
    """Writes each verdict and each wait of every worker as it comes in."""

    def __init__(self, path: Path):
        self._out = path.open("wb", buffering=0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write what a report carries: the last of a test case has its verdict."""
        for name, value in report.user_properties:
            if name == PROPERTY:
                self._out.write(str(value).encode() + b"\n")

    def pytest_unconfigure(self) -> None:
        """Close what was written."""
        self._out.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `sandgate check` passes to pytest."""
    group = parser.getgroup("sandgate")
    group.addoption("--stream", help="write one verdict a line to this file")
    group.addoption("--cases", help="run only the test cases of this file, a list in JSON")
    group.addoption("--feature-files", help="run the .feature files of this folder")
    group.addoption("--server-folder", help="the folder with the stderr of the server under test")


def pytest_configure(config: pytest.Config) -> None:
    """Record exchanges; only the controller of several workers writes."""
    config.stash[RECORD_EXCHANGES] = True
    folder = config.getoption("feature_files")
    chosen = config.getoption("cases")
    if chosen:
        known = msgspec.json.decode(Path(chosen).read_bytes(), type=list[SuiteCase])
    else:
        known = load_cases(Path(folder) if folder else None)
    config.stash[_KNOWN] = {each.key: each for each in known}
    titles = {(each.key.file, each.key.title) for each in known}
    config.stash[_TITLES] = titles if chosen else None
    server = config.getoption("server_folder")
    if server:
        config.stash[SERVER_FOLDER] = Path(server)
    if folder:
        config.stash[OWN_STEPS] = Path(folder).resolve()
    config.pluginmanager.register(feature_files)
    out = config.getoption("stream")
    if out and not hasattr(config, "workerinput"):
        config.pluginmanager.register(StreamWriter(Path(out)))


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """No test case of a scenario that was not chosen: filling in its examples takes long."""
    template = scenario_of(obj) if isfunction(obj) else None
    titles = collector.config.stash[_TITLES]
    if template is None or titles is None:
        return None
    return None if (template.feature.filename, template.name) in titles else []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the cases that were chosen, every worker alike."""
    if config.stash[_TITLES] is not None:
        known = config.stash[_KNOWN]
        left = [item for item in items if _key_of(item) not in known]
        items[:] = [item for item in items if _key_of(item) in known]
        config.hook.pytest_deselected(items=left)
    for item in items:
        item.stash[LOG] = CaseLog(suite_case_of(item))


def suite_case_of(item: pytest.Item) -> SuiteCase:
    """The test case of an item of pytest."""
    return item.config.stash[_KNOWN][_key_of(item)]


def _key_of(item: pytest.Item) -> CaseKey:
    call = getattr(item, "callspec", None)
    if call is not None and isinstance(call.params.get("case"), Boundary):
        return CaseKey(BOUNDARIES, call.params["case"].address)
    template = template_of(item)
    rows = sum(len(table.examples) for table in template.examples)
    # pytest counts the calls of a function: all rows for one target, then all for the next.
    row = call.indices[EXAMPLE] % rows + 1 if call is not None and EXAMPLE in call.indices else 0
    return CaseKey(template.feature.filename, template.name, row)


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, scenario: Scenario) -> None:
    """Remember every step that is to be executed."""
    request.node.stash[LOG].left = list(scenario.steps)


@pytest.hookimpl(wrapper=True)
def pytest_bdd_after_step(
    request: pytest.FixtureRequest, step: Step
) -> Generator[None, object, object]:
    """Record a step that ended: it may still fail because its Given was refused."""
    try:
        result = yield
    except ConformanceAssertionError:
        _step_ended(request.node, step, "failed")
        raise
    _step_ended(request.node, step, "passed")
    return result


def pytest_bdd_step_error(request: pytest.FixtureRequest, step: Step) -> None:
    """Record a step that raised an error."""
    _step_ended(request.node, step, "failed")


def pytest_bdd_step_func_lookup_error(request: pytest.FixtureRequest, step: Step) -> None:
    """Record a step without a definition."""
    _step_ended(request.node, step, "failed")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Drop the exchanges after the last step of the previous test case; announce its waits."""
    announce: Callable[[RequestedWait], None] = partial(_announce, item)
    item.config.stash[ANNOUNCE_WAIT] = announce
    recorder = item.config.stash.get(RECORDER, None)
    if recorder is not None:
        recorder.taken()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record how each phase ended, and attach the verdict to the last."""
    report = yield
    log = item.stash[LOG]
    log.seconds += call.duration
    recorder = item.config.stash.get(RECORDER, None)
    if log.known.is_boundary and recorder is not None and call.when != "teardown":
        # The teardown of the session follows its last test case, and is no part of it.
        log.exchanges += recorder.taken()
    if report.failed:
        log.failed = log.failed or call
        wrote = [text for title, text in report.sections if title == "server stderr"]
        log.server_wrote = "\n".join(wrote) or log.server_wrote
    if report.skipped:
        log.was_skipped = True
        log.skipped = str(call.excinfo.value) if call.excinfo is not None else ""
    if call.when == "teardown":
        limiter = item.config.stash.get(RATE_LIMITER, None)
        result = WorkerResult(result_of(item), limiter.taken_s() if limiter else 0.0)
        report.user_properties.append((PROPERTY, events.encoded(result).decode()))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Let a worker send what a failure shows, whatever it is."""
    return writable_document((yield))


def _announce(item: pytest.Item, wait: RequestedWait) -> None:
    """Report a wait at once: as a phase that passed, which several workers pass on, too."""
    shown = msgspec.structs.replace(wait, said=masking_of(item).text(wait.said)[:SAID_MAX])
    carried = [(PROPERTY, events.encoded(AnnouncedWait(shown)).decode())]
    report = pytest.TestReport(
        item.nodeid, item.location, {}, "passed", None, "setup", user_properties=carried
    )
    item.ihook.pytest_runtest_logreport(report=report)


def _step_ended(item: pytest.Item, step: Step, verdict: events.StepVerdict) -> None:
    log, recorder = item.stash[LOG], item.config.stash.get(RECORDER, None)
    exchanges = recorder.taken() if recorder is not None else []
    log.left = log.left[1:]
    log.steps.append(step_of(step, verdict, masking_of(item), exchanges))
