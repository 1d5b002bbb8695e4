"""How much is measured: in full for figures that are stored, little to try the bench itself."""

from typing import NamedTuple


class BenchPlan(NamedTuple):
    """Rounds, seconds per round, and numbers of payments."""

    rounds: int
    warm_up_s: float
    round_s: float
    stored_few: int
    stored_many: int
    memory_rounds: int
    memory_payments: int
    check_rounds: int
    sandboxes: int
    starts: int
    recoveries: int
    idle_rounds: int
    idle_sandboxes: int
    operations: int
    schedules: int
    peer_warm_up_s: float


# fmt: off
FULL = BenchPlan(
    rounds=8,        warm_up_s=0.4,         round_s=2.5,
    stored_few=1000, stored_many=100_000,
    memory_rounds=3, memory_payments=20_000,
    check_rounds=9,  sandboxes=25,
    starts=5,        recoveries=3,
    idle_rounds=3,   idle_sandboxes=1000,
    operations=640,  schedules=100,
    # A virtual machine compiles for some seconds what it runs.
    peer_warm_up_s=6,
)
QUICK = BenchPlan(
    rounds=2,        warm_up_s=0.1,         round_s=0.4,
    stored_few=100,  stored_many=1000,
    memory_rounds=1, memory_payments=1000,
    check_rounds=2,  sandboxes=3,
    starts=1,        recoveries=1,
    idle_rounds=1,   idle_sandboxes=5,
    operations=32,   schedules=3,
    peer_warm_up_s=0.1,
)
# fmt: on
