"""The files of recordings, which many pages of the console show."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.console import recordings
from simulator.adapters.console.recordings import HISTORIES_KNOWN_MAX, RecordingFiles
from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.store.files import LocalDisk
from simulator.domain.console.recording import Deed, KeptStory, Recording, RequestHistory, remember

DEED = Deed(at=datetime(2030, 1, 1, tzinfo=UTC), by="anna", say="x", method="GET", path="p",
            status=200)  # fmt: skip

ID = "1" * 32


class Reads:
    """How many files were read, and how many at once."""

    def __init__(self) -> None:
        self.count = self.most = self.under_way = 0


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reads]:
    found, read = Reads(), SmallTables.read_serving

    def counted(tables: SmallTables, *named: object) -> object:
        found.count += 1
        found.under_way += 1
        found.most = max(found.most, found.under_way)
        try:
            gevent.sleep(0.001)
            return read(tables, *named)
        finally:
            found.under_way -= 1

    monkeypatch.setattr(recordings.SmallTables, "read_serving", counted)
    yield found


def files_in(data: Path) -> RecordingFiles:
    """The files of sandboxes that are in their first epoch."""
    return RecordingFiles(data, LocalDisk(), epoch_of=lambda _: "first")


@pytest.fixture
def files(tmp_path: Path) -> RecordingFiles:
    return files_in(tmp_path)


def test_a_history_is_read_once_for_all_who_look(files: RecordingFiles, reads: Reads) -> None:
    gevent.joinall([gevent.spawn(files.history, ID) for _ in range(30)], raise_error=True)
    assert reads.count == 1


def test_one_file_is_read_at_a_time(files: RecordingFiles, reads: Reads) -> None:
    looks = [gevent.spawn(files.history, f"{number:032x}") for number in range(30)]
    gevent.joinall(looks, raise_error=True)
    assert (reads.count, reads.most) == (30, 1)
    files.history(f"{29:032x}")
    assert reads.count == 30
    files.history(f"{0:032x}")
    assert reads.count == 31 and HISTORIES_KNOWN_MAX < 30


def test_what_was_sent_is_known_and_is_in_the_file(tmp_path: Path, files: RecordingFiles) -> None:
    assert files.history(ID) == RequestHistory()
    files.change_history(ID, lambda before: remember(before, DEED))
    assert files.history(ID).deeds == (DEED,)
    assert files_in(tmp_path).history(ID).deeds == (DEED,)
    files.change_history(ID, lambda before: remember(before, DEED))
    files.read_again()
    assert files.history(ID).deeds == (DEED, DEED)


@pytest.mark.parametrize("between", [[], [None]], ids=["", "read while it is deleted"])
def test_nothing_is_known_of_a_deleted_sandbox_that_is_restored(
    tmp_path: Path, between: list[None]
) -> None:
    epochs: dict[str, str | None] = {ID: "first"}
    files = RecordingFiles(tmp_path, LocalDisk(), epoch_of=epochs.get)
    files.change_history(ID, lambda before: remember(before, DEED))
    files.change(ID, lambda before: replace(before, is_on=True))
    rmtree(tmp_path / ID)
    for epochs[ID] in [*between, "second"]:
        assert (files.history(ID), files.recording(ID)) == (RequestHistory(), Recording())

    files.change_history(ID, lambda before: remember(before, DEED))

    assert files_in(tmp_path).history(ID).deeds == (DEED,)


def test_what_was_sent_before_a_reset_stays(tmp_path: Path) -> None:
    epochs = {ID: "first"}
    files = RecordingFiles(tmp_path, LocalDisk(), epoch_of=epochs.get)
    files.change_history(ID, lambda before: remember(before, DEED))
    epochs[ID] = "second"
    assert files.history(ID).deeds == (DEED,)


def test_the_stories_that_people_kept_are_read_once(
    tmp_path: Path, files: RecordingFiles, reads: Reads
) -> None:
    gevent.joinall([gevent.spawn(files.stories) for _ in range(30)], raise_error=True)
    assert (files.stories(), reads.count) == ([], 1)
    story = KeptStory(id="s", by="anna", at=DEED.at, document={})
    files.keep_story(story)
    assert files.stories() == [story] == files_in(tmp_path).stories()
    files.remove_story("s")
    assert files.stories() == []
