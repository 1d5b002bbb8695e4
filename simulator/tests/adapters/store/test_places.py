"""Every line says where in its file it begins: one that is removed, doubled or moved is noticed."""

import re
import shutil
from itertools import combinations
from pathlib import Path
from zlib import crc32

import pytest

from simulator.adapters.simulators import load_simulators
from simulator.adapters.store import lines
from simulator.adapters.store.integrity import REGISTRY, check_log, orphans_in
from simulator.adapters.store.store import DocumentStore
from simulator.app import build
from simulator.commands.checks import findings_of
from simulator.commands.findings import CheckedSettings
from simulator.domain.core.errors import DamagedLogError
from simulator.domain.core.ports import unit_of
from simulator.domain.webhooks.records import InboxAddress
from simulator.settings import Settings
from simulator.tests.kit.gateway import Gateway

COUNT = 6


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a few lines of one length."""
    store = DocumentStore(tmp_path / "1.log")
    for number in range(COUNT):
        store.commit(unit_of(InboxAddress(id=f"{number}", key="s")))
    store.close()
    return tmp_path / "1.log"


def contents(log: Path) -> list[bytes]:
    return log.read_bytes().splitlines(keepends=True)


def former(line: bytes) -> bytes:
    """The line as 0.1.0 wrote it."""
    rest = re.sub(rb"^([0-9]+)@[0-9]+ ", rb"\1 ", line[9:-1])
    return b"%08x %b\n" % (crc32(rest), rest)


def assert_damaged(log: Path, changed: list[bytes]) -> None:
    log.write_bytes(b"".join(changed))
    with pytest.raises(DamagedLogError, match="one was removed, doubled or moved"):
        check_log(log)
    with pytest.raises(DamagedLogError):
        DocumentStore(log).get(InboxAddress, "0")


def test_a_log_as_it_was_written_is_whole(log: Path) -> None:
    assert check_log(log).units == COUNT
    assert len({len(line) for line in contents(log)[2:]}) == 1


@pytest.mark.parametrize("number", range(1, COUNT))
def test_a_removed_line_is_noticed(log: Path, number: int) -> None:
    found = contents(log)
    assert_damaged(log, found[:number] + found[number + 1 :])


@pytest.mark.parametrize("left", range(1, COUNT))
def test_a_lost_end_is_not_noticed_and_what_is_before_it_is_read(log: Path, left: int) -> None:
    log.write_bytes(b"".join(contents(log)[: left + 1]))

    assert check_log(log).units == left
    store = DocumentStore(log)
    kept = [store.get(InboxAddress, f"{number}") is not None for number in range(COUNT)]
    assert kept == [number < left for number in range(COUNT)]
    store.close()


@pytest.mark.parametrize("number", range(1, COUNT + 1))
def test_a_doubled_line_is_noticed(log: Path, number: int) -> None:
    found = contents(log)
    assert_damaged(log, found[: number + 1] + found[number:])


@pytest.mark.parametrize(("one", "other"), [*combinations(range(1, COUNT + 1), 2)])
def test_two_swapped_lines_are_noticed(log: Path, one: int, other: int) -> None:
    found = contents(log)
    found[one], found[other] = found[other], found[one]
    assert_damaged(log, found)


def test_a_log_of_the_former_version_is_read_and_goes_on(log: Path) -> None:
    header, *found = contents(log)
    log.write_bytes(header + b"".join(map(former, found)))
    assert check_log(log).units == COUNT

    store = DocumentStore(log)
    assert store.count(InboxAddress) == COUNT
    store.commit(unit_of(InboxAddress(id="more", key="s")))
    store.close()

    assert check_log(log).units == COUNT + 1
    assert DocumentStore(log).count(InboxAddress) == COUNT + 1
    found = contents(log)
    assert_damaged(log, found[:2] + found[3:])


def test_a_line_without_a_place_after_one_that_has_one_is_noticed(log: Path) -> None:
    found = contents(log)
    assert_damaged(log, [*found[:-1], former(found[-1])])


def test_a_compacted_log_says_the_places_of_its_own(log: Path) -> None:
    store = DocumentStore(log)
    before = store.get(InboxAddress, "3")
    assert before is not None
    store.commit(unit_of(before))
    assert store.compact()
    store.commit(unit_of(InboxAddress(id="more", key="s")))
    store.close()

    assert check_log(log).units == COUNT + 2
    found = contents(log)
    assert_damaged(log, found[:3] + found[4:])


def data_of(tmp_path: Path) -> Path:
    """A data folder with two sandboxes that were used."""
    gateway = Gateway(tmp_path / "data", durability="os")
    gateway.post()
    gateway.post(who=gateway.sandbox())
    gateway.close()
    return tmp_path / "data"


@pytest.mark.parametrize("content", [None, b"", lines.header_line()])
def test_an_emptied_registry_stops_the_start(tmp_path: Path, content: bytes | None) -> None:
    data = data_of(tmp_path)
    for file in (*data.glob("*/sandbox.json"), data / "server.json"):
        file.unlink()
    if content is not None:
        (data / REGISTRY).write_bytes(content)
    folders = sorted(each for each in data.iterdir() if each.is_dir())

    with pytest.raises(DamagedLogError, match=f"records of 2 sandboxes, such as {folders[0].name}"):
        build(Settings(data=data), load_simulators())

    assert sorted(each for each in data.iterdir() if each.is_dir()) == folders


def test_a_folder_without_its_sandbox_is_named_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = data_of(tmp_path)
    next(data.glob("*/sandbox.json")).unlink()
    (lost,) = orphans_in(data)

    Gateway(data, durability="os").close()

    assert f"{lost} belongs to no sandbox" in caplog.text
    assert (lost / "1.log").exists()
    case = CheckedSettings(Settings(data=data, port=0), (), {})
    assert [each for each in findings_of(case) if each.found.startswith(str(lost))]
    caplog.clear()
    shutil.rmtree(lost)
    Gateway(data, durability="os").close()
    assert "belongs to no sandbox" not in caplog.text
