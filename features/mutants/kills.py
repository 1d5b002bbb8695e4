"""What caught what: every broken gateway judged by all scenarios, as a table of a line each.

    python -m features.mutants.kills [NAME ...]

judges those that are named, or all of them, and writes what it found into `killed.csv`. All
scenarios take half a minute of one core, so all gateways take over an hour on two cores.
"""

import csv
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from features.mutants.catalogue import BOX
from features.mutants.mutant import Fault
from features.mutants.plugin import FIELD, Found, Order
from features.mutants.runner import broken_targets, judged

TABLE = Path(__file__).with_name("killed.csv")
COLUMNS = ("fault", "failed", "by")


def caught() -> dict[str, dict[str, str]]:
    """The table as it was written last, a row for each fault by its name."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as source:
        return {row["fault"]: row for row in csv.DictReader(source)}


def of_scenarios() -> list[Fault]:
    """The faults that scenarios see; boundary cases are no part of this table."""
    return [each for each in BOX if any(FIELD not in title for title in each.caught_by)]


def judge_all(faults: Iterable[Fault], folder: Path) -> Iterator[tuple[Fault, list[Found]]]:
    """What all scenarios find of each fault, as many at a time as there are cores."""
    faults = list(faults)
    with (
        broken_targets(folder, {each.name: each for each in faults}) as described,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):

        def judge_one(each: Fault) -> tuple[Fault, list[Found]]:
            own = folder / each.name
            own.mkdir()
            return each, judged(own, [Order(each.name, str(described[each.name]))])

        yield from pool.map(judge_one, faults)


def write(rows: Mapping[str, Mapping[str, str]]) -> None:
    """Write the table, in the order of the box; what is in the box no more is left out."""
    with TABLE.open("w", encoding="utf-8", newline="") as target:
        writer = csv.DictWriter(target, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[each.name] for each in BOX if each.name in rows)


def row_of(fault: Fault, found: list[Found]) -> dict[str, str]:
    """How many cases failed, and in which features how many: `payments:2 errors:1`."""
    failed = Counter(Path(each.case.file).stem for each in found if each.has_failed)
    by = " ".join(f"{name}:{count}" for name, count in sorted(failed.items()))
    return {"fault": fault.name, "failed": str(failed.total()), "by": by}


def main(names: list[str]) -> int:
    """Judge those that are named, or all of them."""
    wanted = [each for each in of_scenarios() if each.name in names or not names]
    with tempfile.TemporaryDirectory() as folder:
        for number, (each, found) in enumerate(judge_all(wanted, Path(folder)), start=1):
            row = row_of(each, found)
            write({**caught(), each.name: row})
            print(f"{number} of {len(wanted)}: {each.name}: {row['failed']} failed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
