"""A conformance run as the stream of events that reports are made of."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import msgspec

from features.conformance.pacing import RequestedWait, ignore_wait
from features.conformance.run import ConformanceRun, request_interval_s
from features.conformance.session import ConformanceRunError, stream_results
from reports.events import CaseVerdict, Event, RunEnded, RunStarted, exit_status_of


def execute_run(
    run: ConformanceRun,
    emit: Callable[[Event], None],
    announce: Callable[[RequestedWait], None] = ignore_wait,
) -> RunEnded:
    """Run every test case, and pass each event of the stream to `emit` as it comes, and waits that
    the target demands, which are no part of the stream, to `announce`.

    Raises ConformanceRunError, FeatureFileError; the stream then has no end, and neither has it
    after a KeyboardInterrupt.
    """
    began, clock = _began(run), time.monotonic()
    counts: Counter[str] = Counter()
    paced_s = 0.0
    with closing(stream_results(run, announce)) as verdicts:
        emit(began)
        for case, waited_s in verdicts:
            paced_s += waited_s
            reported = apply_waivers(case, run)
            counts[reported.verdict] += 1
            emit(reported)
        if counts.total() != len(run.cases):
            raise ConformanceRunError(f"{counts.total()} of {len(run.cases)} cases have a verdict")
        ended = _ended(run, counts, seconds=time.monotonic() - clock, paced_s=paced_s)
        emit(ended)
    return ended


def apply_waivers(case: CaseVerdict, run: ConformanceRun) -> CaseVerdict:
    """A verdict with the command that repeats the test case; a waived failure is marked so."""
    why = None
    if case.verdict == "passed" and run.waivers:
        run.waivers.passed(case.id)
    if case.verdict == "failed" and run.waivers:
        why = run.waivers.reason_for(case.id, datetime.now(UTC).date())
    repeatable = msgspec.structs.replace(case, repeat=run.repeat(case.id))
    return (
        repeatable
        if why is None
        else msgspec.structs.replace(repeatable, verdict="waived", reason=why)
    )


def _began(run: ConformanceRun) -> RunStarted:
    target = run.gateway.target
    return RunStarted(
        at=_now(),
        base_url=target.base_url,
        source=run.gateway.source,
        version=_version(),
        cases=len(run.cases),
        profile=target.profile,
        offers=sorted(target.offers),
        seconds_a_request=round(request_interval_s(target), 3),
        waivers=run.waivers.handed_in() if run.waivers else [],
    )


def _ended(
    run: ConformanceRun, counts: Mapping[str, int], *, seconds: float, paced_s: float
) -> RunEnded:
    return RunEnded(
        at=_now(),
        seconds=round(seconds, 1),
        counts=dict(counts),
        exit_status=exit_status_of(dict(counts)),
        waivers=run.waivers.shown() if run.waivers else [],
        paced_s=round(paced_s, 1),
    )


def _version() -> str:
    try:
        return version("sandgate")
    except PackageNotFoundError:
        return "from source"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
