"""A soak: ten minutes at four fifths of the knee, with everything switched on.

First steps lead to the knee, then as many users as that are four fifths of it stay. Latency must
not creep, and memory may grow by what was stored and nothing else.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import time
from typing import NamedTuple

from load.ledger import Told
from load.place import Place, own_place
from load.plan import Plan, Shape
from load.run import Outcome, Progress, conduct
from load.servers import KILOBYTE, Server
from load.shapes import Knee
from load.summary import at_share
from load.thresholds import Bounds, Thresholds

SHARE = 0.8
STEPS, USERS, THINK_S = 12, 600, 0.5
# Where requests queue for longer than this the gateway is beyond its knee, though it still answers.
QUICK = Thresholds(Bounds(p95_ms=150))
SAMPLE_S = 1.0


class Sample(NamedTuple):
    """What the gateway held of the machine's memory at an instant."""

    at: float
    held_bytes: int


class Soak(NamedTuple):
    """What a soak came to. Latencies are p99 in milliseconds, memory is in KiB a stored payment."""

    knee: Knee
    users: int
    outcome: Outcome
    p99_early_ms: float
    p99_late_ms: float
    memory_kib: float
    stored: int

    @property
    def p99_ratio(self) -> float:
        """How much slower the last part was than the second; infinite where one has no answers."""
        is_measured = self.p99_early_ms and self.p99_late_ms
        return self.p99_late_ms / self.p99_early_ms if is_measured else inf

    @property
    def has_knee(self) -> bool:
        """Whether four fifths of the knee is what it was: a knee of the gateway, and met."""
        knee = self.knee
        return knee.step is not None and knee.is_reached and not knee.is_client_bound


def soaked(seconds: float, *, knee_s: float, progress: Progress) -> Soak:
    """Find the knee within `knee_s`, then soak for `seconds`; a tenth is compared with a tenth."""
    with own_place() as place:
        climbed = conduct(place, _plan_of("step", USERS, knee_s), QUICK, progress=progress)
    assert climbed.knee is not None
    users = users_below(climbed.knee)
    with own_place() as place, sampling(_server_of(place)) as samples:
        outcome = conduct(place, _plan_of("flat", users, seconds), Thresholds(), progress=progress)
    return _compared(climbed.knee, users, outcome, samples)


def users_below(knee: Knee) -> int:
    """Four fifths of the users at the knee; of the first step where there was none."""
    load = knee.step.load if knee.step else USERS / STEPS
    return max(1, int(SHARE * load))


def memory_a_payment(samples: Sequence[Sample], stored_at: Sequence[float]) -> tuple[float, int]:
    """KiB a stored payment from a fifth of the run on, and over how many payments.

    Infinite where nothing was stored: then nothing is known of it. In the first fifth buffers and
    connections are being made.
    """
    began, ended = samples[0].at, samples[-1].at
    start = began + (ended - began) / 5
    first = next(sample for sample in samples if sample.at >= start)
    stored = sum(first.at <= at < ended for at in stored_at)
    grown = samples[-1].held_bytes - first.held_bytes
    return (grown / stored / KILOBYTE if stored else inf), stored


@contextmanager
def sampling(server: Server) -> Iterator[list[Sample]]:
    """The memory of a server, once a second until the end of the block."""
    samples = [Sample(time(), server.memory_bytes())]
    is_over = threading.Event()

    def sample() -> None:
        while not is_over.wait(SAMPLE_S):
            samples.append(Sample(time(), server.memory_bytes()))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        is_over.set()
        thread.join()


def _compared(knee: Knee, users: int, outcome: Outcome, samples: Sequence[Sample]) -> Soak:
    told = outcome.told
    began, ended = told[0].sent, max(each.answered for each in told)
    part = (ended - began) / 10
    within = [sample for sample in samples if began <= sample.at <= ended]
    memory, stored = memory_a_payment(within, [each.answered for each in told if each.id])
    return Soak(
        knee=knee,
        users=users,
        outcome=outcome,
        p99_early_ms=_p99(told, began + part, began + 2 * part),
        p99_late_ms=_p99(told, ended - part, ended),
        memory_kib=memory,
        stored=stored,
    )


def _p99(told: Sequence[Told], first: float, last: float) -> float:
    latencies = (each.latency_ms for each in told if first <= each.answered < last)
    return at_share(sorted(latencies), 0.99)


def _plan_of(shape: Shape, users: int, seconds: float) -> Callable[[Place, Path], Plan]:
    def make(place: Place, ledger: Path) -> Plan:
        return Plan(
            base_url=place.target.base_url, token=place.token, entity_id=place.entity_id,
            ledger=str(ledger), users=users, spawn_rate=float(users), seconds=seconds,
            shape=shape, steps=STEPS, think_s=THINK_S,
        )  # fmt: skip

    return make


def _server_of(place: Place) -> Server:
    assert place.server is not None
    return place.server
