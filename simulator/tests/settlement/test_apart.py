"""Large days are worked on by other processes: what they write and read is the same."""

import os
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import pytest
from msgspec.structs import replace

from acquirer_mocks.settlement.clearing import SimulatedInstitutes
from acquirer_mocks.settlement.worker import ENTRIES_AT_ONCE
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.settlement.worker import read_lines_apart
from simulator.adapters.worker import DATA, Worker, WorkerEndedError, write_frame
from simulator.domain.core.errors import DiskError, EpochEndedError
from simulator.domain.ports.clearing import ClearingContract, SettlementOrderError
from simulator.service.settlement.runs import settle_until
from simulator.tests.payments.test_references import paid
from simulator.tests.settlement.test_runs import DAY, INSTITUTES, Settled

# Of so many movements each frame has a part.
LEFT = 2 * ENTRIES_AT_ONCE + 1


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


def test_an_id_that_comes_twice_is_refused_by_another_process_with_its_line(
    tmp_path: Path,
) -> None:
    settled = Settled(tmp_path, "Sandgate Acquiring")
    for _ in range(40):
        paid(settled.context, "DB")
    settled.clock.advance(DAY)
    ports = apart(settled)

    class Repeating:
        """Institutes that give their last sale the id of the first."""

        def __getattr__(self, name: str) -> object:
            return getattr(ports.clearing, name)

        def write_day(self, *given: object) -> object:
            day = ports.clearing.write_day(*given)
            path = Path(ports.settlement_files.drop(settled.institute)) / day.files[0]
            content = path.read_bytes()
            path.write_bytes(content.replace(b"01000000040", b"01000000001"))
            assert path.read_bytes() != content
            return day

    (run,) = settle_until(replace(ports, clearing=Repeating()), settled.institute, None)

    assert (run.state, run.lines) == ("refused", 0)
    assert f"{run.files[0]}, record 40: expected a settlement id once" in run.problem
    assert "as in record 1" in run.problem


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


def test_a_run_whose_keys_cannot_be_written_beside_its_files_delivers_none_of_them(
    tmp_path: Path,
) -> None:
    settled = sold(tmp_path, INSTITUTES[0])
    ports = apart(settled)
    keys = Path(ports.settlement_files.keys(settled.institute))
    account = settled.context.channel.merchant_account
    in_the_way = keys / f".{account}_sandgate_clearing_2026-11-20_001.jsonl.part"
    in_the_way.mkdir()

    with pytest.raises(DiskError, match="settlement of Sandgate Clearing: not stored"):
        settle_until(ports, settled.institute, None)

    drop = Path(ports.settlement_files.drop(settled.institute))
    assert [path.name for path in drop.iterdir() if not path.name.startswith(".")] == []
    in_the_way.rmdir()
    (run,) = settle_until(ports, settled.institute, None)
    assert run.state == "delivered" and (keys / run.keys[0]).stat().st_size


def test_a_worker_ends_with_the_process_that_started_it() -> None:
    module = "simulator.adapters.settlement.worker"
    with subprocess.Popen(
        [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        job = b'{"type":"write","folder":"/nowhere","merchant_account":"a","institute":"b",'
        write_frame(process.stdin, DATA, job + b'"day":"2030-01-03"}')
        process.stdin.close()

        assert process.wait(30) != 0


def test_a_run_whose_folders_went_with_the_epoch_says_so(tmp_path: Path) -> None:
    def pause() -> None:
        raise EpochEndedError("the sandbox was deleted")

    folders = SettlementFolders(tmp_path, "sandbox", pause)

    with pytest.raises(EpochEndedError), folders.turn("Sandgate Bank"):
        Path(folders.drop("Sandgate Bank"), "no.xml").rename(tmp_path / "other.xml")


def test_a_disk_that_is_full_is_one_that_stores_nothing(tmp_path: Path) -> None:
    folders = SettlementFolders(tmp_path, "sandbox", lambda: None)

    with (
        pytest.raises(DiskError, match="Sandgate Bank: not stored.*No space left"),
        folders.turn("Sandgate Bank"),
    ):
        raise OSError(ENOSPC, os.strerror(ENOSPC))


def test_a_worker_whose_file_is_gone_says_why_and_writes_nothing_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WorkerEndedError, match="FileNotFoundError: No such file or directory"):
        list(read_lines_apart(tmp_path / "gone.xml", "CAMT053", "UTC"))

    assert capfd.readouterr() == ("", "")


def test_what_is_left_passes_to_and_fro_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: list[int] = []
    settled = Settled(tmp_path, INSTITUTES[0])
    settled.arm("shares: {deferred: 1}")
    sales = [paid(settled.context, "DB").id for _ in range(LEFT)]
    settled.clock.advance(DAY)
    send, read = Worker.send, Worker._next

    def sending(worker: Worker, content: bytes) -> None:
        passed.append(content.count(b"merchant_number"))
        send(worker, content)

    def reading(worker: Worker) -> bytes | None:
        content = read(worker)
        passed.append((content or b"").count(b"merchant_number"))
        return content

    monkeypatch.setattr(Worker, "send", sending)
    monkeypatch.setattr(Worker, "_next", reading)
    settle_until(apart(settled), settled.institute, None)
    settled.clock.advance(3 * DAY)
    (run,) = settle_until(apart(settled), settled.institute, None)

    assert max(passed) == ENTRIES_AT_ONCE
    # The movements, what is left of the first day, and again for the second one.
    assert sum(passed) >= 3 * LEFT
    rows = settled.rows(run)
    assert sorted(row["UniqueID"] for row in rows if row["UniqueID"] in sales) == sorted(sales)
