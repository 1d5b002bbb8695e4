"""The plan of a run: where the load goes, who makes it, how much and for how long."""

from pathlib import Path
from secrets import token_hex
from typing import Literal

import msgspec

Shape = Literal["flat", "ramp", "spike", "soak", "step"]
Arrival = Literal["closed", "open"]
MERCHANT, SHOPPER, ONE_CLICK = "merchant", "shopper", "one-click"
BACK_OFFICE, REPORTER, RECEIVER = "back-office", "reporter", "receiver"
PEOPLE = (MERCHANT, SHOPPER, ONE_CLICK, BACK_OFFICE, REPORTER, RECEIVER)
# What the processes that make load are told through their environment: the file with the plan.
PLAN_VARIABLE = "SANDGATE_LOAD_PLAN"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a process that makes load has to know. It holds a token: never print it.

    `rate` is in arrivals a second over all processes, `think_s` the mean pause of a user. `ledger`
    is the file the leading process writes, `authorities` the certificates (PEM) that are trusted;
    without any it is those the machine trusts. `run` is part of every reference, so that no run
    finds the payments of another one: it is drawn once, and not from the seed.
    """

    base_url: str
    token: str
    entity_id: str
    ledger: str
    authorities: str = ""
    people: tuple[str, ...] = PEOPLE
    users: int = 10
    spawn_rate: float = 10.0
    seconds: float = 10.0
    shape: Shape = "flat"
    steps: int = 8
    arrival: Arrival = "closed"
    rate: float = 0.0
    poisson: bool = True
    think_s: float = 1.0
    seed: int = 1
    run: str = msgspec.field(default_factory=lambda: token_hex(4))
    processes: int = 1
    declines: bool = True
    stop_timeout_s: float = 15.0


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan where only its owner can read it."""
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(plan))


def read_plan(content: bytes) -> Plan:
    """The plan of a file or a message. Raises msgspec.ValidationError."""
    return msgspec.json.decode(content, type=Plan)
