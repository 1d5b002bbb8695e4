"""Settle what a run moved, and read the file that the merchant fetches."""

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from features.reconciling.file_server import LARGE, open_file_server
from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import SettledRecord, SettlementCsvError, read_records
from load.closing.evidence import SettledFiles
from load.gateway.target import LoadTarget
from load.progress import Progress, count_of

# Holidays last no longer: the bank day of a run is over by then.
BANK_DAYS = "6d"
# One settlement has to end before its request does.
MOVEMENTS_MAX = 300_000
# Each movement has a line; there are few others, of fees and transfers.
LINES_MAX = 4 * MOVEMENTS_MAX
BROKEN_MAX = 10
FEE = "FEE"


def read_settled(target: LoadTarget, movements: int, *, progress: Progress) -> SettledFiles:
    """Let the bank days of a run pass, settle them, and fetch the merchant's files.

    Raises ControlError, OSError, SettlementCsvError.
    """
    if target.control is None or "settlement" not in target.target.offers:
        return SettledFiles(not_checked="the target settles nothing on request")
    if movements > MOVEMENTS_MAX:
        return SettledFiles(not_checked=f"the run moved money more than {MOVEMENTS_MAX:,} times")
    progress(f"settling {count_of(movements, 'movement')} of money")
    control, sandbox = target.control, target.sandbox
    control.advance_clock(sandbox, by=BANK_DAYS)
    control.settle(sandbox)
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        files = []
        for merchant in control.sandbox(sandbox)["merchants"]:
            server = open_file_server(target.target.sftp, control, sandbox, merchant["id"])
            files += server.fetch_new(Path(folder), LARGE)
        return settled_in(record for file in files for record in read_records(file))


def settled_in(records: Iterable[SettledRecord], *, lines_max: int = LINES_MAX) -> SettledFiles:
    """What lines say, which are read once, as they come. Raises SettlementCsvError."""
    lines: dict[str, list[str]] = defaultdict(list)

    def noted() -> Iterator[SettledRecord]:
        for number, record in enumerate(records, start=1):
            if number > lines_max:
                raise SettlementCsvError(f"expected at most {lines_max} lines, got more")
            if record["ReconciliationType"] != FEE and record["UniqueID"]:
                lines[record["UniqueID"]].append(record["Amount"])
            yield record

    broken: list[str] = []
    for rule in broken_rules(noted()):
        broken += [str(rule)] if len(broken) < BROKEN_MAX else []
    return SettledFiles(lines, broken)
