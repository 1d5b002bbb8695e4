"""The throttle oracle over many answers: a gateway whose windows last a second is held to them.

A few users ask as fast as they are answered, several times what the table allows, so that every
second has its edge, its last admission and its refusals. Runs are repeated until enough answers
were judged.
"""

from collections import Counter
from typing import NamedTuple

from load.place import own_place
from load.plan import MERCHANT, Plan
from load.run import Outcome, Progress, conduct
from load.thresholds import Thresholds

TABLE = {
    "name": "every-second",
    "limits": [
        {"operation": "create_payment", "scope": "merchant", "limit": 150, "window_s": 1},
        {"operation": "*", "scope": "merchant", "limit": 50, "window_s": 1},
    ],
}
USERS = 4
RUNS_MAX = 40


class Throttling(NamedTuple):
    """How many answers have which mark, what is wrong, and whether every certificate was clean."""

    marks: Counter[str]
    faults: list[str]
    certificates: list[bool]


def throttled_runs(answers: int, *, seconds: float, progress: Progress) -> Throttling:
    """Runs until so many answers were judged. Raises what a run raises."""
    marks: Counter[str] = Counter()
    faults: list[str] = []
    certificates: list[bool] = []
    while marks.total() < answers and len(certificates) < RUNS_MAX:
        progress(f"{marks.total():,} of {answers:,} answers judged")
        outcome = _run(len(certificates), seconds, progress)
        assert outcome.findings is not None
        marks.update(outcome.findings.marks)
        faults += [*map(str, outcome.findings.wrong), *outcome.certificate.faults]
        if outcome.findings.offset is None:
            faults.append("the timestamps of the answers contradict each other")
        certificates.append(outcome.certificate.is_clean)
    return Throttling(marks, faults, certificates)


def _run(seed: int, seconds: float, progress: Progress) -> Outcome:
    with own_place(TABLE) as place:
        return conduct(
            place,
            lambda at, ledger: Plan(
                base_url=at.target.base_url, token=at.token, entity_id=at.entity_id,
                ledger=str(ledger), people=(MERCHANT,), users=USERS, spawn_rate=USERS,
                seconds=seconds, think_s=0.0, seed=seed,
            ),
            Thresholds(),
            progress=progress,
        )  # fmt: skip
