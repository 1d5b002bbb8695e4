"""Payments per second compared with a bare application, and the cost of stored payments.

Three servers share one core: the bare application, a gateway with few stored payments and one with
many. Each round drives them in turn, in the opposite order every other time, so that other load of
the machine affects all of them; ratios are per round.
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from load.bench.generator import DriveResult, RequestTemplate, drive
from load.bench.payment import payment_requests
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.gateway.server import processor_time_s, start_gateway, start_server
from simulator.client import Control
from simulator.client.processes import ServerProcess

BARE_APP = Path(__file__).with_name("bare_app.py")
BARE, FEW, MANY = "bare", "few", "many"
MILLISECOND = 1e-3


class BenchTarget(NamedTuple):
    """A server under load, and the requests sent to it."""

    server: ServerProcess
    requests: RequestTemplate


class BenchStage(NamedTuple):
    """Every target by its name, and the sandbox that is reset before every round."""

    targets: Mapping[str, BenchTarget]
    few: "BenchSandbox"


class MeasuredRun(NamedTuple):
    """One run, and the processor time of the server meanwhile."""

    run: DriveResult
    cpu_s: float

    @property
    def rate(self) -> float:
        """Responses per second."""
        return self.run.rate

    @property
    def cpu_microseconds(self) -> float:
        """Processor time per request in microseconds."""
        return self.cpu_s / len(self.run.latencies) * 1e6


class BenchSandbox(NamedTuple):
    """A sandbox, the requests sent to it, and the control API that can reset it."""

    id: str
    control: Control
    requests: RequestTemplate

    def refill(self, payments_stored: int) -> None:
        """Reset it and create `payments_stored` payments."""
        self.control.reset(self.id)
        drive(self.requests, requests_max=payments_stored)


BenchRound = dict[str, MeasuredRun]


def throughput_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure rates, ratios and latencies, and the processor time of a request."""
    with ExitStack() as stack:
        bare = [sys.executable, "-m", "gevent.monkey", str(BARE_APP)]
        bare_server = stack.enter_context(start_server(bare, pinned=True))
        few_server = stack.enter_context(start_gateway(folder / FEW, pinned=True))
        many_server = stack.enter_context(start_gateway(folder / MANY, pinned=True))
        few, many = create_sandbox(few_server), create_sandbox(many_server)
        bare_requests = payment_requests(bare_server.base_url, token="none", entity_id="8" * 32)
        targets = {
            BARE: BenchTarget(bare_server, bare_requests),
            FEW: BenchTarget(few_server, few.requests),
            MANY: BenchTarget(many_server, many.requests),
        }
        stage = BenchStage(targets, few)
        for target in targets.values():
            drive(target.requests, seconds=plan.warm_up_s)
        drive(many.requests, requests_max=plan.stored_many)
        runs = [_drive_round(stage, plan, number) for number in range(plan.rounds)]
        return _figures(runs, plan)


def create_sandbox(server: ServerProcess) -> BenchSandbox:
    """Create a sandbox on a server."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    requests = payment_requests(server.base_url, token=made["token"], entity_id=made["entity_id"])
    return BenchSandbox(made["id"], control, requests)


def _drive_round(stage: BenchStage, plan: BenchPlan, number: int) -> BenchRound:
    stage.few.refill(plan.stored_few)
    names = list(stage.targets)
    runs = {}
    for name in reversed(names) if number % 2 else names:
        server, requests = stage.targets[name]
        drive(requests, seconds=plan.warm_up_s)
        before = processor_time_s(server)
        run = drive(requests, seconds=plan.round_s)
        runs[name] = MeasuredRun(run, processor_time_s(server) - before)
    return runs


def _figures(runs: list[BenchRound], plan: BenchPlan) -> list[Figure]:
    few, many = f"{plan.stored_few:,} stored", f"{plan.stored_many:,} stored"
    return [
        Figure("bare application", "requests/s", _rates(runs, BARE)),
        Figure(f"payments, {few}", "requests/s", _rates(runs, FEW)),
        Figure(f"payments, {many}", "requests/s", _rates(runs, MANY)),
        Figure(
            "payment against bare application",
            "ratio",
            _ratios(runs, FEW, BARE),
            Goal(AT_LEAST, must=0.40, aim=0.60),
        ),
        Figure(
            f"{many} against {few}",
            "ratio",
            _ratios(runs, MANY, FEW),
            Goal(AT_LEAST, must=0.80, aim=0.95),
        ),
        Figure("processor, bare application", "microseconds", _cpu(runs, BARE)),
        Figure("processor, payment", "microseconds", _cpu(runs, FEW)),
        *_latency_figures(runs, FEW, few),
        *_latency_figures(runs, MANY, many),
    ]


def _latency_figures(runs: list[BenchRound], name: str, label: str) -> Iterable[Figure]:
    median, slow = _latencies(runs, name, 0.50), _latencies(runs, name, 0.99)
    ratios = tuple(high / low for high, low in zip(slow, median, strict=True))
    return (
        Figure(f"p50, {label}", "ms", median),
        Figure(f"p99, {label}", "ms", slow),
        Figure(f"p99 against p50, {label}", "ratio", ratios, Goal(AT_MOST, must=5, aim=3)),
    )


def _cpu(runs: list[BenchRound], name: str) -> tuple[float, ...]:
    return tuple(run[name].cpu_microseconds for run in runs)


def _rates(runs: list[BenchRound], name: str) -> tuple[float, ...]:
    return tuple(run[name].rate for run in runs)


def _ratios(runs: list[BenchRound], name: str, base: str) -> tuple[float, ...]:
    return tuple(run[name].rate / run[base].rate for run in runs)


def _latencies(runs: list[BenchRound], name: str, share: float) -> tuple[float, ...]:
    return tuple(run[name].run.latency(share) / MILLISECOND for run in runs)
