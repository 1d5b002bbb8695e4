"""The figures of terminals: their vectors, counters, random inputs, faults, and the first payment.

What must run inside a terminal is one of its own tests, and prints one line of JSON.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from load.figures.figure import AT_LEAST, AT_MOST, Figure, Goal
from load.proof.plan import ProofPlan
from load.proof.programs import NONE, ProgramFailedError, print_lines, run_program, run_rounds
from load.proof.terminals.first_dip import time_first_dip
from load.proof.terminals.serial_kills import run_serial_round

TESTS = "pos_emulator.tests"
ROWS = 366
# Payments under faults mostly wait for what does not come, random inputs compute.
TERMINALS_AT_ONCE, COMPUTING_AT_ONCE = 4, 2
# The counts of the killed terminals, and their names in the figures; below, those that are faults.
COUNTER_COUNTS = {
    "payments": "payments",
    "kills": "kills",
    "serial_numbers": "serial numbers used",
    "skipped": "serial numbers lost by a kill",
    "half_written": "files that a kill left half written",
}
COUNTER_FAULTS = {
    "used_twice": "serial numbers used twice",
    "not_above_the_last": "serial numbers not above the last",
    "wrong_keys": "wrong keys after a kill",
}


def terminal_vector_figures(plan: ProofPlan) -> list[Figure]:
    """Compute every published value of keys, PIN blocks, cryptograms and certificates."""
    found = _run("keys.vectors")
    print_lines(found["differing"])
    rows, differing = found["rows"], len(found["differing"])
    return [
        Figure("terminal vectors: published values", "count", (rows,), Goal(AT_LEAST, ROWS, ROWS)),
        Figure("terminal vectors: values that differ", "count", (differing,), NONE),
    ]


def terminal_input_figures(plan: ProofPlan) -> list[Figure]:
    """Try random bytes as data objects, commands and responses of cards."""
    count, seeds = plan.terminal_inputs // COMPUTING_AT_ONCE, range(1, COMPUTING_AT_ONCE + 1)
    runs = _run_at_once("random_inputs", [(count, seed) for seed in seeds], COMPUTING_AT_ONCE)
    return [
        Figure("terminal inputs: random inputs", "count", (_sum(runs, "inputs"),)),
        Figure("terminal inputs: damaged payments", "count", (_sum(runs, "damaged_payments"),)),
        Figure("terminal inputs: longest", "s", tuple(each["longest_s"] for each in runs),
               Goal(AT_MOST, must=2, aim=1)),
        Figure("terminal inputs: exceptions", "count", (COMPUTING_AT_ONCE - len(runs),), NONE),
    ]  # fmt: skip


def terminal_fault_figures(plan: ProofPlan) -> list[Figure]:
    """Pay under faults of both links, and compare terminal, gateway and host."""
    rounds, count = plan.terminal_rounds, plan.terminal_faulty
    counts = [(count // rounds, seed) for seed in range(1, rounds + 1)]
    runs = _run_at_once("terminal.many_payments", counts, TERMINALS_AT_ONCE)
    endings = sum((Counter[str](each["endings"]) for each in runs), Counter[str]())
    return [
        *(Figure(f"terminal faults: {ending}", "count", (times,))
          for ending, times in sorted(endings.items())),
        Figure("terminal faults: payments", "count", (endings.total(),),
               Goal(AT_LEAST, count, count)),
        Figure("terminal faults: ledgers compared", "count", (_sum(runs, "comparisons"),)),
        Figure("terminal faults: runs whose ledgers differ", "count", (rounds - len(runs),), NONE),
    ]  # fmt: skip


def first_dip_figures(plan: ProofPlan) -> list[Figure]:
    """Start a terminal with nothing else there, and pay with a chip on its page."""
    dips = [time_first_dip() for _ in range(plan.first_dips)]
    return [
        Figure("first dip: from the command to the approval", "s",
               tuple(each.approval_s for each in dips), Goal(AT_MOST, must=60, aim=10)),
        Figure("first dip: from the page's address to all of it", "s",
               tuple(each.page_s for each in dips), Goal(AT_MOST, must=0.3, aim=0.1)),
    ]  # fmt: skip


def terminal_counter_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a terminal while it counts: no serial number of a key may come twice."""
    found = _run("keys.counter_kills", plan.terminal_payments, plan.terminal_kills)
    return [
        *(Figure(f"terminal counters: {label}", "count", (found[name],))
          for name, label in COUNTER_COUNTS.items()),
        *(Figure(f"terminal counters: {label}", "count", (found[name],), NONE)
          for name, label in COUNTER_FAULTS.items()),
    ]  # fmt: skip


def serial_figures(plan: ProofPlan) -> list[Figure]:
    """Kill a gateway while it counts: no serial number and no chip counter may pay twice."""
    rounds, faults = run_rounds(plan.gateway_kills, run_serial_round)
    return [
        Figure("gateway counters: kills", "count", (plan.gateway_kills,)),
        Figure(
            "gateway counters: payments sent again", "payments/kill",
            tuple(one.acknowledged for one in rounds),
        ),
        Figure("gateway counters: paid twice", "count", (len(faults),), NONE),
    ]  # fmt: skip


def _run_at_once(
    module: str, counts: Iterable[tuple[int, int]], at_once: int
) -> list[dict[str, Any]]:
    """What the runs found that did not fail."""
    with ThreadPoolExecutor(at_once) as pool:
        found = list(pool.map(lambda each: _try_run(module, *each), counts))
    return [each for each in found if each is not None]


def _run(module: str, *counts: int) -> Any:
    """What a test program of the terminals printed. Raises ProgramFailedError."""
    return run_program(f"{TESTS}.{module}", *counts)


def _try_run(module: str, *counts: int) -> dict[str, Any] | None:
    try:
        return dict(_run(module, *counts))
    except ProgramFailedError:
        return None


def _sum(runs: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(each[name] for each in runs)
