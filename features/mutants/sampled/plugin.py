"""A pytest plugin that runs the suite against many mutants: collected once, forked for each.

    python -m pytest -p features.conformance.stream -p features.mutants.sampled.plugin \\
        --work FOLDER features/test_scenarios.py features/boundaries/test_fields.py

Collecting the suite takes longer than killing most mutants. So the session collects, then forks one
process for each mutant; that has the mutated gateway forked too, runs the cases that execute the
changed statement until one fails, and ends.
"""

import gc
import os
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from features.conformance.stash import NOT_EVALUATED, RECORD_EXCHANGES
from features.conformance.stream import PROPERTY, WorkerResult
from features.conformance.verdicts import LOG, CaseLog
from features.mutants.sampled.fork_server import running_fork_server
from features.mutants.sampled.gateways import ExecutionRecorder, mutated_gateway, recorded_gateway
from features.mutants.sampled.jobs import Job, JobResult, read_result, write_result
from features.support.fixtures import TARGET_VARIABLE
from reports.events import CaseVerdict
from simulator.client.processes import ServerStartError

POLL_S = 0.02


class RunFolder(NamedTuple):
    """The folder with jobs and results, and the address of the fork server, if one runs."""

    path: Path
    fork_server: Path | None = None


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


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep no exchanges: no report shows them."""
    config.stash[RECORD_EXCHANGES] = False


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run every job, each in a process of its own."""
    folder = Path(session.config.getoption("work"))
    jobs = Job.read_all(folder)
    # What was collected stays shared with the processes that are forked.
    gc.freeze()
    if all(job.is_recording for job in jobs):
        _run_all(session, jobs, RunFolder(folder))
        return True
    with running_fork_server(folder) as address:
        _run_all(session, jobs, RunFolder(folder, address))
    return True


def _run_all(session: pytest.Session, jobs: list[Job], folder: RunFolder) -> None:
    """Run jobs in their order, some at a time, and begin none when the time is over."""
    until, at_once = session.config.getoption("until"), session.config.getoption("at_once")
    left, running, began = list(jobs), set[int](), time.monotonic()
    while left or running:
        if until and time.monotonic() - began > until:
            left = []
        if left and len(running) < at_once:
            running.add(_forked(session, left.pop(0), folder))
        elif running:
            running -= {pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]}
            time.sleep(POLL_S)


def _forked(session: pytest.Session, job: Job, folder: RunFolder) -> int:
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


def _processor_s(began: os.times_result) -> float:
    """The processor seconds of this process and of the children it waited for since then."""
    now = os.times()
    return round(sum(now[:4]) - sum(began[:4]), 2)


def _silence() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def run_job(session: pytest.Session, job: Job, folder: RunFolder) -> None:
    """Run the cases of a job against its gateway, and write the result.

    What an earlier run of the same mutant has tried counts as tried.
    """
    items = {item.stash[LOG].known.id: item for item in session.items}
    wanted = [items[each] for each in job.cases]
    own, began = folder.path / "gateways" / job.id, os.times()
    earlier = read_result(folder.path, job.id)
    if job.is_recording:
        result = _record(job, wanted, own)
    else:
        result = _kill(job, wanted, folder)
        shutil.rmtree(own, ignore_errors=True)
    tried = (*(earlier.tried if earlier else ()), *job.cases[: result.cases])
    spent = _processor_s(began)
    write_result(folder.path, msgspec.structs.replace(result, tried=tried, seconds=spent))


def _kill(job: Job, items: Sequence[pytest.Item], folder: RunFolder) -> JobResult:
    """Run cases until one kills a mutant that is served."""
    own = folder.path / "gateways" / job.id
    assert folder.fork_server is not None, "started with the mutants"
    try:
        with mutated_gateway(
            folder.fork_server, own, job.module, job.source(folder.path)
        ) as target:
            return _killed_by(job, items, target)
    except ServerStartError as error:
        return JobResult(job.id, "not-started", reason=str(error)[:300])


def _killed_by(job: Job, items: Sequence[pytest.Item], target: Path) -> JobResult:
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
    """Run cases against the original, and record what each executes and whether it passes."""
    passed: dict[str, float] = {}
    # What an earlier run began and did not end.
    shutil.rmtree(folder, ignore_errors=True)
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
