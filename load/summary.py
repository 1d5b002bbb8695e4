"""The figures of a run, computed from its ledger: by operation, by second, by step. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from statistics import median
from typing import NamedTuple

from load.arrivals import Punctuality, planned_arrivals, punctuality_of
from load.ledger import FAILED, KEPT, REFUSED, UNANSWERED, Heard, Pulse, Told
from load.plan import Plan
from load.shapes import Step, rate_at, step_span, users_at

# A process that uses this share of a core tells more of itself than of the gateway.
CORE_SHARE_MAX = 0.9
RIGHT = (KEPT, REFUSED)


class Figures(NamedTuple):
    """Answers by verdict, latencies of the right ones, and right answers a second."""

    counts: Mapping[str, int]
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    throughput: float

    @property
    def requests(self) -> int:
        """Everything that was asked."""
        return sum(self.counts.values())

    @property
    def error_share(self) -> float:
        """The share that was answered wrongly or not at all."""
        wrong = self.counts.get(FAILED, 0) + self.counts.get(UNANSWERED, 0)
        return wrong / self.requests if self.requests else 0.0

    def by_threshold(self) -> dict[str, float]:
        """The values that thresholds are about; latencies only where something was right."""
        found = {"error_share": self.error_share, "throughput_min": self.throughput}
        if any(self.counts.get(verdict) for verdict in RIGHT):
            found |= {"p95_ms": self.p95_ms, "p99_ms": self.p99_ms}
        return found


class Second(NamedTuple):
    """One second of a run: users, right answers, latencies, and what the busiest process used."""

    second: int
    users: int
    answers: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu: float


class Lag(NamedTuple):
    """The time from an answer to its notification; below zero where the notification was first."""

    payments: int
    p50_ms: float
    p95_ms: float
    max_ms: float


class Summary(NamedTuple):
    """All figures of a run. `strain` says why the client was the limit; empty where it was not.

    `lasted_s` is for how long load was made: as planned, unless somebody interrupted it. `machine`
    is the share of its machine that was used, by whatever runs there, half of the time.
    """

    lasted_s: float
    operations: Mapping[str, Figures]
    overall: Figures
    seconds: Sequence[Second]
    steps: Sequence[Step]
    failures: Mapping[str, int]
    lag: Lag | None
    punctuality: Punctuality | None
    strain: str
    machine: float


def summarise(
    plan: Plan, told: Sequence[Told], pulses: Sequence[Pulse], heard: Sequence[Heard],
    *, interrupted: float | None = None,
) -> Summary:  # fmt: skip
    """The figures of a run. `interrupted` is when it was, in seconds since 1970.

    Rates are over the time that load was made, and longer where answers came later: the time
    between two answers says nothing of how often there is one. Choice: D-247.
    """
    began = min((each.sent for each in told), default=interrupted or 0.0)
    lasted = plan.seconds
    if interrupted is not None:
        # Locust takes a moment to hear of it.
        ended = max([interrupted, *(each.sent for each in told)])
        lasted = min(lasted, ended - began)
    length = max([lasted, *(each.answered - began for each in told)])
    by_operation: dict[str, list[Told]] = defaultdict(list)
    for each in told:
        by_operation[each.operation].append(each)
    is_open, is_stepped = plan.arrival == "open", plan.shape == "step"
    planned = planned_arrivals(lambda at: rate_at(plan, at), lasted) if is_open else 0.0
    return Summary(
        lasted_s=lasted,
        operations={name: figures_of(by_operation[name], length) for name in sorted(by_operation)},
        overall=figures_of(told, length),
        seconds=_seconds(told, pulses, began),
        steps=_steps(plan, told, pulses, heard, span=(began, lasted)) if is_stepped else (),
        failures=Counter(f"{each.operation}: {each.reason}" for each in told if each.reason),
        lag=lag_of(told, heard),
        punctuality=punctuality_of(told, planned) if is_open else None,
        strain=strain_of(pulses),
        machine=median([pulse.machine for pulse in pulses] or [0.0]),
    )


def figures_of(told: Iterable[Told], seconds: float) -> Figures:
    """The figures of some requests, asked within so many seconds."""
    told = list(told)
    latencies = sorted(each.latency_ms for each in told if each.verdict in RIGHT)
    p50, p95, p99, most = (at_share(latencies, share) for share in (0.50, 0.95, 0.99, 1.0))
    throughput = len(latencies) / seconds if seconds else 0.0
    return Figures(Counter(each.verdict for each in told), p50, p95, p99, most, throughput)


def at_share(ordered: Sequence[float], share: float) -> float:
    """The least ordered value that `share` of them do not exceed; 0 where there are none."""
    return ordered[ceil(share * len(ordered)) - 1] if ordered else 0.0


def lag_of(told: Iterable[Told], heard: Iterable[Heard]) -> Lag | None:
    """How long after its answer each stored payment was told of, the first time; None without."""
    first: dict[str, float] = {}
    for each in heard:
        first[each.id] = min(each.at, first.get(each.id, each.at))
    lags = sorted((first[each.id] - each.answered) * 1000 for each in told if each.id in first)
    if not lags:
        return None
    return Lag(len(lags), at_share(lags, 0.50), at_share(lags, 0.95), lags[-1])


def strain_of(pulses: Iterable[Pulse]) -> str:
    """Why the client was the limit: one of its processes had no more time; empty if none had."""
    by_process: dict[str, list[float]] = defaultdict(list)
    warned = False
    for pulse in pulses:
        by_process[pulse.process].append(pulse.cpu)
        warned = warned or pulse.warned
    busiest = max((median(shares) for shares in by_process.values()), default=0.0)
    if busiest >= CORE_SHARE_MAX:
        return f"a process of the client used {busiest:.0%} of a core; use more --processes"
    return "Locust had too little processor time; use more --processes" if warned else ""


def _seconds(told: Iterable[Told], pulses: Iterable[Pulse], began: float) -> list[Second]:
    latencies: dict[int, list[float]] = defaultdict(list)
    for each in told:
        if each.verdict in RIGHT:
            latencies[int(each.answered - began)].append(each.latency_ms)
    users: dict[int, Counter[str]] = defaultdict(Counter)
    cpu: dict[int, float] = defaultdict(float)
    for pulse in pulses:
        second = int(pulse.at - began)
        users[second][pulse.process] = pulse.users
        cpu[second] = max(cpu[second], pulse.cpu)
    found = []
    # The last second is not a whole one, unless it is all there is.
    for second in range(max(latencies, default=0) or len(latencies)):
        ordered = sorted(latencies[second])
        p50, p95, p99 = (at_share(ordered, share) for share in (0.50, 0.95, 0.99))
        # A master counts the users of its workers, so that the greatest number is that of all.
        there = max(users[second].values(), default=0)
        found.append(Second(second, there, len(ordered), p50, p95, p99, cpu[second]))
    return found


def _steps(
    plan: Plan, told: Sequence[Told], pulses: Sequence[Pulse], heard: Sequence[Heard],
    *, span: tuple[float, float],
) -> list[Step]:  # fmt: skip
    """The steps that were over before the run was: one that was cut short answered less."""
    began, lasted = span
    found = []
    is_whole = lasted == plan.seconds
    for number in range(plan.steps if is_whole else int(plan.steps * lasted / plan.seconds)):
        first, last = (began + at for at in step_span(plan, number))
        within = [each for each in told if first <= each.answered < last]
        figures = figures_of(within, last - first)
        strained = bool(strain_of(pulse for pulse in pulses if first <= pulse.at < last))
        lag = lag_of(within, heard)
        middle = (first + last) / 2 - began
        load = rate_at(plan, middle) if plan.arrival == "open" else users_at(plan, middle) or 0
        found.append(
            Step(
                number=number + 1,
                load=load,
                throughput=figures.throughput,
                p95_ms=figures.p95_ms,
                strained=strained,
                lag_ms=lag.p95_ms if lag else 0.0,
            )
        )
    return found
