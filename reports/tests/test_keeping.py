"""The stream is kept whole for the reports, even if the user's file fails."""

import os
from pathlib import Path

import pytest

from reports.events import StepResult, line_of, read_events
from reports.keeping import StreamFiles, StreamWriteError
from reports.tests.streams import events_of, exchange, passed


def test_both_files_hold_each_event_as_soon_as_it_comes(tmp_path):
    own, beside = tmp_path / "own", tmp_path / "beside"
    said = b""
    with StreamFiles(own, beside) as kept:
        for event in events_of([passed()]):
            kept.put(event)
            said += line_of(event)
            assert own.read_bytes() == beside.read_bytes() == said
    assert not kept.fault


def test_an_event_with_half_a_surrogate_pair_anywhere_is_shown_with_an_escape():
    body = {"odd\ud800": ["\udcff", 1, None, {"\udc00": "text"}]}
    step = StepResult(
        "Then", "a \ud800", "passed", [exchange(body=body, sent={"a\ud800": "\ud800"})]
    )
    case = passed(id="id \ud800", steps=[step], example={"a": "\ud800"}, reason="\ud800")
    (read,) = read_events([line_of(case)])

    assert read.steps[0].exchanges[0].body == {
        r"odd\ud800": [r"\udcff", 1, None, {r"\udc00": "text"}]
    }
    assert (read.id, read.reason, read.seconds) == (r"id \ud800", r"\ud800", case.seconds)


def test_a_device_that_is_full_costs_our_own_stream_nothing(tmp_path):
    events = events_of([passed(), passed()])
    with StreamFiles(tmp_path / "own", Path("/dev/full")) as kept:
        for event in events:
            kept.put(event)
    assert (tmp_path / "own").read_bytes() == b"".join(map(line_of, events))
    assert kept.fault == "expected a file that takes the stream, got: No space left on device"


def test_a_reader_that_goes_away_costs_our_own_stream_nothing(tmp_path):
    reading, writing = os.pipe()
    (tmp_path / "pipe").symlink_to(f"/dev/fd/{writing}")
    began, *others = events_of([passed()])
    with StreamFiles(tmp_path / "own", tmp_path / "pipe") as kept:
        kept.put(began)
        os.close(writing)
        assert os.read(reading, 65536) == line_of(began)
        os.close(reading)
        for event in others:
            kept.put(event)
    assert kept.fault == "expected a file that takes the stream, got: Broken pipe"
    assert (tmp_path / "own").read_bytes() == b"".join(map(line_of, [began, *others]))


def test_a_file_that_cannot_be_opened_costs_our_own_stream_nothing(tmp_path):
    events = events_of([passed()])
    (tmp_path / "folder").mkdir()
    with StreamFiles(tmp_path / "own", tmp_path / "folder") as kept:
        for event in events:
            kept.put(event)
    assert kept.fault == "expected a file that takes the stream, got: Is a directory"
    assert (tmp_path / "own").read_bytes() == b"".join(map(line_of, events))


def test_nothing_is_made_before_there_is_an_event(tmp_path):
    earlier = tmp_path / "beside"
    earlier.write_text("of an earlier run")
    with StreamFiles(tmp_path / "own", earlier) as kept:
        assert not kept.holds_anything
    assert [path.name for path in tmp_path.iterdir()] == ["beside"]
    assert earlier.read_text() == "of an earlier run"


def test_our_own_file_that_takes_no_more_is_said():
    began, *_ = events_of([passed()])
    with (
        StreamFiles(Path("/dev/full"), None) as kept,
        pytest.raises(
            StreamWriteError, match="its verdicts cannot be kept: No space left on device"
        ),
    ):
        kept.put(began)
