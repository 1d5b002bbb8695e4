"""The figures of a run, computed from its ledger: by operation, by second, by step. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from statistics import median
from typing import NamedTuple

from load.ledger.records import (
    EXPECTED_DECLINE,
    FAILED,
    NO_RESPONSE,
    SUCCEEDED,
    ProcessSample,
    ReceivedEvent,
    RequestRecord,
)
from load.plan.arrivals import planned_arrivals
from load.plan.plan import LoadPlan
from load.plan.shapes import rate_at, step_span, users_at
from load.results.knee import LoadStep
from load.results.punctuality import Punctuality, measure_punctuality

# A process that uses this share of a core measures itself rather than the gateway.
CORE_SHARE_MAX = 0.9
CORRECT = (SUCCEEDED, EXPECTED_DECLINE)
ERRORS = (FAILED, NO_RESPONSE)


class RequestFigures(NamedTuple):
    """Requests by verdict, latencies of the correct responses, and correct responses a second."""

    counts: Mapping[str, int]
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float
    throughput: float

    @property
    def requests(self) -> int:
        """The number of requests."""
        return sum(self.counts.values())

    @property
    def errors(self) -> int:
        """The number of requests with a wrong response or none."""
        return sum(self.counts.get(verdict, 0) for verdict in ERRORS)

    @property
    def error_share(self) -> float:
        """The share of those among all."""
        return self.errors / self.requests if self.requests else 0.0

    def values_by_threshold(self) -> dict[str, float]:
        """Return the values thresholds refer to; latencies only if a response was correct."""
        values = {"error_share": self.error_share, "throughput_min": self.throughput}
        if any(self.counts.get(verdict) for verdict in CORRECT):
            values |= {"p95_ms": self.p95_ms, "p99_ms": self.p99_ms}
        return values


class RunSecond(NamedTuple):
    """One second of a run: users, correct responses, latencies, and the busiest process's CPU."""

    second: int
    users: int
    answers: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu: float


class WebhookLag(NamedTuple):
    """The time from the start of a request to its first notification."""

    payments: int
    p50_ms: float
    p95_ms: float
    max_ms: float


class RunSummary(NamedTuple):
    """All figures of a run. `strain` says why the client was the limit; empty if it was not.

    `lasted_s` is how long load was made: as planned, unless the run was interrupted. `machine`
    is the median share of its machine in use, by all programs that run on it.
    """

    lasted_s: float
    operations: Mapping[str, RequestFigures]
    overall: RequestFigures
    seconds: Sequence[RunSecond]
    steps: Sequence[LoadStep]
    failures: Mapping[str, int]
    lag: WebhookLag | None
    punctuality: Punctuality | None
    strain: str
    machine: float


def summarize(
    plan: LoadPlan, records: Sequence[RequestRecord], samples: Sequence[ProcessSample],
    events: Sequence[ReceivedEvent], *, interrupted_at: float | None = None,
) -> RunSummary:  # fmt: skip
    """Compute the figures of a run. `interrupted_at` is in seconds since 1970.

    Rates are over the time that load was made, extended to the last response: the gap between two
    responses alone does not show how often there is one. Choice: D-247.
    """
    began_at = min((each.sent_at for each in records), default=interrupted_at or 0.0)
    lasted_s = plan.seconds
    if interrupted_at is not None:
        # Locust needs a moment to react to the interrupt.
        ended_at = max([interrupted_at, *(each.sent_at for each in records)])
        lasted_s = min(lasted_s, ended_at - began_at)
    length_s = max([lasted_s, *(each.responded_at - began_at for each in records)])
    is_open = plan.arrival == "open"
    planned = planned_arrivals(lambda at: rate_at(plan, at), lasted_s) if is_open else 0.0
    return RunSummary(
        lasted_s=lasted_s,
        operations=_figures_by_operation(records, length_s),
        overall=compute_figures(records, length_s),
        seconds=_summarize_seconds(records, samples, span=(began_at, lasted_s)),
        steps=_summarize_steps(plan, records, samples, events, span=(began_at, lasted_s)),
        failures=Counter(f"{each.operation}: {each.reason}" for each in records if each.reason),
        lag=measure_lag(records, events),
        punctuality=measure_punctuality(records, planned) if is_open else None,
        strain=describe_strain(samples),
        machine=median([sample.machine for sample in samples] or [0.0]),
    )


def compute_figures(records: Iterable[RequestRecord], seconds: float) -> RequestFigures:
    """Return the figures of requests that were sent within `seconds`."""
    records = list(records)
    latencies = sorted(each.latency_ms for each in records if each.verdict in CORRECT)
    p50, p95, p99, highest = (percentile(latencies, share) for share in (0.50, 0.95, 0.99, 1.0))
    throughput = len(latencies) / seconds if seconds else 0.0
    counts: Counter[str] = Counter(each.verdict for each in records)
    return RequestFigures(counts, p50, p95, p99, highest, throughput)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the least ordered value that `share` of them do not exceed; 0 if there are none."""
    return ordered[ceil(share * len(ordered)) - 1] if ordered else 0.0


def measure_lag(
    records: Iterable[RequestRecord], events: Iterable[ReceivedEvent]
) -> WebhookLag | None:
    """Return how long after the start of its request each payment was first notified.

    None without events.
    """
    first_at: dict[str, float] = {}
    for event in events:
        first_at[event.id] = min(event.at, first_at.get(event.id, event.at))
    lags = sorted(
        (first_at[each.id] - each.sent_at) * 1000 for each in records if each.id in first_at
    )
    if not lags:
        return None
    return WebhookLag(len(lags), percentile(lags, 0.50), percentile(lags, 0.95), lags[-1])


def describe_strain(samples: Iterable[ProcessSample]) -> str:
    """Return why the client was the limit: too little processor time; empty if it had enough."""
    by_process: dict[str, list[float]] = defaultdict(list)
    warned = False
    for sample in samples:
        by_process[sample.process].append(sample.cpu)
        warned = warned or sample.warned
    busiest = max((median(shares) for shares in by_process.values()), default=0.0)
    if busiest >= CORE_SHARE_MAX:
        return f"a process of the client used {busiest:.0%} of a core; use more --processes"
    return "Locust had too little processor time; use more --processes" if warned else ""


def _figures_by_operation(
    records: Iterable[RequestRecord], seconds: float
) -> dict[str, RequestFigures]:
    by_operation: dict[str, list[RequestRecord]] = defaultdict(list)
    for each in records:
        by_operation[each.operation].append(each)
    return {name: compute_figures(by_operation[name], seconds) for name in sorted(by_operation)}


def _summarize_seconds(
    records: Iterable[RequestRecord], samples: Iterable[ProcessSample], *,
    span: tuple[float, float],
) -> list[RunSecond]:  # fmt: skip
    began_at, lasted_s = span
    latencies: dict[int, list[float]] = defaultdict(list)
    for each in records:
        if each.verdict in CORRECT:
            latencies[int(each.responded_at - began_at)].append(each.latency_ms)
    users: dict[int, Counter[str]] = defaultdict(Counter)
    cpu: dict[int, float] = defaultdict(float)
    for sample in samples:
        second = int(sample.at - began_at)
        users[second][sample.process] = sample.users
        cpu[second] = max(cpu[second], sample.cpu)
    seconds = []
    # An incomplete last second is shown only if it is the only one. That of the last response is
    # whole where load was made until its end.
    whole = max(int(lasted_s), max(latencies)) if latencies else 0
    for second in range(whole or len(latencies)):
        ordered = sorted(latencies[second])
        p50, p95, p99 = (percentile(ordered, share) for share in (0.50, 0.95, 0.99))
        # A master counts the users of its workers, so the greatest number is the total.
        total = max(users[second].values(), default=0)
        seconds.append(RunSecond(second, total, len(ordered), p50, p95, p99, cpu[second]))
    return seconds


def _summarize_steps(
    plan: LoadPlan, records: Sequence[RequestRecord], samples: Sequence[ProcessSample],
    events: Sequence[ReceivedEvent], *, span: tuple[float, float],
) -> list[LoadStep]:  # fmt: skip
    """Return the steps that were completed: an interrupted one has fewer responses."""
    if plan.shape != "step":
        return []
    began_at, lasted_s = span
    is_complete = lasted_s == plan.seconds
    completed = plan.steps if is_complete else int(plan.steps * lasted_s / plan.seconds)
    steps = []
    for number in range(completed):
        first, last = step_span(plan, number)
        within = [each for each in records if first <= each.responded_at - began_at < last]
        sampled = [each for each in samples if first <= each.at - began_at < last]
        figures, lag = compute_figures(within, last - first), measure_lag(within, events)
        middle = (first + last) / 2
        is_open = plan.arrival == "open"
        steps.append(
            LoadStep(
                number=number + 1,
                load=rate_at(plan, middle) if is_open else users_at(plan, middle) or 0,
                throughput=figures.throughput,
                p95_ms=figures.p95_ms,
                is_strained=bool(describe_strain(sampled)),
                lag_ms=lag.p95_ms if lag else 0.0,
            )
        )
    return steps
