"""The outcome of a run: its results, whether they are reliable, and the exit status. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from load.closing.check import ClosingCheck
from load.gateway.target import LoadTarget
from load.ledger.records import RequestRecord
from load.oracle.throttle_oracle import OracleFindings
from load.plan.plan import LoadPlan
from load.results import thresholds
from load.results.knee import Knee
from load.results.summary import CORRECT, RunSummary
from load.results.thresholds import NOT_MEASURED, ThresholdCheck

ERROR_SHARE = "error_share"
PASSED, VIOLATED, USAGE, NO_FIGURE = 0, 1, 2, 3


class RunOutcome(NamedTuple):
    """All results of a run. `run` says when, where and by which versions it was made."""

    plan: LoadPlan
    target: LoadTarget
    records: Sequence[RequestRecord]
    summary: RunSummary
    closing_check: ClosingCheck
    findings: OracleFindings | None
    checks: Sequence[ThresholdCheck]
    knee: Knee | None
    run: Mapping[str, Any]

    @property
    def withheld(self) -> str:
        """Why throughput and latencies are withheld; empty if they are reliable."""
        if not self.summary.overall.requests:
            return "no request was sent"
        if not any(self.summary.overall.counts.get(verdict) for verdict in CORRECT):
            return "no response was correct"
        if self.closing_check.faults:
            return "the closing check found faults"
        if not self.closing_check.is_reliable:
            return "the closing check could not read the gateway"
        if self.knee is None:
            return self.summary.strain
        has_knee = self.knee.step is not None and not self.knee.is_client_bound
        return "" if has_knee else self.knee.reason

    @property
    def is_interrupted(self) -> bool:
        """Whether the run was interrupted before its planned end."""
        return self.summary.lasted_s < self.plan.seconds

    @property
    def doubts(self) -> list[str]:
        """Why a reported figure is limited, one reason each."""
        clauses, unchecked = self.closing_check.clauses, self.closing_check.unchecked
        doubts = []
        if unchecked:
            names = "; ".join(clause.name for clause in unchecked)
            doubts.append(f"{len(unchecked)} of {len(clauses)} clauses not checked ({names})")
        if self.findings is not None and self.findings.offset is None:
            doubts.append("the throttle not checked")
        punctuality = self.summary.punctuality
        # Beyond the knee no rate is kept: that is how the knee is found.
        if punctuality is not None and not punctuality.is_kept and self.knee is None:
            doubts.append("the rate not kept")
        if self.is_interrupted:
            lasted = f"{self.summary.lasted_s:.1f} of {self.plan.seconds:g} s"
            doubts.append(f"interrupted after {lasted}")
        missing = [check for check in self.checks if check.verdict == NOT_MEASURED]
        if missing:
            names = "; ".join(f"{check.where} {check.name}" for check in missing)
            doubts.append(f"{len(missing)} of {len(self.checks)} thresholds not measured ({names})")
        return doubts

    @property
    def exit_status(self) -> int:
        """0 passed; 1 failed; 3 if there is no figure, or one with doubts.

        Wrong responses count whether or not the client was the limit; speed only if reliable.
        """
        if self.closing_check.faults or (self.findings is not None and self.findings.mismatches):
            return VIOLATED
        missed = {check.name for check in self.checks if check.verdict == thresholds.FAILED}
        if ERROR_SHARE in missed or (missed and not self.withheld):
            return VIOLATED
        return NO_FIGURE if self.withheld or self.doubts else PASSED
