"""What Locust runs: `python -m locust -f load/locustfile.py`, started by `sandgate load`.

Importing Locust patches the process, so that this file and `load/users/` are imported by Locust's
own processes and by nothing else.
"""

import gc
import os
import signal
from pathlib import Path
from random import Random
from time import time
from typing import Any

import gevent
import psutil
from locust import LoadTestShape, events

from load.arrivals import Schedule
from load.gathering import Gathering
from load.ledger import Pulse
from load.payloads import shoppers_of
from load.plan import PLAN_VARIABLE, Plan, read_plan
from load.shapes import rate_at, users_at
from load.users.back_office import BackOffice
from load.users.desk import Hall
from load.users.merchant import Merchant
from load.users.one_click import OneClickShopper
from load.users.reporter import Reporter
from load.users.shopper import CheckoutShopper

__all__ = [
    "BackOffice", "CheckoutShopper", "Merchant", "OneClickShopper", "Profile", "Reporter",
]  # fmt: skip
PULSE_S = 1.0
COLLECTED_AT = 10_000


class Profile(LoadTestShape):
    """How many users there are at each moment, as the plan has it."""

    def tick(self) -> tuple[int, float] | None:
        """Users and how fast they come; None ends the run."""
        runner: Any = self.runner
        plan: Plan = runner.environment.hall.plan
        if not runner.user_count:
            # The time of the run begins with its first user, however long workers took to come.
            self.reset_time()
        users = users_at(plan, self.get_run_time())
        return None if users is None else (users, plan.spawn_rate)


@events.init.add_listener
def prepare(environment: Any, **_: object) -> None:
    """Open the hall in each process: by the file of the plan, or when the master sends it."""
    gathering = Gathering(environment, open_hall=lambda plan: open_hall(environment, plan))
    path = os.environ.get(PLAN_VARIABLE)
    if path and not gathering.is_worker:
        open_hall(environment, read_plan(Path(path).read_bytes()))
    gathering.listen()
    gevent.spawn(take_pulse, environment)


@events.test_start.add_listener
def heed(environment: Any, **_: object) -> None:
    """Let SIGINT end the run as its time does: what is under way is waited for and written down.

    Left to itself it is an exception in whichever user is at work, whose request then failed.
    """
    leading = environment.runner.shape_greenlet
    if leading is not None:
        gevent.signal_handler(signal.SIGINT, leading.kill, block=False)


@events.test_stopping.add_listener
def close(environment: Any, **_: object) -> None:
    """Let nobody ask any more; what is under way is waited for."""
    hall = hall_of(environment)
    if hall is not None:
        hall.is_closing = True


@events.cpu_warning.add_listener
def warn(environment: Any, cpu_usage: float, **_: object) -> None:
    """Write down that Locust found its processor time too short."""
    hall = hall_of(environment)
    if hall is not None:
        users = environment.runner.user_count
        hall.book.write(Pulse(str(os.getpid()), time(), users, cpu_usage / 100, warned=True))


def open_hall(environment: Any, plan: Plan) -> None:
    """Make what the users of this process share."""
    index = max(getattr(environment.runner, "worker_index", 0), 0)
    schedule = Schedule(
        lambda seconds: rate_at(plan, seconds) / plan.processes,
        random=Random(f"{plan.seed}/{index}/arrivals"),
        poisson=plan.poisson,
    )
    shoppers = shoppers_of(plan.seed)
    environment.hall = Hall(plan, index=index, shoppers=shoppers, schedule=schedule)
    environment.stop_timeout = plan.stop_timeout_s
    # Looking for garbage among modules and shoppers took 70 ms now and then, which showed in p99.
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECTED_AT)


def take_pulse(environment: Any) -> None:
    """Write down each second how many users there are and what they cost this process."""
    ourselves = psutil.Process()
    ourselves.cpu_percent()
    psutil.cpu_percent()
    while True:
        gevent.sleep(PULSE_S)
        used, users = ourselves.cpu_percent() / 100, environment.runner.user_count
        machine = psutil.cpu_percent() / 100
        hall = hall_of(environment)
        if hall is not None and users:
            hall.book.write(Pulse(str(os.getpid()), time(), users, used, machine=machine))


def hall_of(environment: Any) -> Hall | None:
    """The hall of this process; None in a worker that the master has not told the plan."""
    return getattr(environment, "hall", None)
