"""What a command is to write is tried before its work, and never lies over anything else."""

import os
from pathlib import Path

import pytest

from reports.files import FileOptionError, demand_writable_files


@pytest.mark.parametrize("way", ["r.html", "folder/../r.html", "link", "hard"])
def test_paths_that_lead_to_one_file_are_refused_however_they_are_written(
    way, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    one = tmp_path / "r.html"
    one.touch()
    Path("link").symlink_to("r.html")
    Path("hard").hardlink_to(one)
    Path("folder").mkdir()

    with pytest.raises(
        FileOptionError, match=r"^expected another file than TARGET has, got "
    ) as refused:
        demand_writable_files(
            [("--html", one), ("--junit", Path("r.xml"))], others=[("TARGET", Path(way))]
        )

    assert refused.value.option == "--html"


def test_two_paths_to_one_file_that_is_not_there_yet_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(FileOptionError, match="than --html has") as refused:
        demand_writable_files([("--html", tmp_path / "r"), ("--json", Path("r"))], others=[])

    assert refused.value.option == "--json"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("path", ["/proc/none/r", "/", "/dev/null/r"])
def test_what_cannot_be_written_is_refused(path):
    with pytest.raises(FileOptionError, match="expected a file to write, got: ") as refused:
        demand_writable_files([("--html", None), ("--json", Path(path))], others=[])

    assert refused.value.option == "--json"


@pytest.mark.parametrize("path", ["nope/r.html", "there/nope/deep/r.html"])
def test_a_file_in_a_folder_that_is_not_there_is_refused_and_no_folder_made(
    path, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("there").mkdir()

    with pytest.raises(FileOptionError) as refused:
        demand_writable_files([("--html", Path(path))], others=[])

    assert str(refused.value) == (
        f"expected a file to write, got: no such folder: {Path(path).parent}"
    )
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]


def test_a_try_changes_nothing(tmp_path):
    kept, dangling = tmp_path / "kept", tmp_path / "dangling"
    kept.write_text("of last time")
    dangling.symlink_to("nothing")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    before = sorted(tmp_path.iterdir())

    wanted = (kept, dangling, pipe, tmp_path / "new", Path("/dev/null"))
    demand_writable_files([(f"--{path.name}", path) for path in wanted], others=[("--key", None)])

    assert sorted(tmp_path.iterdir()) == before
    assert kept.read_text() == "of last time"


@pytest.mark.parametrize("inner", ["a/b", "a/b/c", "over/../a/b"])
def test_a_file_that_would_be_the_folder_of_another_is_refused(inner, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("over").mkdir()

    with pytest.raises(FileOptionError, match="expected a file to write, got: no such") as refused:
        demand_writable_files([("--junit", Path(inner)), ("--events", Path("a"))], others=[])

    assert refused.value.option == "--junit"
    assert [path.name for path in tmp_path.iterdir()] == ["over"]


def test_what_is_only_read_may_be_one_file_under_two_names(tmp_path):
    (tmp_path / "one").touch()
    (tmp_path / "link").symlink_to("one")

    read = [("--features", tmp_path / "one"), ("--features", tmp_path / "link")]
    demand_writable_files([("--html", tmp_path / "r")], others=read)
