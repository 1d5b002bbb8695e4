"""Judging a run: every case of it, as the stream of events that reports are made of."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import msgspec

from features.conformance.run import Run, apart_s
from features.conformance.session import JudgeBroke, verdicts_of
from reports.events import Began, Case, Ended, Event, exit_status_of


def judge(run: Run, tell: Callable[[Event], None]) -> Ended:
    """Judge every case, and tell each event of the stream as it comes.

    Raises JudgeBroke, BadFeatures; the stream then has no end, and neither has it after a
    KeyboardInterrupt.
    """
    began, clock = _began(run), time.monotonic()
    counts: Counter[str] = Counter()
    paced_s = 0.0
    with closing(verdicts_of(run)) as verdicts:
        tell(began)
        for case, waited_s in verdicts:
            paced_s += waited_s
            judged = waived_where_known(case, run)
            counts[judged.verdict] += 1
            tell(judged)
        if counts.total() != len(run.cases):
            raise JudgeBroke(f"{counts.total()} of {len(run.cases)} cases have a verdict")
        ended = _ended(run, counts, seconds=time.monotonic() - clock, paced_s=paced_s)
        tell(ended)
    return ended


def waived_where_known(case: Case, run: Run) -> Case:
    """A case with the command that repeats it; a failure that is known is let pass."""
    why = None
    if case.verdict == "passed" and run.waivers:
        run.waivers.passed(case.id)
    if case.verdict == "failed" and run.waivers:
        why = run.waivers.reason_for(case.id, datetime.now(UTC).date())
    told = msgspec.structs.replace(case, repeat=run.repeat(case.id))
    return told if why is None else msgspec.structs.replace(told, verdict="waived", reason=why)


def _began(run: Run) -> Began:
    target = run.gateway.target
    return Began(
        at=_now(),
        base_url=target.base_url,
        source=run.gateway.source,
        version=_version(),
        cases=len(run.cases),
        profile=target.profile,
        offers=sorted(target.offers),
        seconds_a_request=round(apart_s(target), 3),
        waivers=run.waivers.handed_in() if run.waivers else [],
    )


def _ended(run: Run, counts: Mapping[str, int], *, seconds: float, paced_s: float) -> Ended:
    return Ended(
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
