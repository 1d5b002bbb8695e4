"""A soak test: ten minutes at four fifths of the knee, with everything switched on.

First a run with steps finds the knee, then four fifths of its users stay. Latency must not grow,
and memory may grow only by what was stored.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import time
from typing import NamedTuple

from load.gateway.server import KILOBYTE, memory_bytes
from load.gateway.target import LoadTarget, start_own_target
from load.ledger.records import RequestRecord
from load.plan.plan import LoadPlan, Shape
from load.progress import Progress
from load.results.knee import Knee
from load.results.outcome import RunOutcome
from load.results.summary import percentile
from load.results.thresholds import Bounds, Thresholds
from load.run.run import PlanFactory, run_load
from simulator.client.processes import ServerProcess

SHARE = 0.8
STEPS, USERS, THINK_S = 12, 600, 0.5
# If requests queue for longer than this, the gateway is beyond its knee, though it still responds.
KNEE_THRESHOLDS = Thresholds(Bounds(p95_ms=150))
SAMPLE_S = 1.0


class MemorySample(NamedTuple):
    """The resident memory of the gateway at an instant."""

    at: float
    memory_bytes: int


class SoakResult(NamedTuple):
    """The result of a soak test: p99 latencies in ms, memory in KiB per stored payment."""

    knee: Knee
    users: int
    outcome: RunOutcome
    p99_early_ms: float
    p99_late_ms: float
    memory_kib: float
    stored: int

    @property
    def p99_ratio(self) -> float:
        """The last p99 divided by the early one; infinite if one of them was not measured."""
        is_measured = self.p99_early_ms and self.p99_late_ms
        return self.p99_late_ms / self.p99_early_ms if is_measured else inf

    @property
    def has_knee(self) -> bool:
        """Whether a knee of the gateway, not of the client, was found and reached."""
        knee = self.knee
        return knee.step is not None and knee.is_reached and not knee.is_client_bound


def run_soak(seconds: float, *, knee_s: float, progress: Progress) -> SoakResult:
    """Find the knee within `knee_s`, then soak for `seconds`, and compare tenths of that run."""
    with start_own_target() as target:
        stepped = run_load(
            target, _plan_factory("step", USERS, knee_s), KNEE_THRESHOLDS, progress=progress
        )
    assert stepped.knee is not None
    users = users_below(stepped.knee)
    with start_own_target() as target, sample_memory(_server_of(target)) as samples:
        outcome = run_load(
            target, _plan_factory("flat", users, seconds), Thresholds(), progress=progress
        )
    return _evaluate(stepped.knee, users, outcome, samples)


def users_below(knee: Knee) -> int:
    """Return four fifths of the users at the knee; of the first step if there is no knee."""
    load = knee.step.load if knee.step else USERS / STEPS
    return max(1, int(SHARE * load))


def memory_per_payment(
    samples: Sequence[MemorySample], stored_at: Sequence[float]
) -> tuple[float, int]:
    """Return the KiB per payment stored after the first fifth of the run, and their number.

    Infinite if nothing was stored. In the first fifth buffers and connections are allocated.
    """
    began, ended = samples[0].at, samples[-1].at
    start = began + (ended - began) / 5
    first = next(sample for sample in samples if sample.at >= start)
    stored = sum(first.at <= at < ended for at in stored_at)
    grown = samples[-1].memory_bytes - first.memory_bytes
    return (grown / stored / KILOBYTE if stored else inf), stored


@contextmanager
def sample_memory(server: ServerProcess) -> Iterator[list[MemorySample]]:
    """Sample the memory of a server once a second until the end of the block."""
    samples = [MemorySample(time(), memory_bytes(server))]
    is_over = threading.Event()

    def sample() -> None:
        while not is_over.wait(SAMPLE_S):
            samples.append(MemorySample(time(), memory_bytes(server)))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        is_over.set()
        thread.join()


def _evaluate(
    knee: Knee, users: int, outcome: RunOutcome, samples: Sequence[MemorySample]
) -> SoakResult:
    records = outcome.records
    began, ended = records[0].sent_at, max(each.responded_at for each in records)
    part = (ended - began) / 10
    within = [sample for sample in samples if began <= sample.at <= ended]
    memory, stored = memory_per_payment(within, [each.responded_at for each in records if each.id])
    return SoakResult(
        knee=knee,
        users=users,
        outcome=outcome,
        p99_early_ms=_p99(records, began + part, began + 2 * part),
        p99_late_ms=_p99(records, ended - part, ended),
        memory_kib=memory,
        stored=stored,
    )


def _p99(records: Sequence[RequestRecord], first: float, last: float) -> float:
    latencies = (each.latency_ms for each in records if first <= each.responded_at < last)
    return percentile(sorted(latencies), 0.99)


def _plan_factory(shape: Shape, users: int, seconds: float) -> PlanFactory:
    def create_plan(target: LoadTarget, ledger: Path) -> LoadPlan:
        return LoadPlan(
            base_url=target.target.base_url, token=target.token, entity_id=target.entity_id,
            ledger=str(ledger), users=users, spawn_rate=float(users), seconds=seconds,
            shape=shape, steps=STEPS, think_s=THINK_S,
        )  # fmt: skip

    return create_plan


def _server_of(target: LoadTarget) -> ServerProcess:
    assert target.server is not None
    return target.server
