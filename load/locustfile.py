"""What Locust runs: `python -m locust -f load/locustfile.py`, started by `sandgate load`.

Importing Locust patches the process, so this file and `load/users/` are imported by Locust's own
processes only.
"""

import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import time
from typing import Any

import gevent
import psutil
from locust import LoadTestShape, events

from load.ledger.collector import LedgerCollector
from load.ledger.records import ProcessSample
from load.plan.arrivals import ArrivalSchedule
from load.plan.plan import PLAN_VARIABLE, LoadPlan, decode_plan
from load.plan.shapes import rate_at, users_at
from load.traffic.payloads import create_shoppers
from load.users.back_office import BackOfficeUser
from load.users.merchant import MerchantUser
from load.users.one_click import OneClickUser
from load.users.reporter import ReportingUser
from load.users.session import ProcessContext
from load.users.shopper import CheckoutUser, FormUser
from load.users.till import TerminalUser

__all__ = [
    "BackOfficeUser", "CheckoutUser", "FormUser", "MerchantUser", "OneClickUser", "PlannedShape",
    "ReportingUser", "TerminalUser",
]  # fmt: skip
SAMPLE_S = 1.0
COLLECT_GARBAGE_AT = 10_000


Listener = Callable[..., None]


def listen_to(event: Any) -> Callable[[Listener], Listener]:
    """Register the decorated function as a listener of a Locust event."""

    def register(listener: Listener) -> Listener:
        event.add_listener(listener)
        return listener

    return register


class PlannedShape(LoadTestShape):
    """The number of users at each moment, from the plan."""

    def tick(self) -> tuple[int, float] | None:
        """Return the number of users and how many start per second; None ends the run."""
        shape: Any = self
        plan: LoadPlan = shape.runner.environment.process_context.plan
        if not shape.runner.user_count:
            # The time of the run begins with its first user, not while workers still connect.
            shape.reset_time()
        users = users_at(plan, shape.get_run_time())
        return None if users is None else (users, plan.spawn_rate)


@listen_to(events.init)
def initialize(environment: Any, **_: object) -> None:
    """Start this process with the plan in its file, or when the master sends the plan."""
    collector = LedgerCollector(
        environment, start_process=lambda plan: start_process(environment, plan)
    )
    path = os.environ.get(PLAN_VARIABLE)
    if path and not collector.is_worker:
        start_process(environment, decode_plan(Path(path).read_bytes()))
    collector.register()
    gevent.spawn(record_samples, environment)


@listen_to(events.test_start)
def handle_interrupt(environment: Any, **_: object) -> None:
    """Let SIGINT end the run like its planned end: requests in flight are finished and recorded.

    Otherwise it would raise an exception in the running user, and its request would fail.
    """
    leading = environment.runner.shape_greenlet
    if leading is not None:
        gevent.signal_handler(signal.SIGINT, leading.kill, block=False)


@listen_to(events.test_stopping)
def stop_sending(environment: Any, **_: object) -> None:
    """Send no more requests; those in flight are finished."""
    context = context_of(environment)
    if context is not None:
        context.is_closing = True


@listen_to(events.cpu_warning)
def record_cpu_warning(environment: Any, cpu_usage: float, **_: object) -> None:
    """Record that Locust measured too little processor time."""
    context = context_of(environment)
    if context is not None:
        users = environment.runner.user_count
        context.ledger.add(
            ProcessSample(str(os.getpid()), time(), users, cpu_usage / 100, warned=True)
        )


def start_process(environment: Any, plan: LoadPlan) -> None:
    """Create what the users of this process share."""
    index = max(getattr(environment.runner, "worker_index", 0), 0)
    schedule = ArrivalSchedule(
        lambda seconds: rate_at(plan, seconds) / plan.processes,
        random=Random(f"{plan.seed}/{index}/arrivals"),
        poisson=plan.poisson,
    )
    environment.process_context = ProcessContext(
        plan, index=index, shoppers=create_shoppers(plan.seed), schedule=schedule
    )
    environment.stop_timeout = plan.stop_timeout_s
    # Collecting garbage among modules and shoppers took 70 ms now and then, which showed in p99.
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_GARBAGE_AT)


def record_samples(environment: Any) -> None:
    """Record each second how many users there are and how much processor time they use."""
    own_process = psutil.Process()
    own_process.cpu_percent()
    psutil.cpu_percent()
    while True:
        gevent.sleep(SAMPLE_S)
        cpu, users = own_process.cpu_percent() / 100, environment.runner.user_count
        machine = psutil.cpu_percent() / 100
        context = context_of(environment)
        if context is not None and users:
            context.ledger.add(ProcessSample(str(os.getpid()), time(), users, cpu, machine=machine))


def context_of(environment: Any) -> ProcessContext | None:
    """Return the context of this process; None in a worker that has not received the plan."""
    return getattr(environment, "process_context", None)
