"""How often and how long each proof runs: in full for a proof, little to try the program itself."""

from typing import NamedTuple


class ProofPlan(NamedTuple):
    """Repetitions, numbers of requests, seconds, and which cases of the suite; none stands for
    all.
    """

    cuts: int
    kills: int
    captures: int
    deliveries: int
    throttled: int
    throttled_s: float
    soak_s: float
    knee_s: float
    flood_s: float
    hostile_every: int
    full_percent: int
    terminal_payments: int
    terminal_kills: int
    gateway_kills: int
    postgresql_kills: int
    terminal_inputs: int
    terminal_faulty: int
    terminal_rounds: int
    first_dips: int
    classes: int
    steps: int
    screens_s: float
    listed: int
    settled: int
    settlement_kills: int
    fleet_s: float
    suite_members: int
    suite_only: tuple[str, ...]
    processor_s: float
    processor_rounds: int
    suite_runs: str


# fmt: off
FULL = ProofPlan(
    cuts=10_000,       kills=50,        captures=1000, deliveries=100,
    throttled=100_000, throttled_s=60,  soak_s=600,    knee_s=96,
    flood_s=10,        terminal_payments=100_000,      terminal_kills=1000,
    hostile_every=11,  full_percent=100,
    terminal_inputs=1_000_000, terminal_faulty=10_000, terminal_rounds=10, first_dips=3,
    gateway_kills=50,  classes=5,       steps=20,       screens_s=20,     listed=10_000,
    settled=200_000,   settlement_kills=200,           postgresql_kills=20,
    fleet_s=60,        suite_members=4,  suite_only=(),
    processor_s=3,     processor_rounds=5,
    suite_runs="1,2,4,8,2,8,8s,8s,8s,8s",
)
QUICK = ProofPlan(
    cuts=20,           kills=1,         captures=4,    deliveries=2,
    throttled=1000,    throttled_s=4,   soak_s=15,     knee_s=20,
    flood_s=2,         terminal_payments=200,          terminal_kills=10,
    hostile_every=2000, full_percent=3,
    terminal_inputs=2_000,     terminal_faulty=20,     terminal_rounds=2,  first_dips=1,
    gateway_kills=2,   classes=1,       steps=1,        screens_s=2,      listed=200,
    settled=6_000,     settlement_kills=3,             postgresql_kills=2,
    fleet_s=10,        suite_members=2,  suite_only=("LIM-01",),
    processor_s=0.5,   processor_rounds=1,
    suite_runs="2,8s",
)
# fmt: on
