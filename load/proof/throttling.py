"""The throttle oracle over many requests to a gateway with windows of one second.

A few users send requests without think time, several times what the table allows, so that every
second has its edge, its last admission and its throttled requests. Runs are repeated until enough
requests have a mark.
"""

from collections import Counter
from typing import NamedTuple

from load.gateway.target import start_own_target
from load.plan.plan import MERCHANT, LoadPlan
from load.progress import Progress
from load.results.outcome import RunOutcome
from load.results.thresholds import Thresholds
from load.run.run import run_load

TABLE = {
    "name": "every-second",
    "limits": [
        {"operation": "create_payment", "scope": "merchant", "limit": 150, "window_s": 1},
        {"operation": "*", "scope": "merchant", "limit": 50, "window_s": 1},
    ],
}
USERS = 4
RUNS_MAX = 40


class ThrottleProof(NamedTuple):
    """How many requests have which mark, and the faults of oracle and closing check."""

    marks: Counter[str]
    faults: list[str]


def run_throttled(requests: int, *, seconds: float, progress: Progress) -> ThrottleProof:
    """Repeat runs until so many requests have a mark. Raises what a run raises."""
    marks: Counter[str] = Counter()
    faults: list[str] = []
    for number in range(RUNS_MAX):
        if marks.total() >= requests:
            break
        progress(f"{marks.total():,} of {requests:,} requests checked")
        outcome = _run_once(number, seconds, progress)
        assert outcome.findings is not None
        marks.update(outcome.findings.marks)
        faults += [*map(str, outcome.findings.mismatches), *outcome.closing_check.faults]
        if outcome.findings.offset is None:
            faults.append("the timestamps of the responses contradict each other")
        if not outcome.closing_check.is_reliable and not outcome.closing_check.faults:
            faults.append("the closing check could not read the gateway")
    return ThrottleProof(marks, faults)


def _run_once(seed: int, seconds: float, progress: Progress) -> RunOutcome:
    with start_own_target(TABLE) as target:
        return run_load(
            target,
            lambda at, ledger: LoadPlan(
                base_url=at.target.base_url, token=at.token, entity_id=at.entity_id,
                ledger=str(ledger), virtual_users=(MERCHANT,), users=USERS, spawn_rate=USERS,
                seconds=seconds, think_s=0.0, seed=seed,
            ),
            Thresholds(),
            progress=progress,
        )  # fmt: skip
