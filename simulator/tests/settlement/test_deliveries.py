"""Large files of merchants are written while their lines are booked, and seen once all are."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from simulator.adapters.settlement.csv_files import CsvName
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.domain.ports.settlement import MerchantFile
from simulator.domain.settlement.blocks import SettledBlock, block_of
from simulator.tests.settlement.test_csv_files import SALE, write_csv

DAY, RUN = date(2030, 1, 3), "2030-01-03.sandgate-clearing"
FILE = MerchantFile("merchant", "8a82941700000000000000000000aaaa", "Sandgate Clearing", DAY)
OTHER = FILE._replace(merchant_account="8a82941700000000000000000000bbbb")
LINES, BLOCKS = 30, 4


def block(number: int, file: MerchantFile = FILE) -> SettledBlock:
    """A block of records, each with an id of its own."""
    records = [replace(SALE, settlement_id=f"S{number:03}{each:03}") for each in range(LINES)]
    return block_of(RUN, number, file.merchant_account, records)


@pytest.fixture
def folders(tmp_path: Path) -> SettlementFolders:
    """Those of a sandbox in which every file of two blocks is written by a process of its own."""
    return SettlementFolders(tmp_path, "sandbox", lambda: None, apart_from=2 * LINES)


def expected(folder: Path, blocks: list[SettledBlock], file: MerchantFile = FILE) -> bytes:
    """What is in a file of these blocks that is written at once."""
    records = [record for each in blocks for record in each.records()]
    name = CsvName(file.merchant_account, file.institute, file.day)
    (written,) = write_csv(records, folder / "expected", name)
    content = written.path.read_bytes()
    written.path.unlink()
    return content


def files_in(folder: Path) -> dict[str, bytes]:
    """The files of merchants, also those that no client sees."""
    outgoing = (folder / "sandbox" / "outgoing").rglob("*")
    return {path.name: path.read_bytes() for path in outgoing if path.is_file()}


def reading(blocks: list[SettledBlock], reads: list[str]) -> Callable[[], list[SettledBlock]]:
    """The blocks as they are stored; each time they are read is noted."""

    def read() -> list[SettledBlock]:
        reads.append("once more")
        return blocks

    return read


def test_a_large_file_is_written_before_it_is_delivered_and_seen_by_no_client_until_then(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    blocks, reads = [block(number) for number in range(BLOCKS)], list[str]()
    with folders.deliveries() as deliveries:
        for each in blocks:
            deliveries.add(FILE, each, LINES)
        deliveries.add(OTHER, block(9, OTHER), LINES)
        before = files_in(tmp_path)
        names = deliveries.deliver(
            FILE, reading(blocks, reads), lines=BLOCKS * LINES, delivered=frozenset()
        )

    (part,) = before
    assert part == f".{names[0]}.part" and before[part] == expected(tmp_path, blocks)
    after = files_in(tmp_path)
    assert sorted(after) == sorted([names[0], f"{names[0]}.sha256"])
    assert after[names[0]] == before[part]
    assert reads == [], "what was written meanwhile is not written again"


def test_a_small_file_is_written_when_it_is_delivered(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    with folders.deliveries() as deliveries:
        deliveries.add(FILE, block(1), LINES)
        before = files_in(tmp_path)
        names = deliveries.deliver(FILE, lambda: [block(1)], lines=LINES, delivered=frozenset())

    assert before == {}
    assert files_in(tmp_path)[names[0]] == expected(tmp_path, [block(1)])


def test_a_file_whose_lines_come_in_two_parts_has_all_of_them(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    """As those of a file of the institute that was late, and of the one of the day."""
    blocks = [block(number) for number in range(2 * BLOCKS)]
    others = [block(number, OTHER) for number in range(10, 10 + BLOCKS)]
    with folders.deliveries() as deliveries:
        for file, some in ((FILE, blocks[:BLOCKS]), (OTHER, others), (FILE, blocks[BLOCKS:])):
            for each in some:
                deliveries.add(file, each, LINES)
        (name,) = deliveries.deliver(
            FILE, lambda: blocks, lines=len(blocks) * LINES, delivered=frozenset()
        )
        (other,) = deliveries.deliver(
            OTHER, lambda: others, lines=len(others) * LINES, delivered=frozenset()
        )

    found = files_in(tmp_path)
    assert found[name] == expected(tmp_path, blocks)
    assert found[other] == expected(tmp_path, others, OTHER)


def test_nothing_is_left_of_a_run_that_ended_before_its_delivery(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    with pytest.raises(OSError, match="ended"), folders.deliveries() as deliveries:
        for number in range(BLOCKS):
            deliveries.add(FILE, block(number), LINES)
        deliveries.add(OTHER, block(9, OTHER), LINES)
        assert files_in(tmp_path) != {}
        raise OSError("the run ended")

    assert files_in(tmp_path) == {}


def test_what_could_not_be_written_meanwhile_is_written_when_it_is_delivered(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    blocks = [block(number) for number in range(BLOCKS)]
    month = tmp_path / "sandbox" / "outgoing" / FILE.merchant / "reconciliation" / "2030-01"
    stem = f"{FILE.merchant_account}_sandgate-clearing_2030-01-03_001.csv"
    in_the_way = month / f".{stem}.part"
    in_the_way.mkdir(parents=True)
    with folders.deliveries() as deliveries:
        for each in blocks:
            deliveries.add(FILE, each, LINES)
        deliveries.add(OTHER, block(9, OTHER), LINES)
        in_the_way.rmdir()
        names = deliveries.deliver(
            FILE, lambda: blocks, lines=BLOCKS * LINES, delivered=frozenset()
        )

    assert files_in(tmp_path)[names[0]] == expected(tmp_path, blocks)


def test_a_file_that_a_crash_left_is_delivered_as_it_is(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    blocks = [block(number) for number in range(BLOCKS)]
    names = []
    for _ in range(2):
        with folders.deliveries() as deliveries:
            for each in blocks:
                deliveries.add(FILE, each, LINES)
            names += deliveries.deliver(
                FILE, lambda: blocks, lines=BLOCKS * LINES, delivered=frozenset()
            )

    assert names[0] == names[1]
    assert sorted(files_in(tmp_path)) == [names[0], f"{names[0]}.sha256"]


def test_a_file_that_a_crash_left_is_found_beside_one_of_another_run(
    tmp_path: Path, folders: SettlementFolders
) -> None:
    """As beside that of a run of the same settlement date that has not ended either."""
    names = []
    for number in (1, 2, 2):
        with folders.deliveries() as deliveries:
            names += deliveries.deliver(
                FILE, lambda at=number: [block(at)], lines=LINES, delivered=frozenset()
            )

    assert names[1] == names[2]
    assert len(files_in(tmp_path)) == 2 * len({*names}) == 4
