"""The table of kills: every mutant with the scenarios of the whole suite that fail against it.

    python -m features.mutants.kills [NAME ...]

runs all scenarios against the named mutants, or against all, and writes `killed.csv`. All scenarios
take half a minute of one core, so all mutants take over an hour on two cores.
"""

import csv
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from features.mutants.catalogue import MUTANTS
from features.mutants.mutant import Mutant
from features.mutants.plugin import FIELD, CaseResult, TargetRun
from features.mutants.runner import run_suite, serve_mutants

TABLE = Path(__file__).with_name("killed.csv")
COLUMNS = ("mutant", "failed", "killed_by")


def read_kills() -> dict[str, dict[str, str]]:
    """The stored table: the row of each mutant by its name."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as source:
        return {row["mutant"]: row for row in csv.DictReader(source)}


def scenario_mutants() -> list[Mutant]:
    """The mutants that scenarios kill; those of boundary cases are not in this table."""
    return [each for each in MUTANTS if any(FIELD not in title for title in each.killed_by)]


def run_all_scenarios(
    mutants: Iterable[Mutant], folder: Path
) -> Iterator[tuple[Mutant, list[CaseResult]]]:
    """The results of all scenarios for each mutant, one mutant a core at a time."""
    mutants = list(mutants)
    with (
        serve_mutants(folder, {each.name: each for each in mutants}) as targets,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):

        def run_one(each: Mutant) -> tuple[Mutant, list[CaseResult]]:
            own = folder / each.name
            own.mkdir()
            return each, run_suite(own, [TargetRun(each.name, str(targets[each.name]))])

        yield from pool.map(run_one, mutants)


def write_kills(rows: Mapping[str, Mapping[str, str]]) -> None:
    """Write the table in the order of the catalogue, without mutants that no longer exist."""
    with TABLE.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[each.name] for each in MUTANTS if each.name in rows)


def kill_row(mutant: Mutant, results: list[CaseResult]) -> dict[str, str]:
    """The number of failed cases, in all and by feature: `payments:2 errors:1`."""
    failed = Counter(Path(each.case.file).stem for each in results if each.has_failed)
    killed_by = " ".join(f"{name}:{count}" for name, count in sorted(failed.items()))
    return {"mutant": mutant.name, "failed": str(failed.total()), "killed_by": killed_by}


def main(names: list[str]) -> int:
    """Run all scenarios against the named mutants, or against all."""
    wanted = [each for each in scenario_mutants() if each.name in names or not names]
    with tempfile.TemporaryDirectory() as folder:
        for number, (each, results) in enumerate(run_all_scenarios(wanted, Path(folder)), start=1):
            row = kill_row(each, results)
            write_kills({**read_kills(), each.name: row})
            print(f"{number} of {len(wanted)}: {each.name}: {row['failed']} failed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
