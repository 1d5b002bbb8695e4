"""The validation of a request compared with jsonschema, both timed inside one process."""

from pathlib import Path

from load.bench.in_process.scripts import run_script
from load.bench.payment import encode_form
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal

SCRIPT = "simulator.tests.measured.check_timing"


def check_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure the microseconds of both, and their ratio round by round."""
    timed = run_script(SCRIPT, plan.check_rounds, stdin=encode_form("8" * 32))
    check, jsonschema = timed["check"], timed["jsonschema"]
    ratios = tuple(slow / fast for slow, fast in zip(jsonschema, check, strict=True))
    count = timed["parameters"]
    return [
        Figure(f"check of {count} parameters", "microseconds", tuple(check)),
        Figure(f"jsonschema on {count} parameters", "microseconds", tuple(jsonschema)),
        Figure("jsonschema against check", "ratio", ratios, Goal(AT_LEAST, must=20, aim=40)),
    ]
