"""What the server counts of itself, and how Prometheus reads it.

The hot path adds to plain numbers here. The library is imported and given those numbers when
the text is asked for, into a separate registry: nothing global, no cost at a start.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from time import perf_counter
from typing import Any, NamedTuple

from simulator.catalogue.results import RESULTS

BOUNDS_S = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
)  # fmt: skip
TOO_MANY_REQUESTS = "800.120.100"
NO_RESULT = "none"
UNREADABLE = "unreadable"


class Gauge(NamedTuple):
    """A number that is read on request: its name, what it says, and how to read it."""

    name: str
    help: str
    read: Callable[[], float]


class Answers:
    """The answers of one kind: how many fell below each bound, and how long all took together."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.seconds = 0.0


class PrometheusMeter:
    """Implements ports.Meter. Its labels are words of the gateway, never what a client sent."""

    __slots__ = ("_answers", "_settled", "_unread")

    def __init__(self) -> None:
        self._answers: dict[tuple[str, object, str | None], Answers] = {}
        self._settled: Counter[tuple[str, str]] = Counter()
        self._unread: Counter[tuple[str, str, str]] = Counter()

    def mark(self) -> float:
        """A mark from which an answer is timed."""
        return perf_counter()

    def answered(self, since: float, operation: str, status: object, code: str | None) -> None:
        """Count an answer, timed from a mark."""
        seconds = perf_counter() - since
        key = (operation, status, code)
        answers = self._answers.get(key)
        if answers is None:
            answers = self._answers[key] = Answers()
        answers.counts[bisect_left(BOUNDS_S, seconds)] += 1
        answers.seconds += seconds

    def unread(self, status: int) -> None:
        """Count an answer to bytes that were no request. Their beginning is unknown."""
        self._unread[UNREADABLE, str(status), NO_RESULT] += 1

    def settled(self, kind: str, state: str) -> None:
        """Count a payment that came to a state."""
        self._settled[kind, state] += 1

    def requests(self) -> Counter[tuple[str, str, str]]:
        """Answers by operation, status and group of result codes."""
        found = Counter(self._unread)
        for (operation, status, code), answers in self._answers.items():
            group = NO_RESULT if code is None else RESULTS[code].group
            found[operation, str(status)[:3], group] += sum(answers.counts)
        return found

    def throttled(self) -> Counter[tuple[str]]:
        """Requests that a limit refused, by operation."""
        found: Counter[tuple[str]] = Counter()
        for (operation, _, code), answers in self._answers.items():
            if code == TOO_MANY_REQUESTS:
                found[(operation,)] += sum(answers.counts)
        return found

    def payments(self) -> Mapping[tuple[str, str], int]:
        """Payments by type and the state they came to."""
        return self._settled

    def latency(self) -> Mapping[str, Answers]:
        """Answers by operation."""
        found: dict[str, Answers] = {}
        for (operation, _, _), answers in self._answers.items():
            total = found.setdefault(operation, Answers())
            pairs = zip(total.counts, answers.counts, strict=True)
            total.counts = [one + other for one, other in pairs]
            total.seconds += answers.seconds
        return found


class Metrics:
    """The text Prometheus reads: what `meter` counted, and every gauge."""

    def __init__(self, meter: PrometheusMeter, gauges: Sequence[Gauge]):
        self._meter = meter
        self._gauges = gauges
        self._registry: Any = None

    def text(self) -> bytes:
        """Everything that is counted, in the text format 0.0.4."""
        from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

        if self._registry is None:
            self._registry = CollectorRegistry()
            self._registry.register(self)
            ProcessCollector(registry=self._registry)
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """The families of the text, as the library's registry asks for them."""
        from prometheus_client.core import GaugeMetricFamily

        yield from self._counters()
        yield self._histogram()
        for gauge in self._gauges:
            yield GaugeMetricFamily(gauge.name, gauge.help, value=gauge.read())

    def _counters(self) -> Iterator[Any]:
        from prometheus_client.core import CounterMetricFamily

        meter = self._meter
        rows = (
            #  name                  labels                            what it counts
            ("sandgate_requests", ("operation", "status", "result"), REQUESTS, meter.requests()),
            ("sandgate_throttled", ("operation",), THROTTLED, meter.throttled()),
            ("sandgate_payments", ("type", "state"), PAYMENTS, meter.payments()),
        )
        for name, labels, says, counted in rows:
            family = CounterMetricFamily(name, says, labels=labels)
            for values, count in sorted(counted.items()):
                family.add_metric(values, count)
            yield family

    def _histogram(self) -> Any:
        from prometheus_client.core import HistogramMetricFamily

        family = HistogramMetricFamily("sandgate_request_seconds", SECONDS, labels=("operation",))
        for operation, answers in sorted(self._meter.latency().items()):
            below = zip((*map(str, BOUNDS_S), "+Inf"), accumulate(answers.counts), strict=True)
            family.add_metric((operation,), list(below), answers.seconds)
        return family


REQUESTS = "Requests answered, by operation, status and group of the result code."
THROTTLED = "Requests refused because a limit was reached, by operation."
PAYMENTS = "Payments by type and the state they came to; a pending one counts again at its end."
SECONDS = "From the head of a request read to its answer made, by operation."
