"""Gateways that keep their records in PostgreSQL, alone and as a fleet, lose what they can lose:
themselves, the database, and the way to it. The result as figures.
"""

from load.figures.figure import AT_MOST, Figure, Goal
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, print_lines, run_program

TAKEOVER = Goal(AT_MOST, must=6, aim=5)
REFUSAL = Goal(AT_MOST, must=5, aim=4)
BACK = Goal(AT_MOST, must=5, aim=2)
OK, SUPERVISED = 200, 75
# Some of the gateway's own tests: the database comes with them.
POSTGRESQL_KILLS = "simulator.tests.measured.postgresql_kills"
FLEET_KILLS = "simulator.tests.measured.fleet_kills"
FAILOVER = "simulator.tests.measured.fleet_failover"
FAILOVER_S = 5.0
DISK_FULL = "simulator.tests.measured.fleet_disk_full"
FULL_S = 8.0
UPGRADE = "simulator.tests.measured.fleet_upgrade"
UPGRADE_S, MEMBERS_REPLACED = 5.0, 3
DATABASE = Goal(AT_MOST, must=80, aim=60)
RAISED = Goal(AT_MOST, must=15, aim=11)
PROCESSOR = "simulator.tests.measured.fleet_processor"
# What is compared with what; two gateways share the processor with two clients of theirs.
COMPARED = (
    ("payment, postgresql", "payment, embedded", Goal(AT_MOST, must=1.05, aim=0.95)),
    ("read, postgresql", "read, embedded", Goal(AT_MOST, must=1.10, aim=1.02)),
    ("payment, two members", "payment, postgresql", Goal(AT_MOST, must=1.10, aim=1.05)),
    ("payment, two members", "payment, two single", Goal(AT_MOST, must=1.10, aim=1.05)),
    ("payment, shared", "payment, two members", None),
)


def postgresql_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a server that keeps its records in PostgreSQL, and every second time that as well."""
    found = run_program(POSTGRESQL_KILLS, plan.postgresql_kills)
    print_lines(found["faults"])
    return [
        Figure("postgresql: kills of the gateway", "count", (plan.postgresql_kills,)),
        Figure("postgresql: crashes of the database", "count", (found["crashes"],)),
        Figure("postgresql: acknowledged", "payments/kill", tuple(found["acknowledged"])),
        Figure("postgresql: no response", "requests/kill", tuple(found["unknown"])),
        Figure("postgresql: faults", "count", (len(found["faults"]),), NONE),
    ]


def fleet_figures(plan: ProofPlan) -> list[Figure]:
    """Kill members, crash the database, and cut one member off, under load."""
    found = run_program(FLEET_KILLS, plan.fleet_s)
    partition = found["partition"]
    is_wrong = (partition["moved"], partition["ended"]) != (OK, SUPERVISED)
    print_lines(found["faults"])
    return [
        Figure("fleet: members killed", "count", (len(found["waits_s"]),)),
        Figure("fleet: acknowledged", "requests", (found["acknowledged"],)),
        Figure("fleet: no response, or 503", "requests", (found["unknown"],)),
        Figure("fleet: lost or twice", "count", (len(found["faults"]),), NONE),
        Figure("fleet: longest wait after a kill", "s", (max(found["waits_s"]),), TAKEOVER),
        Figure("fleet: back after a crash of the database", "s", (found["back_s"],), BACK),
        Figure("fleet: cut off, refused after", "s", (partition["refused_after_s"],), REFUSAL),
        Figure("fleet: cut off, went on alone", "count", (int(is_wrong),), NONE),
    ]


def failover_figures(plan: ProofPlan) -> list[Figure]:
    """End the primary for good under load, and go on at its synchronous standby."""
    found = run_program(FAILOVER, min(FAILOVER_S, plan.fleet_s))
    print_lines(found["faults"])
    return [
        Figure("failover: acknowledged", "requests", (found["acknowledged"],)),
        Figure("failover: no response, or 503", "requests", (found["unknown"],)),
        Figure("failover: lost or twice", "count", (len(found["faults"]),), NONE),
        Figure("failover: back at the standby", "s", (found["back_s"],), BACK),
    ]


def upgrade_figures(plan: ProofPlan) -> list[Figure]:
    """Replace members that write at the former level under load, one by one."""
    found = run_program(UPGRADE, min(UPGRADE_S, plan.fleet_s / MEMBERS_REPLACED))
    print_lines(found["faults"])
    return [
        Figure("upgrade: acknowledged", "requests", (found["acknowledged"],)),
        Figure("upgrade: no response, or 503", "requests", (found["unknown"],), NONE),
        Figure("upgrade: lost or twice", "count", (len(found["faults"]),), NONE),
        Figure("upgrade: raised while a former one was there", "count",
               (found["too_early"],), NONE),
        Figure("upgrade: raised after", "s", (found["raised_s"],), RAISED),
    ]  # fmt: skip


def processor_figures(plan: ProofPlan) -> list[Figure]:
    """Compare what requests cost the processor on PostgreSQL, embedded, and in a fleet."""
    found = run_program(PROCESSOR, plan.processor_s, plan.processor_rounds)
    of_gateways = {way: [each["gateways_us"] for each in rounds] for way, rounds in found.items()}
    of_database = tuple(each["database_us"] for each in found["payment, postgresql"])
    ratios = [
        Figure(
            f"processor: {way} / {other}", "", _ratios(of_gateways[way], of_gateways[other]), goal
        )
        for way, other, goal in COMPARED
    ]
    return [
        *(Figure(f"processor: {way}", "us", tuple(each)) for way, each in of_gateways.items()),
        Figure("processor: database, a payment", "us", of_database, DATABASE),
        *ratios,
    ]


def _ratios(values: list[float], others: list[float]) -> tuple[float, ...]:
    return tuple(value / other for value, other in zip(values, others, strict=True))


def disk_full_figures(plan: ProofPlan) -> list[Figure]:
    """Leave the database no room under load, and make some again; root alone can."""
    found = run_program(DISK_FULL, min(FULL_S, plan.fleet_s))
    print_lines(found["faults"])
    return [
        Figure("disk full: acknowledged", "requests", (found["acknowledged"],)),
        Figure("disk full: refused while it was", "requests", (found["refused"],)),
        Figure("disk full: lost or twice", "count", (len(found["faults"]),), NONE),
        Figure("disk full: members that ended", "count", (found["ended"],), NONE),
        Figure("disk full: back once there was room", "s", (found["back_s"],), BACK),
    ]
