"""`sandgate report`, as it is called."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reports.commands import report
from reports.events import LEVELS_MAX, StepResult, line_of
from reports.requirements import FEATURES
from reports.run import read_run
from reports.tests.streams import (
    called,
    deep_stream,
    events_of,
    exchange,
    failed,
    one_of_each,
    passed,
    stream_of,
)
from simulator.client.shown.masking import Masking


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


NUMBER = "4200000000000000"
FIXED = ("event", "verdict", "surface", "state", "exit_status")


def with_numbers(value: Any, name: str = "") -> Any:
    """A part of an event with a card number in each text that may be any."""
    if isinstance(value, dict):
        kept = {} if name in ("", "steps", "exchanges", "failure", "waivers") else {NUMBER: NUMBER}
        kept |= {"counts": {NUMBER: 1}} if name == "" and "counts" in value else {}
        return {key: with_numbers(each, key) for key, each in value.items()} | kept
    if isinstance(value, list):
        return [with_numbers(each, name) for each in value]
    return f"{value} {NUMBER}" if isinstance(value, str) and name not in FIXED else value


def test_no_report_shows_a_card_number_or_secret_of_a_stream_that_others_wrote(tmp_path):
    asked = exchange(body={"token": "a-long-token", "text": "cvv=123"}, error="no answer")
    judged = failed(steps=[StepResult("When", "x", "passed", [asked])], reason="x", needs=["y"],
                  example={"card.number": "1"}, expectations=["E01"])  # fmt: skip
    events = events_of([judged, *one_of_each()])
    lines = [json.dumps(with_numbers(json.loads(line_of(each)))) for each in events]
    stream = tmp_path / "stream.jsonl"
    stream.write_text("\n".join([*lines, ""]))
    kinds = {kind: tmp_path / f"r.{kind}" for kind in ("html", "junit", "json", "evidence")}

    ran = called(report.main, stream, *(f"--{kind}={path}" for kind, path in kinds.items()))

    assert ran.exit_code == 0, ran.output
    with zipfile.ZipFile(kinds.pop("evidence")) as archive:
        members = [archive.read(name).decode() for name in archive.namelist() if "/" not in name]
    for text in (ran.output, *members, *(path.read_text() for path in kinds.values())):
        assert NUMBER not in text and "a-long-token" not in text and "cvv=123" not in text
    assert "420000******0000" in kinds["html"].read_text()


@pytest.mark.parametrize("line", [0, 1, 2, -1])
@pytest.mark.parametrize("name", FIXED)
def test_what_is_no_event_is_said_shortly_and_without_a_card_number(name, line, tmp_path):
    lines = [json.loads(line_of(each)) for each in events_of([failed(), *one_of_each()])]
    lines[line] = lines[line] | {name: NUMBER + "\x9b" * 3000}
    stream = tmp_path / "stream.jsonl"
    stream.write_text("".join(f"{json.dumps(each)}\n" for each in lines))

    ran = called(report.main, stream, "--junit", tmp_path / "r")

    assert NUMBER not in ran.output and "\x9b" not in ran.output
    assert len(ran.output) < 2000 + len(str(tmp_path))


def test_what_the_suite_wrote_is_shown_as_it_is(tmp_path):
    """It is masked already, and masking it again changes nothing."""
    masking = Masking()
    sent = {"card.number": "420000******0000", "card.cvv": "***", "a": json.dumps({"cvv": "***"}),
            "token": "null", "number": "12"}  # fmt: skip
    body = masking.body({"number": 12, "card": {"number": NUMBER, "pin": "1"}, "text": "cvv: 123"})
    asked = exchange(
        sent=sent,
        sent_headers={"Authorization": "***"},
        body=body,
        error=masking.text('{"cvv": "123"} token=abc'),
    )
    judged = failed(steps=[StepResult("When", "x", "passed", [asked])],
                  repeat="sandgate check t.toml --only FIELD:card.cvv:too-long")  # fmt: skip
    events = events_of([judged, *one_of_each()])

    run = read_run(stream_of(events, tmp_path))

    assert [run.began, *run.cases, run.ended] == events
