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
    """How many answers have which mark, and what is wrong with any of them or with the books."""

    marks: Counter[str]
    faults: list[str]


def throttled_runs(answers: int, *, seconds: float, progress: Progress) -> Throttling:
    """Runs until so many answers were judged. Raises what a run raises."""
    marks: Counter[str] = Counter()
    faults: list[str] = []
    for number in range(RUNS_MAX):
        if marks.total() >= answers:
            break
        progress(f"{marks.total():,} of {answers:,} answers judged")
        outcome = _run(number, seconds, progress)
        assert outcome.findings is not None
        marks.update(outcome.findings.marks)
        faults += [*map(str, outcome.findings.wrong), *outcome.certificate.faults]
        if outcome.findings.offset is None:
            faults.append("the timestamps of the answers contradict each other")
        if not outcome.certificate.is_believed and not outcome.certificate.faults:
            faults.append("the books could not be read")
    return Throttling(marks, faults)


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
