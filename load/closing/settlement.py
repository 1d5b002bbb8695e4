"""Settle what a run moved, and read the file that the merchant fetches."""

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import paramiko

from features.reconciling.file_server import open_file_server
from features.reconciling.rules import broken_rules
from features.reconciling.settlement_csv import SettledRecord, read_records
from load.closing.evidence import SettledFiles
from load.gateway.target import LoadTarget
from load.progress import Progress, count_of

# Holidays last no longer: the bank day of a run is over by then.
BANK_DAYS = "6d"
# One settlement has to end before its request does.
MOVEMENTS_MAX = 300_000
BROKEN_MAX = 10
FEE = "FEE"


def read_settled(target: LoadTarget, movements: int, *, progress: Progress) -> SettledFiles:
    """Let the bank days of a run pass, settle them, and fetch the merchant's files.

    Raises ControlError, OSError, SettlementCsvError.
    """
    if target.control is None or not target.target.sftp:
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
            try:
                files += server.fetch_new(Path(folder))
            except paramiko.SSHException as error:
                raise OSError(f"expected the merchant's files by SFTP, got: {error}") from error
        return _settled_in([record for file in files for record in read_records(file)])


def _settled_in(records: Sequence[SettledRecord]) -> SettledFiles:
    lines: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if record["ReconciliationType"] != FEE and record["UniqueID"]:
            lines[record["UniqueID"]].append(record["Amount"])
    broken = islice(broken_rules(records), BROKEN_MAX)
    return SettledFiles(lines, [str(each) for each in broken])
