"""`sandgate report`, as it is called."""

import subprocess
import sys
from pathlib import Path

import pytest

from reports.commands import report
from reports.events import LEVELS_MAX
from reports.requirements import FEATURES
from reports.tests.streams import called, deep_stream, events_of, one_of_each, passed, stream_of


@pytest.fixture
def stream(tmp_path) -> Path:
    return stream_of(events_of(one_of_each()), tmp_path)


def test_report_makes_every_report_and_says_the_verdict(stream):
    kinds = {"--html": "r.html", "--junit": "r.xml", "--json": "r.json", "--evidence": "r.zip"}
    options = [word for pair in kinds.items() for word in pair]

    ran = subprocess.run(
        [sys.executable, "-m", "simulator", "report", stream.name, *options],
        cwd=stream.parent, env={"PYTHONPATH": str(FEATURES.parent)}, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Failed: 1 of 5 cases failed.\nwritten: r.html\n")
    assert all((stream.parent / name).stat().st_size for name in kinds.values())


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("stream.jsonl", [], "for instance: sandgate report "),
        ("none.jsonl", ["--html", "r"], "none.jsonl: expected a stream of `sandgate check`"),
        ("bad.jsonl", ["--html", "r"], "bad.jsonl: line 1: expected an event of a stream"),
        ("stream.jsonl", ["--html", str(FEATURES)], "--html: expected a file to write"),
    ],
)
def test_a_usage_error_of_report_says_what_was_expected(name, options, said, stream):
    (stream.parent / "bad.jsonl").write_text("oops\n")

    ran = called(report.main, stream.parent / name, *options)

    assert ran.exit_code == 2
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("options", "first"),
    [(["--html", "stream.jsonl"], "STREAM"), (["--html", "same", "--junit", "./same"], "--html")],
)
def test_no_report_is_written_over_the_stream_or_another_report(
    options, first, stream, monkeypatch
):
    monkeypatch.chdir(stream.parent)
    before = stream.read_bytes()

    ran = called(report.main, stream, *options)

    assert ran.exit_code == 2
    assert f"{options[-2]}: expected another file than {first} has" in ran.stderr
    assert stream.read_bytes() == before
    assert not (stream.parent / "same").exists()


@pytest.mark.parametrize("levels", [LEVELS_MAX + 1, 970, 2_000])
def test_a_body_that_is_nested_too_deeply_is_no_event(levels, tmp_path):
    """It ended in a traceback."""
    ran = called(report.main, deep_stream(levels, tmp_path), "--junit", "r")

    assert ran.exit_code == 2
    assert "stream.jsonl: line 2: expected an event of a stream, got: one nested" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_report_of_a_stream_that_was_cut_off_says_so(tmp_path):
    stream = stream_of(events_of([passed()], ends=False), tmp_path)

    ran = called(report.main, stream, "--json", tmp_path / "r.json")

    assert ran.stdout.startswith("Incomplete: The stream was cut off after 1 of 1 cases.")
