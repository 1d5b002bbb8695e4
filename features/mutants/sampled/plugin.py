"""A pytest plugin that runs the suite against many mutants: collected once, forked for each.

    python -m pytest -p features.conformance.stream -p features.mutants.sampled.plugin \\
        --work FOLDER features/test_scenarios.py features/boundaries/test_fields.py

Collecting the suite takes longer than killing most mutants. So the session collects, then forks one
process for each mutant; that starts the mutated gateway, runs the cases that execute the changed
statement until one fails, and ends.
"""

import gc
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from features.conformance.stash import NOT_EVALUATED
from features.conformance.stream import PROPERTY, WorkerResult
from features.conformance.verdicts import LOG, CaseLog
from features.mutants.sampled.gateways import ExecutionRecorder, mutated_gateway, recorded_gateway
from features.mutants.sampled.jobs import ORIGINAL, Job, JobResult, write_result
from features.support.fixtures import TARGET_VARIABLE
from reports.events import CaseVerdict
from simulator.client.processes import ServerStartError

NOT_STARTED = "the gateway does not start"


class VerdictCollector:
    """Keeps the verdict of the case that ended last."""

    def __init__(self) -> None:
        self.last: CaseVerdict | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the verdict that the last report of a case carries."""
        found = dict(report.user_properties).get(PROPERTY)
        if found is not None:
            self.last = msgspec.json.decode(str(found), type=WorkerResult).case


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the folder with the jobs, and for the processes at a time."""
    parser.addoption("--work", metavar="FOLDER", help="the folder with jobs and results")
    parser.addoption("--at-once", type=int, default=os.cpu_count(), help="mutants at a time")
    parser.addoption("--until", type=float, default=0.0, help="begin no job after this many s")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run every job that has no result yet, each in a process of its own."""
    folder, began = Path(session.config.getoption("work")), time.monotonic()
    left = [job for job in Job.read_all(folder) if not job.result(folder).exists()]
    until, at_once = session.config.getoption("until"), session.config.getoption("at_once")
    running: set[int] = set()
    # What was collected stays shared with the processes that are forked.
    gc.freeze()
    while left or running:
        if left and len(running) < at_once:
            if until and time.monotonic() - began > until:
                left = []
                continue
            running.add(_forked(session, left.pop(0), folder))
        else:
            pid, _ = os.wait()
            running.discard(pid)
    return True


def _forked(session: pytest.Session, job: Job, folder: Path) -> int:
    """The id of a process that runs a job and ends."""
    pid = os.fork()
    if pid:
        return pid
    # A session of its own, so that a browser it started ends with it.
    os.setsid()
    status = 1
    try:
        _silence()
        run_job(session, job, folder)
        status = 0
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
        os._exit(status)


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def run_job(session: pytest.Session, job: Job, folder: Path) -> None:
    """Run the cases of a job against its gateway, and write the result."""
    items = {item.stash[LOG].known.id: item for item in session.items}
    wanted = [items[each] for each in job.cases] if job.cases else list(session.items)
    own, began = folder / "gateways" / job.id, time.monotonic()
    if job.id == ORIGINAL:
        result = _record(job, wanted, own)
    else:
        try:
            with mutated_gateway(own, job.module, job.source(folder)) as target:
                result = _kill(job, wanted, target)
        except ServerStartError as error:
            result = JobResult(job.id, "not-started", reason=str(error)[:300])
    write_result(
        folder, msgspec.structs.replace(result, seconds=round(time.monotonic() - began, 1))
    )


def _kill(job: Job, items: Sequence[pytest.Item], target: Path) -> JobResult:
    """Run cases until one fails twice in a row; one that fails once is noted as unsteady."""
    os.environ[TARGET_VARIABLE] = str(target)
    unsteady: list[str] = []
    for number, (item, after) in enumerate(zip(items, [*items[1:], None], strict=True), start=1):
        case = _run(item, after)
        if case.verdict == "failed":
            again = _run(item, after, again=True)
            if again.verdict == "failed":
                text = again.failure.text if again.failure else ""
                return JobResult(
                    job.id, "killed", number, case.id, case.requirements, text[:600], unsteady
                )
            unsteady.append(case.id)
    return JobResult(job.id, "survived", len(items), unsteady=unsteady)


def _record(job: Job, items: Sequence[pytest.Item], folder: Path) -> JobResult:
    """Run every case against the original, and record what each executes and whether it passes."""
    passed: dict[str, float] = {}
    with recorded_gateway(folder) as target:
        os.environ[TARGET_VARIABLE] = str(target)
        recorder = ExecutionRecorder(folder)
        for item, after in zip(items, [*items[1:], None], strict=True):
            name = item.stash[LOG].known.id
            recorder.switch(name)
            case = _run(item, after)
            if case.verdict == "passed":
                passed[name] = case.seconds
        recorder.switch("")
    return JobResult(job.id, "recorded", len(items), passed=passed)


def _run(item: pytest.Item, after: pytest.Item | None, *, again: bool = False) -> CaseVerdict:
    """The verdict of one case; `after` is the case that runs next."""
    if again:
        item.user_properties.clear()
        item.stash[LOG] = CaseLog(item.stash[LOG].known)
        if NOT_EVALUATED in item.stash:
            del item.stash[NOT_EVALUATED]
        item._initrequest()  # type: ignore[attr-defined]
    collector = VerdictCollector()
    item.config.pluginmanager.register(collector)
    try:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    finally:
        item.config.pluginmanager.unregister(collector)
    assert collector.last is not None, f"{item.nodeid} has no verdict"
    return collector.last


def pytest_collection_finish(session: pytest.Session) -> None:
    """Say how many cases there are: the first line a reader waits for."""
    print(f"{len(session.items)} cases collected", file=sys.stderr)
