"""`python -m simulator.tests.settlement.settlement_kills KILLS`: no line is booked twice or lost.

A process settles a bank day of some hundred sales and is killed (SIGKILL) at a random instant;
another one takes the same files up and settles the day to its end. What the merchant sees at the
instant of each kill must be whole, and at the end each sale has one line, and lines, payout and
ledger agree. In every tenth round the files are worked on by other processes. Prints what was found
as JSON.
"""

import csv
import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

from holidays import financial_holidays
from msgspec.structs import replace

from acquirer_mocks.settlement.institutes import institutes
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.domain.payments.ledger import balances, entries_between
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY, INSTITUTES

SALES = 450
LANES = 2
APART_EVERY = 10
PATIENCE_S = 60


class Found(NamedTuple):
    """What the rounds found; the first three say how much was tried."""

    kills: int
    killed_in_time: int
    killed_half_way: int
    partial_files: int
    lines_lost: int
    lines_twice: int
    ledgers_that_differ: int


def main(kills: int, seed: int = 1) -> Found:
    """Kill so many runs, on both cores of a machine, and count."""
    for institute in institutes().values():
        # The calendar of a year takes longer than all else that a child does.
        financial_holidays(institute.calendar)
    shares = [kills // LANES + (number < kills % LANES) for number in range(LANES)]
    lanes = [
        started(partial(_kill_runs, share, seed + number)) for number, share in enumerate(shares)
    ]
    return Found(*map(sum, zip(*(ended(*lane) for lane in lanes), strict=True)))


def _kill_runs(kills: int, seed: int) -> Found:
    """Kill so many runs, one after another."""
    chance, counted = Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="sandgate-settlement-") as name:
        made = {each: Path(name) / each for each in INSTITUTES}
        lasts = {each: _made(folder, each) for each, folder in made.items()}
        for number in range(kills):
            institute = INSTITUTES[number % len(INSTITUTES)]
            folder, is_apart = Path(name) / "round", not number % APART_EVERY
            shutil.copytree(made[institute], folder)
            _round(folder, institute, chance.uniform(0, lasts[institute]), counted, is_apart)
            shutil.rmtree(folder)
    return Found(kills, *(counted[each] for each in Found._fields[1:]))


def _made(folder: Path, institute: str) -> float:
    """Take the sales; how long their settlement lasts, of which nothing is left."""
    _in_child(lambda: _sell(folder, institute))
    tried = folder.with_name("tried")
    shutil.copytree(folder, tried)
    began = monotonic()
    _in_child(lambda: _settle(tried, institute))
    shutil.rmtree(tried)
    return monotonic() - began


def _round(
    folder: Path, institute: str, after_s: float, counted: Counter[str], is_apart: bool
) -> None:
    child = fork(lambda: _settle(folder, institute, is_apart=is_apart))
    sleep(after_s)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    counted["killed_in_time"] += os.WIFSIGNALED(status)
    visible = _visible(folder)
    counted["killed_half_way"] += os.WIFSIGNALED(status) and any(_hidden(folder))
    counted["partial_files"] += sum(not _is_whole(path) for path in visible)
    _in_child(lambda: _settle(folder, institute))
    _count_lines(_visible(folder), counted)
    counted["ledgers_that_differ"] += not _agrees(folder, institute)


def _sell(folder: Path, institute: str) -> None:
    folder.mkdir(parents=True)
    context = _context(folder, institute, is_over=False)
    for number in range(SALES):
        paid(context, "DB", merchantTransactionId=f"order-{number:08d}")
    context.ports.store.wait_durable()


def _settle(folder: Path, institute: str, *, is_apart: bool = False) -> None:
    context = _context(folder, institute, is_over=True)
    ports = context.ports
    if is_apart:
        files = SettlementFolders(folder, "sandbox", lambda: None, apart_from=1, apart_from_bytes=1)
        clearing = type(ports.clearing)(apart_from=1)
        ports = replace(ports, settlement_files=files, clearing=clearing)
    settle_until(ports, institute, None)


def _context(folder: Path, institute: str, *, is_over: bool) -> object:
    clock = HandClock(NOON)
    if is_over:
        clock.advance(DAY)
    store = DocumentStore(folder / "sandbox.log")
    files = SettlementFolders(folder, "sandbox", lambda: store.pause(0))
    channel = {"clearing_institute": institute}
    return a_context(profile="field", clock=clock, store=store, files=files, channel=channel)


def _agrees(folder: Path, institute: str) -> bool:
    """Whether the ledger has moved to the bank what the file says, and nothing is left over."""

    def held() -> list[str]:
        store = _context(folder, institute, is_over=True).ports.store
        accounts = balances(entries_between(store, "", "~"))
        return [str(accounts[each]) for each in ("bank", "merchant")]

    bank, merchant = ended(*started(held))
    rows = [row for path in _visible(folder) for row in _rows(path)]
    payouts = sum(
        (Decimal(row["SettlementAmount"]) for row in rows if row["PaymentType"] == "BATCH"),
        Decimal(0),
    )
    return (Decimal(bank), Decimal(merchant)) == (payouts, 0)


def _count_lines(files: list[Path], counted: Counter[str]) -> None:
    """Each sale has one line, each settlement id is there once."""
    rows = [row for path in files for row in _rows(path)]
    sold = Counter(row["UniqueID"] for row in rows if row["PaymentType"] == "DEBIT")
    ids = Counter(row["SettlementTxId"] for row in rows)
    counted["lines_lost"] += SALES - len(sold)
    counted["lines_twice"] += sum(count - 1 for each in (sold, ids) for count in each.values())


def _visible(folder: Path) -> list[Path]:
    """The files that a merchant can fetch."""
    outgoing = (folder / "sandbox" / "outgoing").rglob("*.csv")
    return [path for path in outgoing if not path.name.startswith(".")]


def _hidden(folder: Path) -> list[Path]:
    """Files that are being written."""
    return [*folder.rglob(".*.part")]


def _is_whole(path: Path) -> bool:
    checksum = path.with_name(f"{path.name}.sha256")
    if not checksum.exists():
        return False
    return checksum.read_text().split()[0] == sha256(path.read_bytes()).hexdigest()


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def fork(work: Callable[[], object]) -> int:
    """A child that does this work. This process itself never touches the event loop."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def started(work: Callable[[], object]) -> tuple[int, int]:
    """A child that does this work, and the pipe that its result comes from."""
    reader, writer = os.pipe()
    child = fork(lambda: os.write(writer, json.dumps(work()).encode()))
    os.close(writer)
    return child, reader


def ended(child: int, reader: int) -> list[Any]:
    """The result of a child."""
    with os.fdopen(reader) as pipe:
        result = pipe.read()
    _, status = os.waitpid(child, 0)
    if status:
        raise RuntimeError(f"expected a child that ends well, got the status {status}")
    return list(json.loads(result))


def _in_child(work: Callable[[], object]) -> None:
    _, status = os.waitpid(fork(work), 0)
    if status:
        raise RuntimeError(f"expected a child that ends well, got the status {status}")


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))._asdict()))
