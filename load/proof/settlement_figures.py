"""A large settlement day, and runs that are killed, as figures."""

from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, print_lines, run_program
from load.proof.settlement import SettledDay, p99, settle_large_day

KILLS = "simulator.tests.settlement.settlement_kills"
SLICES = "simulator.tests.measured.settlement_slices"
CHECKER = "features.reconciling.tests.broken_programs"
WHOLE = Goal(AT_LEAST, must=1, aim=1)
MILLION, MILLISECONDS, MEBIBYTE = 1_000_000, 1000, 1024 * 1024
KILL_COUNTS = {
    "kills": "kills",
    "killed_in_time": "killed before the end",
    "killed_half_way": "killed while a file was written",
}
KILL_FAULTS = {
    "partial_files": "partial files that a merchant sees",
    "lines_lost": "lines lost",
    "lines_twice": "lines booked twice",
    "ledgers_that_differ": "ledgers that differ from the file",
}


def settlement_figures(plan: ProofPlan) -> list[Figure]:
    """Settle a large day while payments go on."""
    day = settle_large_day(plan.settled)
    print_lines(day.faults)
    return [*evaluate_day(day), *slice_figures(plan), *checker_figures(plan)]


def slice_figures(plan: ProofPlan) -> list[Figure]:
    """How long the gateway works in one piece meanwhile, in processor time."""
    found = run_program(SLICES, plan.settled // 10)
    return [
        Figure("settlement: p99 of pieces of work in the gateway", "ms", (found["p99_ms"],),
               Goal(AT_MOST, must=20, aim=5)),
        Figure("settlement: longest piece of work in the gateway", "ms", (found["slice_ms"],),
               Goal(AT_MOST, must=50, aim=20)),
    ]  # fmt: skip


def checker_figures(_: ProofPlan) -> list[Figure]:
    """Judge twenty broken reconciliation programs, and a careful one."""
    found = run_program(CHECKER)
    caught = found["caught"] / found["programs"]
    return [
        Figure("reconcile check: broken programs", "count", (found["programs"],),
               Goal(AT_LEAST, must=20, aim=20)),
        Figure("reconcile check: caught by their own fault", "share", (caught,), WHOLE),
        Figure("reconcile check: false alarms", "count", (found["false_alarms"],), NONE),
        Figure("reconcile check: recall of a careful program", "share", (found["recall"],), WHOLE),
        Figure("reconcile check: precision of a careful program", "share", (found["precision"],),
               WHOLE),
    ]  # fmt: skip


def evaluate_day(day: SettledDay) -> list[Figure]:
    """The figures of a day; those of a million payments are extrapolated from its own."""
    scale = MILLION / day.payments
    beside = (day.growth_bytes + day.workers_bytes) / MEBIBYTE
    ratio = p99(day.meanwhile) / p99(day.before)
    return [
        Figure("settlement: payments of the day", "count", (day.payments,)),
        Figure("settlement: processor time of the gateway a line", "us",
               (day.gateway_s / day.payments * MILLION,)),
        Figure("settlement: processor time of its workers a line", "us",
               (day.workers_s / day.payments * MILLION,)),
        Figure("settlement: from the store to the SFTP server", "s", (day.seconds,)),
        Figure("settlement: the same for 1,000,000, extrapolated", "s", (day.seconds * scale,),
               Goal(AT_MOST, must=120, aim=90)),
        Figure("settlement: memory of gateway growth and workers", "MiB", (beside,),
               Goal(AT_MOST, must=300, aim=200)),
        Figure("settlement: p99 of others before", "ms", (p99(day.before) * MILLISECONDS,)),
        Figure("settlement: p99 of others meanwhile", "ms", (p99(day.meanwhile) * MILLISECONDS,)),
        Figure("settlement: p99 of others meanwhile against before", "ratio", (ratio,),
               Goal(AT_MOST, must=2, aim=1.5)),
        Figure("settlement: the merchant's file", "MB", (day.fetched_mb,)),
        Figure("settlement: SFTP to one client", "MB/s", (day.one_mb_s,),
               Goal(AT_LEAST, must=50, aim=100)),
        Figure("settlement: SFTP to 20 clients at once, in all", "MB/s", (day.all_mb_s,)),
        Figure("settlement: faults", "count", (len(day.faults),), NONE),
    ]  # fmt: skip


def settlement_kill_figures(plan: ProofPlan) -> list[Figure]:
    """Kill settlement runs at random instants: each line is booked once, and no half file shows."""
    found = run_program(KILLS, plan.settlement_kills)
    return [
        *(Figure(f"settlement kills: {label}", "count", (found[name],))
          for name, label in KILL_COUNTS.items()),
        *(Figure(f"settlement kills: {label}", "count", (found[name],), NONE)
          for name, label in KILL_FAULTS.items()),
    ]  # fmt: skip
