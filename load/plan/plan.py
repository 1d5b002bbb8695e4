"""The load plan: where the load goes, which virtual users make it, how much and for how long."""

from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Literal

import msgspec

Shape = Literal["flat", "ramp", "spike", "soak", "step"]
Arrival = Literal["closed", "open"]
MERCHANT, SHOPPER, ONE_CLICK = "merchant", "shopper", "one-click"
BACK_OFFICE, REPORTER, RECEIVER = "back-office", "reporter", "receiver"
# Opens the hosted form, which is no part of the merchant API: it takes part where it is named.
FORM = "form"
# Pays at a terminal whose keys the control API gave: it takes part where it is named.
TERMINAL = "terminal"
DEFAULT_USERS = (MERCHANT, SHOPPER, ONE_CLICK, BACK_OFFICE, REPORTER, RECEIVER)
VIRTUAL_USERS = (*DEFAULT_USERS, FORM, TERMINAL)
# The environment variable that gives Locust's processes the path of the plan.
PLAN_VARIABLE = "SANDGATE_LOAD_PLAN"


class PlannedTerminal(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal of the run: its facts, and its key for account data as a TR-31 block with the key
    that protects it, in hex.
    """

    id: str
    device: str
    model: str
    protection_key: str
    block: str

    def __repr__(self) -> str:
        return f"PlannedTerminal({self.id})"


class LoadPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a process that makes load has to know. It holds secrets: never print it.

    `rate` is in arrivals per second over all processes, `think_s` the mean pause of a user.
    `ledger` is the file the leading process writes, `authorities` the trusted certificates (PEM);
    if empty, those of the machine are trusted. `run` is part of every reference, so that a run
    never finds the payments of another one: it is random and does not follow from the seed.
    `members` are the addresses of the other members of a fleet: each request goes to any of them.
    `terminals` are as many as there are users, where users of terminals take part. `secrets` are
    those of the target beside the token: nothing is done with them but to hide them. `paths` are
    the target's own names for paths that the specification leaves open.
    """

    base_url: str
    token: str
    entity_id: str
    ledger: str
    authorities: str = ""
    members: tuple[str, ...] = ()
    virtual_users: tuple[str, ...] = DEFAULT_USERS
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
    terminals: tuple[PlannedTerminal, ...] = ()
    secrets: tuple[str, ...] = ()
    paths: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def generated_secrets(self) -> list[str]:
        """The keys of the run's own terminals."""
        return [key for each in self.terminals for key in (each.protection_key, each.block)]


def write_plan(plan: LoadPlan, path: Path) -> None:
    """Write a plan to a file that only its owner can read."""
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(plan))


def decode_plan(content: bytes) -> LoadPlan:
    """Return the plan of a file or a message. Raises msgspec.ValidationError."""
    return msgspec.json.decode(content, type=LoadPlan)
