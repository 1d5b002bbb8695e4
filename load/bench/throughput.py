"""Payments a second beside a bare application on the same server, and what stored ones cost.

Three servers wait on one core: the bare application, a gateway with few payments stored and one
with many. Each round drives them in turn, in the opposite order every other time, so that whatever
else the machine does meets all of them; ratios are made round by round.
"""

import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from load.bench.generator import Requests, Run, drive
from load.bench.order import payments
from load.bench.plan import Plan
from load.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.servers import ROOT, Server, gateway, running
from simulator.client import Control

BARE_APP = ROOT / "simulator" / "tests" / "measured" / "bare_app.py"
BARE, FEW, MANY = "bare", "few", "many"
MILLISECOND = 1e-3


class Target(NamedTuple):
    """A server under load, and what is sent to it."""

    server: Server
    requests: Requests


class Stage(NamedTuple):
    """Every target by its name, and the sandbox that is emptied before every round."""

    targets: Mapping[str, Target]
    few: "Sandbox"


class Measured(NamedTuple):
    """One run, and how long the processor worked for the server meanwhile."""

    run: Run
    cpu_s: float

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.run.rate

    @property
    def cpu_microseconds(self) -> float:
        """Microseconds of the processor a request."""
        return self.cpu_s / len(self.run.latencies) * 1e6


class Sandbox(NamedTuple):
    """A sandbox of a server, its credentials, and the control API that can empty it."""

    identity: str
    control: Control
    requests: Requests

    def refill(self, payments_stored: int) -> None:
        """Make it hold so many payments and no others."""
        self.control.reset(self.identity)
        drive(self.requests, requests_max=payments_stored)


Round = dict[str, Measured]


def throughput_figures(plan: Plan, folder: Path) -> list[Figure]:
    """Rates, ratios, latencies, and the recovery of the store that was filled on the way."""
    with ExitStack() as stack:
        bare = [sys.executable, "-m", "gevent.monkey", str(BARE_APP)]
        bare_server = stack.enter_context(running(bare, pinned=True))
        few_server = stack.enter_context(gateway(folder / FEW, pinned=True))
        many_server = stack.enter_context(gateway(folder / MANY, pinned=True))
        few, many = new_sandbox(few_server), new_sandbox(many_server)
        nobody = payments(bare_server.base_url, token="none", entity_id="8" * 32)
        targets = {
            BARE: Target(bare_server, nobody),
            FEW: Target(few_server, few.requests),
            MANY: Target(many_server, many.requests),
        }
        stage = Stage(targets, few)
        for target in targets.values():
            drive(target.requests, seconds=plan.warm_up_s)
        drive(many.requests, requests_max=plan.stored_many)
        runs = [_round(stage, plan, number) for number in range(plan.rounds)]
        return _figures(runs, plan)


def new_sandbox(server: Server) -> Sandbox:
    """A sandbox of its own on a server."""
    control = Control(server.facts["control_url"], server.facts["control_key"])
    made = control.create_sandbox()
    requests = payments(server.base_url, token=made["token"], entity_id=made["entity_id"])
    return Sandbox(made["id"], control, requests)


def _round(stage: Stage, plan: Plan, number: int) -> Round:
    stage.few.refill(plan.stored_few)
    names = list(stage.targets)
    runs = {}
    for name in reversed(names) if number % 2 else names:
        server, requests = stage.targets[name]
        drive(requests, seconds=plan.warm_up_s)
        before = server.cpu_s()
        run = drive(requests, seconds=plan.round_s)
        runs[name] = Measured(run, server.cpu_s() - before)
    return runs


def _figures(runs: list[Round], plan: Plan) -> list[Figure]:
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


def _latency_figures(runs: list[Round], name: str, words: str) -> Iterable[Figure]:
    median, slow = _latencies(runs, name, 0.50), _latencies(runs, name, 0.99)
    ratios = tuple(high / low for high, low in zip(slow, median, strict=True))
    return (
        Figure(f"p50, {words}", "ms", median),
        Figure(f"p99, {words}", "ms", slow),
        Figure(f"p99 against p50, {words}", "ratio", ratios, Goal(AT_MOST, must=5, aim=3)),
    )


def _cpu(runs: list[Round], name: str) -> tuple[float, ...]:
    return tuple(run[name].cpu_microseconds for run in runs)


def _rates(runs: list[Round], name: str) -> tuple[float, ...]:
    return tuple(run[name].rate for run in runs)


def _ratios(runs: list[Round], name: str, base: str) -> tuple[float, ...]:
    return tuple(run[name].rate / run[base].rate for run in runs)


def _latencies(runs: list[Round], name: str, share: float) -> tuple[float, ...]:
    return tuple(run[name].run.latency(share) / MILLISECOND for run in runs)
