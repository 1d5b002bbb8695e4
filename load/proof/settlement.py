"""A large bank day at a gateway that takes payments meanwhile: from the store to the SFTP server.

The payments are put into the log of a sandbox that stands still, by a script of the gateway's own
tests, since sending them would take longer than all else. Then the gateway settles the day while
another client pays; its file is fetched by SFTP, by one client and by twenty at once.
"""

import csv
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import NamedTuple, TypeVar

from features.reconciling.file_server import LARGE, FileServer, open_file_server
from load.gateway.server import (
    ROOT,
    children_memory,
    children_time_s,
    memory_bytes,
    processor_time_s,
    start_gateway,
)
from load.proof.merchant import CARD, ProofMerchant, create_merchant
from load.traffic.requests import SUCCESS
from simulator.client import Control
from simulator.client.processes import ServerProcess

FILLER = "simulator.tests.measured.many_payments"
NOON = {"mode": "frozen", "at": "2030-01-03T12:00:00Z"}
INSTITUTE = "Sandgate Clearing"
CENTS = 92_00
PAUSE_S = 0.05
BEFORE_S = 10.0
CLIENTS = 20
MEGABYTE = 1_000_000
PATIENCE_S = 1800
Result = TypeVar("Result")


class SettledDay(NamedTuple):
    """What a day took: seconds, processor seconds in the gateway and in its workers, the growth of
    the gateway and all workers at once in bytes, latencies of the other client in seconds before
    and meanwhile, and what is wrong.
    """

    payments: int
    seconds: float
    gateway_s: float
    workers_s: float
    growth_bytes: int
    workers_bytes: int
    before: list[float]
    meanwhile: list[float]
    fetched_mb: float
    one_mb_s: float
    all_mb_s: float
    faults: list[str]


def settle_large_day(payments: int) -> SettledDay:
    """Settle so many payments, and fetch their file."""
    with tempfile.TemporaryDirectory(prefix="sandgate-proof-") as name:
        data = Path(name) / "data"
        with start_gateway(data) as server:
            merchant = create_merchant(server)
            merchant.control.set_clock(merchant.sandbox, **NOON)
            pay(merchant)
            merchant.control.advance_clock(merchant.sandbox, by="1s")
        _fill(data, merchant.sandbox, payments - 1)
        with start_gateway(data) as server:
            return _measured(server, merchant.at(server), Path(name), payments)


def p99(latencies: list[float]) -> float:
    """The latency that one of a hundred exceeded."""
    ordered = sorted(latencies)
    return ordered[min(len(ordered) * 99 // 100, len(ordered) - 1)]


def pay(merchant: ProofMerchant) -> str:
    """Take a sale; its id, or what it was answered with. Raises what the client raises."""
    answer = merchant.client.post("v1/payments", {**merchant.form_of("DB", CENTS), **CARD})
    return answer.id if answer.code.startswith(SUCCESS) else answer.code


def _fill(data: Path, sandbox: str, count: int) -> None:
    command = [sys.executable, "-m", FILLER, str(data), sandbox, str(count)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def _measured(
    server: ServerProcess, merchant: ProofMerchant, folder: Path, payments: int
) -> SettledDay:
    facts, sandbox = server.facts, merchant.sandbox
    control = Control(facts["control_url"], facts["control_key"], timeout_s=PATIENCE_S)
    control.advance_clock(sandbox, by="24h")
    before, meanwhile = list[float](), list[float]()
    # What watches takes its time from the client that pays, so it does in both.
    with _paying(merchant, before), _watching(server):
        sleep(BEFORE_S)
    memory, spent, began = memory_bytes(server), processor_time_s(server), monotonic()
    with _paying(merchant, meanwhile), _watching(server) as peaks:
        (run,) = control.settle(sandbox, institute=INSTITUTE)
    seconds, gateway_s = monotonic() - began, processor_time_s(server) - spent
    workers_s = children_time_s(server)
    files = _files(server, merchant)
    faults = [] if run["state"] == "delivered" else [f"{run['state']}: {run['problem']}"]
    accounts = control.settlement(sandbox, run["id"])["accounts"]
    faults += [f"{each['merchant_account']} differs" for each in accounts if not each["agrees"]]
    one_s, (path,) = _timed(lambda: files.fetch_new(_folder(folder, "one"), LARGE))
    faults += _faults_in(path, payments)
    with ThreadPoolExecutor(CLIENTS) as clients:
        targets = [_folder(folder, f"{number}") for number in range(CLIENTS)]
        fetch = partial(files.fetch_new, limits=LARGE)
        all_s, fetched = _timed(lambda: list(clients.map(fetch, targets)))
    size = path.stat().st_size
    wrong = [each for each in fetched if [one.stat().st_size for one in each] != [size]]
    faults += [f"{len(wrong)} of {CLIENTS} clients got another file"] if wrong else []
    return SettledDay(
        payments=payments,
        seconds=seconds,
        gateway_s=gateway_s,
        workers_s=workers_s,
        growth_bytes=peaks["gateway"] - memory,
        workers_bytes=peaks["workers"],
        before=before,
        meanwhile=meanwhile,
        fetched_mb=size / MEGABYTE,
        one_mb_s=size / MEGABYTE / one_s,
        all_mb_s=CLIENTS * size / MEGABYTE / all_s,
        faults=faults,
    )


def _faults_in(path: Path, payments: int) -> list[str]:
    """What is wrong with a file that should have each payment once."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter=";")
        ids = [(row["UniqueID"], row["SettlementTxId"]) for row in rows if row["UniqueID"]]
    sold, lines = len({each for each, _ in ids}), len({each for _, each in ids})
    if (sold, lines, len(ids)) == (payments, payments, payments):
        return []
    return [f"expected {payments} payments once each, got {sold} on {lines} of {len(ids)} lines"]


def _files(server: ServerProcess, merchant: ProofMerchant) -> FileServer:
    control, sandbox = merchant.control, merchant.sandbox
    (found,) = control.sandbox(sandbox)["merchants"]
    return open_file_server(str(server.facts["sftp"]), control, sandbox, found["id"])


def _folder(folder: Path, name: str) -> Path:
    made = folder / f"fetched-{name}"
    made.mkdir()
    return made


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    began = monotonic()
    done = work()
    return monotonic() - began, done


@contextmanager
def _paying(merchant: ProofMerchant, latencies: list[float]) -> Iterator[None]:
    """Another client pays, over a connection of its own."""
    is_over, client = Event(), merchant.reconnect()

    def pay_on() -> None:
        while not is_over.is_set():
            began = monotonic()
            pay(client)
            latencies.append(monotonic() - began)
            is_over.wait(PAUSE_S)

    thread = Thread(target=pay_on)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@contextmanager
def _watching(server: ServerProcess) -> Iterator[dict[str, int]]:
    """The highest resident sizes of the gateway, and of its workers together."""
    peaks, is_over = {"gateway": 0, "workers": 0}, Event()

    def watch() -> None:
        while not is_over.wait(PAUSE_S):
            peaks["gateway"] = max(peaks["gateway"], memory_bytes(server))
            peaks["workers"] = max(peaks["workers"], sum(children_memory(server)))

    thread = Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        is_over.set()
        thread.join()
