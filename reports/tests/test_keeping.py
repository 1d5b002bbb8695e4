"""The stream is kept whole for our own reports, whatever becomes of the file beside it."""

import os
from pathlib import Path

from reports.events import line_of
from reports.keeping import Kept
from reports.tests.streams import events_of, passed


def test_both_files_hold_each_event_as_soon_as_it_is_told(tmp_path):
    own, beside = tmp_path / "own", tmp_path / "new" / "beside"
    said = b""
    with Kept(own, beside) as kept:
        for event in events_of([passed()]):
            kept.put(event)
            said += line_of(event)
            assert own.read_bytes() == beside.read_bytes() == said
    assert not kept.fault


def test_a_device_that_is_full_costs_our_own_stream_nothing(tmp_path):
    events = events_of([passed(), passed()])
    with Kept(tmp_path / "own", Path("/dev/full")) as kept:
        for event in events:
            kept.put(event)
    assert (tmp_path / "own").read_bytes() == b"".join(map(line_of, events))
    assert kept.fault == "expected a file that takes the stream, got: No space left on device"


def test_a_reader_that_goes_away_costs_our_own_stream_nothing(tmp_path):
    reading, writing = os.pipe()
    (tmp_path / "pipe").symlink_to(f"/dev/fd/{writing}")
    began, *others = events_of([passed()])
    with Kept(tmp_path / "own", tmp_path / "pipe") as kept:
        os.close(writing)
        kept.put(began)
        assert os.read(reading, 65536) == line_of(began)
        os.close(reading)
        for event in others:
            kept.put(event)
    assert kept.fault == "expected a file that takes the stream, got: Broken pipe"
    assert (tmp_path / "own").read_bytes() == b"".join(map(line_of, [began, *others]))
