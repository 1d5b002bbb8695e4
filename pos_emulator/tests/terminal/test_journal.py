"""The journal is what was written, whenever power fails, and no damage goes unnoticed."""

import os
import stat
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_emulator.keys.errors import StorageError
from pos_emulator.terminal.memory import journal as memory
from pos_emulator.terminal.memory.journal import (
    BATCHES_KEPT,
    Closing,
    Numbers,
    TerminalJournal,
)
from pos_emulator.terminal.memory.journal_file import LINE_BYTES_MAX, JournalFile
from pos_emulator.terminal.memory.sealing import Seal
from pos_emulator.terminal.records import (
    Ending,
    OrderError,
    Stage,
    TerminalEntry,
    TillOrder,
    Totals,
)

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
LINES = [{"a": {"n": 1}}, {"b": {"n": 2}}, {"a": {"n": 3}}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.log"


def written(path: Path) -> list[int]:
    """Write the lines; the size of the file after each."""
    file, sizes = JournalFile(path), [0]
    for puts in LINES:
        file.write(puts)
        sizes.append(path.stat().st_size)
    file.close()
    return sizes


def read(path: Path) -> dict[str, int]:
    file = JournalFile(path)
    found = {key: file.get(key)["n"] for key in "ab" if file.get(key)}
    file.close()
    return found


@given(share=st.floats(min_value=0, max_value=1))
def test_a_file_that_is_cut_anywhere_holds_each_whole_line(tmp_path_factory, share: float):
    path = tmp_path_factory.mktemp("journal") / "journal.log"
    sizes = written(path)
    content = path.read_bytes()
    kept = int(share * len(content))
    path.write_bytes(content[:kept])

    whole = sum(size <= kept for size in sizes) - 1

    expected: dict[str, int] = {}
    for puts in LINES[:whole]:
        expected |= {key: value["n"] for key, value in puts.items()}
    assert read(path) == expected
    assert path.stat().st_size == sizes[whole]


def test_damage_before_the_last_line_is_an_error(path: Path):
    written(path)
    content = bytearray(path.read_bytes())
    content[12] ^= 1
    path.write_bytes(content)

    with pytest.raises(StorageError, match=r"line 1 of journal\.log is damaged"):
        JournalFile(path)


def test_a_file_belongs_to_one_process(path: Path):
    file = JournalFile(path)

    with pytest.raises(StorageError, match="another process"):
        JournalFile(path)
    file.close()
    JournalFile(path).close()


def test_a_line_has_a_limit_and_a_failed_write_leaves_nothing(path: Path):
    def fail(descriptor: int) -> None:
        raise OSError("the disk is full")

    file = JournalFile(path)
    with pytest.raises(StorageError, match="at most"):
        file.write({"a": {"n": "x" * LINE_BYTES_MAX}})
    file.close()
    broken = JournalFile(path, fail)

    with pytest.raises(StorageError, match="cannot be written"):
        broken.write({"a": {"n": 1}})

    assert broken.get("a") is None and path.read_bytes() == b""
    broken.close()


def test_a_compacted_file_says_the_same(path: Path):
    written(path)
    file = JournalFile(path)

    file.compact()
    file.write({"c": {"n": 4}}, ["b"])
    file.close()

    assert len(path.read_bytes().splitlines()) == 3
    assert read(path) == {"a": 3}


@pytest.mark.parametrize("failures", [1, 2])
def test_what_is_written_behind_a_compaction_without_a_durable_name_is_there(
    path: Path, failures: int
):
    names = Names(path)
    file = JournalFile(path, names)
    file.write(LINES[0])
    names.failures = failures

    acknowledged = {"a": 1, "b": 0}
    with suppress(StorageError):
        file.compact()
    for number in range(4):
        with suppress(StorageError):
            file.write({"b": {"n": number}})
            acknowledged["b"] = number
            assert names.durable == path.stat().st_ino
    file.close()

    assert acknowledged["b"] == 3
    assert read(path) == acknowledged


def test_a_journal_whose_name_is_not_durable_yet_is_written_behind_that(path: Path):
    JournalFile(path, Names(path)).close()
    names = Names(path)
    file = JournalFile(path, names)

    file.write(LINES[0])

    assert names.durable == path.stat().st_ino
    file.close()


def test_a_compaction_for_which_no_file_can_be_opened_leaves_the_journal(path: Path):
    file = JournalFile(path)
    file.write(LINES[0])
    path.with_suffix(".new").mkdir()

    with pytest.raises(StorageError):
        file.compact()
    file.write(LINES[1])
    file.close()

    assert read(path) == {"a": 1, "b": 2}


class Names:
    """Syncs; of folders the next `failures` fail. `durable` is the number of the file that has this
    name after a power cut.
    """

    def __init__(self, path: Path) -> None:
        self._path, self.failures, self.durable = path, 0, 0

    def __call__(self, descriptor: int) -> None:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            return
        if self.failures:
            self.failures -= 1
            raise OSError("the name is not on the disk")
        self.durable = self._path.stat().st_ino


def test_old_batches_are_forgotten_and_open_payments_are_not(path: Path):
    journal = TerminalJournal(JournalFile(path), NOW)
    for stage in (Stage.APPROVED, Stage.MUST_REVERSE):
        receipt, numbers = journal.next_receipt()
        journal.write(entry(receipt, stage), numbers)

    for number in range(1, BATCHES_KEPT + 3):
        totals = Totals(f"{number:04d}", NOW, NOW, ())
        journal.start_batch(Closing(totals=totals, is_reported=number != 2), NOW)

    assert [each.stage for each in journal.entries()] == [Stage.MUST_REVERSE]
    assert journal.open_entries() == journal.entries()
    assert journal.batch == f"{BATCHES_KEPT + 3:04d}"
    assert [each.totals.batch for each in journal.closings()][:2] == ["0002", "0003"]
    assert len(journal.closings()) == BATCHES_KEPT + 1, "one that was not reported stays"
    journal.close()


def test_trace_numbers_go_on_after_the_highest(path: Path):
    journal = TerminalJournal(JournalFile(path), NOW)
    journal.write(Numbers(opened_at=NOW, trace=999_998))

    assert [journal.next_trace() for _ in range(3)] == ["999999", "000001", "000002"]
    journal.close()


def test_a_batch_ends_where_no_receipt_number_is_free(path: Path, monkeypatch):
    monkeypatch.setattr(memory, "RECEIPT_MAX", 3)
    journal = TerminalJournal(JournalFile(path), NOW)
    for _ in range(3):
        receipt, numbers = journal.next_receipt()
        journal.write(entry(receipt, Stage.APPROVED), numbers)

    with pytest.raises(OrderError, match="close the batch"):
        journal.next_receipt()
    journal.start_batch(Closing(totals=Totals("0001", NOW, NOW, ())), NOW)

    assert journal.next_receipt()[0] == "000001"
    journal.close()


def test_payments_stand_in_the_order_in_which_they_were_made(path: Path):
    journal = TerminalJournal(JournalFile(path), NOW)
    journal.write(Numbers(opened_at=NOW, receipt=9998))
    for _ in range(3):
        receipt, numbers = journal.next_receipt()
        journal.write(entry(receipt, Stage.STARTED), numbers)
    journal.write(entry("009999", Stage.APPROVED))
    journal.close()

    again = TerminalJournal(JournalFile(path), NOW)

    assert [each.receipt for each in again.entries()] == ["009999", "000001", "000002"]
    again.close()


def test_an_entry_is_read_as_it_was_written(path: Path):
    journal = TerminalJournal(JournalFile(path), NOW)
    made = entry("000001", Stage.APPROVED)
    journal.write(made)
    journal.close()

    again = TerminalJournal(JournalFile(path), NOW)

    assert again.entry("0001", "000001") == made
    again.close()


def test_what_is_sealed_is_opened_under_its_own_name_alone():
    seal = Seal(bytes(32))
    sealed = seal.seal(b"account", "one")

    assert seal.open(sealed, "one") == b"account"
    for changed in (sealed[:-2] + "00", "", "zz"):
        with pytest.raises(StorageError):
            seal.open(changed, "one")
    with pytest.raises(StorageError):
        seal.open(sealed, "another")


def entry(receipt: str, stage: Stage) -> TerminalEntry:
    return TerminalEntry(
        receipt=receipt,
        trace="000001",
        batch="0001",
        order=TillOrder(amount=Decimal("12.30"), reference="till"),
        stage=stage,
        at=NOW,
        transaction="10000001T000001Rabcdef01",
        ending=Ending.APPROVED,
        approved=Decimal("12.30"),
    )
