"""Large days are worked on by other processes: what they write and read is the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from acquirer_mocks.settlement.clearing import SimulatedInstitutes
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.worker import DATA, write_frame
from simulator.domain.ports.clearing import ClearingContract, SettlementOrderError
from simulator.service.settlement.runs import settle_until
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY, INSTITUTES, Settled


def apart(settled: Settled) -> object:
    """Its ports, where a single line is worth a process."""
    folders = SettlementFolders(
        settled.folder, "sandbox", lambda: None, apart_from=1, apart_from_bytes=1
    )
    clearing = SimulatedInstitutes(apart_from=1)
    return replace(settled.context.ports, settlement_files=folders, clearing=clearing)


def sold(folder: Path, institute: str) -> Settled:
    """Two sales of a day that is over; every such sandbox has the same."""
    settled = Settled(folder, institute)
    paid(settled.context, "DB", merchantTransactionId="order-0001")
    paid(settled.context, "DB", "50.00", currency="USD")
    settled.clock.advance(DAY)
    return settled


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("institute", INSTITUTES)
def test_other_processes_write_the_same_files(tmp_path: Path, institute: str) -> None:
    here, there = (sold(tmp_path / name, institute) for name in ("here", "there"))

    (run,) = here.run()
    (same,) = settle_until(apart(there), institute, None)

    assert same == run and run.state == "delivered"
    assert content(there.folder) == content(here.folder)
    assert there.balances() == here.balances()


def test_a_file_that_another_process_refuses_is_refused(tmp_path: Path) -> None:
    settled = sold(tmp_path, INSTITUTES[0])
    settled.arm("file: cut")

    (run,) = settle_until(apart(settled), settled.institute, None)

    assert run.state == "refused"
    assert ".csv, record" in run.problem or ".csv: expected" in run.problem


def test_an_order_that_cannot_be_followed_is_refused_there_too(tmp_path: Path) -> None:
    settled = sold(tmp_path, INSTITUTES[0])
    ports = apart(settled)
    wrong = {"x": ClearingContract(merchant_number="x")}

    class Wrong:
        def __getattr__(self, name: str) -> object:
            return getattr(ports.clearing, name)

        def write_day(self, institute: str, day: object, entries: object, order: object) -> object:
            return ports.clearing.write_day(
                institute, day, entries, replace(order, contracts=wrong)
            )

    with pytest.raises(SettlementOrderError, match="merchant number of 5 to 32"):
        settle_until(replace(ports, clearing=Wrong()), settled.institute, None)


def test_a_worker_ends_with_the_process_that_started_it() -> None:
    module = "simulator.adapters.settlement.worker"
    with subprocess.Popen(
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        job = b'{"type":"write","folder":"/nowhere","merchant_account":"a","institute":"b",'
        write_frame(process.stdin, DATA, job + b'"day":"2030-01-03"}')
        process.stdin.close()

        assert process.wait(30) != 0
