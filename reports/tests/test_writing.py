"""Reports are written whole or not at all."""

import pytest

from reports.events import BadStream
from reports.tests.streams import events_of, one_of_each, stream_of
from reports.writing import write_reports, write_whole

NONE = dict.fromkeys(("junit", "html", "json", "evidence"))


@pytest.fixture
def stream(tmp_path):
    return stream_of(events_of(one_of_each()), tmp_path)


def test_the_reports_that_have_a_path_are_written_and_no_others(stream, tmp_path):
    out = tmp_path / "new" / "folder"

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

    with pytest.raises(BadStream):
        write_reports(stream, **{**NONE, "html": tmp_path / "r.html"})

    assert (tmp_path / "r.html").read_text() == "yesterday"


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()

    with pytest.raises(OSError):
        write_whole(tmp_path / "taken", b"content")

    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
