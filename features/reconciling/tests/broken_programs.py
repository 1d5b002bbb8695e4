"""`python -m features.reconciling.tests.broken_programs`: what the checker finds out about twenty
broken reconciliation programs, each blind to one fault, and about a careful one. Prints it as JSON.
"""

import json
import tempfile
from pathlib import Path

from features.reconciling.checker import Measured, measure
from features.reconciling.key import read_key
from features.reconciling.result import ResultColumns, read_result
from features.reconciling.tests.day import faulty_day
from features.reconciling.tests.programs import run_program
from features.reconciling.tests.test_checker import FAULTS


def main() -> dict[str, float]:
    """Judge all programs, and count."""
    careful = _measured("")
    broken = {fault: _measured(fault) for fault in FAULTS}
    missed = {
        fault: {name for name, each in found.classes.items() if each.missed}
        for fault, found in broken.items()
    }
    return {
        "programs": len(broken),
        "caught": sum(missed[fault] == {fault} for fault in FAULTS),
        "false_alarms": sum(found.precision != 1 for found in (careful, *broken.values())),
        "recall": float(careful.recall),
        "precision": float(careful.precision),
    }


def _measured(fault: str) -> Measured:
    day = faulty_day()
    with tempfile.TemporaryDirectory(prefix="sandgate-checker-") as name:
        key = read_key(day.write_key(Path(name) / "KEY.jsonl"))
        result = run_program(day, Path(name) / "r.csv", without=fault)
        return measure(key, read_result(result, ResultColumns()))


if __name__ == "__main__":
    print(json.dumps(main()))
