"""Reading a run: order, what was cut off, what it lacks, and what it must not tell."""

import pytest

from reports.events import StreamFormatError
from reports.run import read_run, run_of
from reports.tests.streams import events_of, failed, one_of_each, passed, stream_of

WHOLE = events_of(one_of_each())


def test_a_whole_stream_lacks_nothing_and_counts_every_verdict(tmp_path):
    run = read_run(stream_of(WHOLE, tmp_path))

    assert (run.lacks, run.exit_status, run.seconds) == ("", 1, 72.4)
    assert run.counts == {
        "passed": 1, "failed": 1, "error": 0, "waived": 1, "not-checkable": 1, "not-judged": 1,
    }  # fmt: skip


def test_a_stream_without_its_end_was_cut_off():
    run = run_of(events_of([passed()], ends=False, cases=12))

    assert run.lacks == "The stream was cut off after 1 of 12 cases."
    assert run.exit_status == 3
    assert run.seconds == passed().seconds


def test_a_last_line_that_was_not_finished_is_left_out(tmp_path):
    stream = stream_of(WHOLE, tmp_path)
    stream.write_bytes(stream.read_bytes()[:-20])

    run = read_run(stream)

    assert len(run.cases) == 5
    assert run.lacks == "The stream was cut off after 5 of 5 cases."


def test_a_failure_outweighs_that_the_run_is_not_complete():
    assert run_of(events_of([failed()], ends=False)).exit_status == 1


def test_fewer_cases_than_were_chosen_is_no_complete_run():
    run = run_of(events_of([passed()], cases=2))

    assert run.lacks == "2 cases were chosen, and 1 have a verdict."
    assert run.exit_status == 3


def test_an_end_that_counts_other_verdicts_is_noticed():
    began, _, ended = events_of([failed()])

    assert "counts" in run_of([began, passed(), ended]).lacks


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], "line 1: expected the beginning of a stream, got: nothing"),
        (WHOLE[1:], "line 1: expected the beginning of a stream, got: case"),
        ([WHOLE[0], WHOLE[0]], "line 2: expected a case or the end, got: began"),
        ([*WHOLE, WHOLE[1]], "line 8: expected nothing after the end, got: case"),
    ],
    ids=["nothing", "no beginning", "two beginnings", "more after the end"],
)
def test_events_in_another_order_are_no_stream(events, expected):
    with pytest.raises(StreamFormatError, match=f"^{expected}$"):
        run_of(events)


def test_a_damaged_line_in_the_middle_is_named(tmp_path):
    stream = stream_of(WHOLE, tmp_path)
    lines = stream.read_bytes().splitlines(keepends=True)
    stream.write_bytes(b"".join([*lines[:2], b"{oops\n", *lines[3:]]))

    with pytest.raises(StreamFormatError, match="^line 3: expected an event"):
        read_run(stream)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://tester:s3cret@gateway.example/base/", "https://gateway.example/base/"),
        ("https://gateway.example/a@b", "https://gateway.example/a@b"),
        ("no address", "no address"),
    ],
)
def test_an_address_is_reported_without_name_and_password(given, kept):
    assert run_of(events_of([], base_url=given)).began.base_url == kept
