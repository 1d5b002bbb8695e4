"""Reports are written whole or not at all."""

import os
from pathlib import Path

import pytest

from reports.events import StreamFormatError
from reports.tests.streams import events_of, one_of_each, stream_of
from reports.writing import write_reports, write_whole

NONE = dict.fromkeys(("junit", "html", "json", "evidence"))


@pytest.fixture
def stream(tmp_path):
    return stream_of(events_of(one_of_each()), tmp_path)


def test_the_reports_that_have_a_path_are_written_and_no_others(stream, tmp_path):
    out = tmp_path / "folder"
    out.mkdir()

    write_reports(stream, **{**NONE, "html": out / "r.html", "junit": out / "r.xml"})

    assert sorted(path.name for path in out.iterdir()) == ["r.html", "r.xml"]


@pytest.mark.parametrize(
    ("kind", "starts"),
    [("junit", b"<?xml"), ("html", b"<!DOCTYPE html>"), ("json", b"{"), ("evidence", b"PK")],
)
def test_each_kind_is_what_its_name_says(kind, starts, stream, tmp_path):
    write_reports(stream, **{**NONE, kind: tmp_path / "report"})

    assert (tmp_path / "report").read_bytes().startswith(starts)


def test_a_bad_stream_leaves_the_reports_of_yesterday(stream, tmp_path):
    stream.write_bytes(b"{}\n")
    (tmp_path / "r.html").write_text("yesterday")

    with pytest.raises(StreamFormatError):
        write_reports(stream, **{**NONE, "html": tmp_path / "r.html"})

    assert (tmp_path / "r.html").read_text() == "yesterday"


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()

    with pytest.raises(OSError):
        write_whole(tmp_path / "taken", b"content")

    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    """As root one replaced /dev/full by a regular file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # A pipe that is open at both ends never blocks.
    ends = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)

    write_whole(pipe, b"content")

    assert pipe.is_fifo()
    assert os.read(ends, 100) == b"content"
    os.close(ends)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_pipe_that_only_a_descriptor_leads_to_is_written_to(tmp_path):
    """As /dev/stdout leads to one: its address, `pipe:[4711]`, is that of no file."""
    reading, writing = os.pipe2(os.O_NONBLOCK)
    (tmp_path / "stdout").symlink_to(f"/dev/fd/{writing}")

    write_whole(tmp_path / "stdout", b"content")

    assert os.read(reading, 100) == b"content"
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("before", ["yesterday", None])
def test_of_a_link_what_it_points_at_is_written(tmp_path, before):
    (tmp_path / "kept").mkdir()
    file, link = tmp_path / "kept" / "r.html", tmp_path / "latest.html"
    link.symlink_to(file)
    if before:
        file.write_text(before)

    write_whole(link, b"content")

    assert link.is_symlink()
    assert file.read_bytes() == b"content"
    assert [path.name for path in file.parent.iterdir()] == ["r.html"]


def test_one_that_cannot_be_written_costs_none_of_the_others(tmp_path):
    stream = stream_of(events_of(one_of_each()), tmp_path)
    full, page, xml = Path("/dev/full"), tmp_path / "r.html", tmp_path / "r.xml"

    written = write_reports(stream, **{**NONE, "html": page, "json": full, "junit": xml})

    assert written.files == [page, xml]
    assert written.faults == ["/dev/full: expected a file to write, got: No space left on device"]
    assert page.stat().st_size
    assert xml.stat().st_size
