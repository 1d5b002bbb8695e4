"""One run: a place, people in Locust's own processes, then quiet, the books, and the figures."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from load.certificate import Certificate, certify
from load.closing import closing, counters_of, gather, quiesce
from load.ledger import THROTTLED, Heard, Pulse, Told, lines_of
from load.making import Progress, make_load
from load.oracle import Findings, Limit, Seen, judge
from load.place import Place
from load.plan import RECEIVER, Plan
from load.receiver import Ear, receiving
from load.shapes import Knee, knee_of
from load.summary import RIGHT, Summary, summarise
from load.thresholds import BROKEN, NOT_MEASURED, Check, Thresholds, check_all
from simulator.client.addresses import LOOPBACK

ERROR_SHARE = "error_share"
PASSED, FAILED, USAGE, NO_FIGURE = 0, 1, 2, 3


class Outcome(NamedTuple):
    """Everything a run came to."""

    plan: Plan
    place: Place
    told: Sequence[Told]
    summary: Summary
    certificate: Certificate
    findings: Findings | None
    checks: Sequence[Check]
    knee: Knee | None

    @property
    def withheld(self) -> str:
        """Why no throughput and no latency is told; empty where they can be believed."""
        if not self.summary.overall.requests:
            return "nothing was asked"
        if not any(self.summary.overall.counts.get(verdict) for verdict in RIGHT):
            return "nothing was answered rightly"
        if self.certificate.faults:
            return "the certificate is not clean"
        if not self.certificate.is_believed:
            return "the books could not be read"
        if self.knee is None:
            return self.summary.strain
        has_knee = self.knee.step is not None and not self.knee.is_client_bound
        return "" if has_knee else self.knee.why

    @property
    def is_cut_short(self) -> bool:
        """Whether somebody interrupted it before its time was over."""
        return self.summary.lasted_s < self.plan.seconds

    @property
    def doubts(self) -> list[str]:
        """What a figure that is told was not held to, one reason each."""
        clauses, unchecked = self.certificate.clauses, self.certificate.unchecked
        found = []
        if unchecked:
            names = "; ".join(clause.name for clause in unchecked)
            found.append(f"{len(unchecked)} of {len(clauses)} clauses not checked ({names})")
        if self.findings is not None and self.findings.offset is None:
            found.append("the throttle not judged")
        punctuality = self.summary.punctuality
        # Beyond the knee no rate is kept: that is how the knee is found.
        if punctuality is not None and not punctuality.is_kept and self.knee is None:
            found.append("the rate not kept")
        if self.is_cut_short:
            lasted = f"{self.summary.lasted_s:.1f} of {self.plan.seconds:g} s"
            found.append(f"cut short after {lasted}")
        return found

    @property
    def exit_status(self) -> int:
        """0 all kept; 1 something broken; 3 where no figure could be had, or one in doubt.

        Wrong answers are wrong whoever was the limit; speed is judged where it can be believed.
        """
        if self.certificate.faults or (self.findings is not None and self.findings.wrong):
            return FAILED
        broken = {check.name for check in self.checks if check.verdict == BROKEN}
        if ERROR_SHARE in broken or (broken and not self.withheld):
            return FAILED
        is_missing = any(check.verdict == NOT_MEASURED for check in self.checks)
        return NO_FIGURE if self.withheld or self.doubts or is_missing else PASSED


def conduct(
    place: Place, make_plan: Callable[[Place, Path], Plan], thresholds: Thresholds,
    *, options: Sequence[str] = (), progress: Progress,
) -> Outcome:  # fmt: skip
    """Make the load, wait until all is quiet, close the books. Raises RunFailed, BooksNotClosed."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sandgate-load-")))
        plan = make_plan(place, folder / "ledger.jsonl")
        ear = _ear_of(place, plan, stack)
        before = counters_of(place)
        interrupted = make_load(plan, folder, options=options, progress=progress)
        with closing():
            quiesce(place, ear)
            after = counters_of(place)
            lines = list(lines_of(Path(plan.ledger)))
            told = [line for line in lines if isinstance(line, Told)]
            counted = after.since(before) if before and after else None
            evidence = gather(place, told, ear, counted, progress=progress)
    pulses = [line for line in lines if isinstance(line, Pulse)]
    heard: Sequence[Heard] = () if ear is None else ear.heard
    summary = summarise(plan, told, pulses, heard, interrupted=interrupted)
    return Outcome(
        plan=plan,
        place=place,
        told=told,
        summary=summary,
        certificate=certify(told, evidence),
        findings=findings_of(told, place.limits),
        checks=check_all(thresholds, summary),
        knee=knee_of(summary.steps, thresholds.knee_p95_ms) if plan.shape == "step" else None,
    )


def findings_of(told: Sequence[Told], limits: Sequence[Limit]) -> Findings | None:
    """What the throttle oracle finds; None where nothing is limited."""
    if not limits:
        return None
    return judge([_seen(each) for each in told], limits)


def _seen(told: Told) -> Seen:
    # A wrong answer does not show whether the throttle counted the request.
    answered = inf if told.is_open else told.answered
    is_refused = told.verdict == THROTTLED
    return Seen(told.operation, told.of, told.sent, answered, is_refused, told.stamp)


def _ear_of(place: Place, plan: Plan, stack: ExitStack) -> Ear | None:
    """A receiver the gateway tells of everything, where it can be told to."""
    is_near = urlsplit(place.target.base_url).hostname in LOOPBACK
    if RECEIVER not in plan.people or place.control is None or not is_near:
        return None
    ear = stack.enter_context(receiving())
    made = place.control.create_webhook(place.sandbox, ear.url, skip_activation=True)
    ear.secret = made["secret"]
    return ear
