"""`sandgate report` and `sandgate coverage`, as they are called."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from features.conformance.cases import known_cases
from reports.commands import coverage, report
from reports.events import LEVELS_MAX, Step
from reports.requirements import FEATURES, requirements
from reports.tests.streams import events_of, exchange, one_of_each, passed, stream_of


def called(command: Callable[..., None], *words: str | Path):
    """One command on its own."""
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(word) for word in words])


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
    assert ran.stdout.startswith("Failed: 1 of 5 cases failed.\nwrote r.html\n")
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
def test_report_called_wrongly_says_what_was_expected(name, options, said, stream):
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


@pytest.mark.parametrize("command", [report.main, coverage.main])
@pytest.mark.parametrize("levels", [LEVELS_MAX + 1, 970, 2_000])
def test_a_body_that_is_nested_too_deeply_is_no_event(command, levels, tmp_path):
    """It ended in a traceback."""
    deep = passed(steps=[Step("When", "x", "passed", [exchange(body="DEEP")])])
    stream = stream_of(events_of([deep]), tmp_path)
    stream.write_text(stream.read_text().replace('"DEEP"', "[" * levels + "]" * levels))

    ran = called(command, stream, *(["--junit", "r"] if command is report.main else []))

    assert ran.exit_code == 2
    assert "stream.jsonl: line 2: expected an event of a stream, got: one nested" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_report_of_a_stream_that_was_cut_off_says_so(tmp_path):
    stream = stream_of(events_of([passed()], ends=False), tmp_path)

    ran = called(report.main, stream, "--json", tmp_path / "r.json")

    assert ran.stdout.startswith("Incomplete: The stream was cut off after 1 of 1 cases.")


def test_coverage_of_a_run_that_lacks_requirements_ends_with_1(stream):
    ran = called(coverage.main, stream, "--json")
    found = json.loads(ran.stdout)

    assert ran.exit_code == 1
    assert found["counts"]["failed"] == 3
    assert found["counts"]["missing"] > 100
    assert [row["id"] for row in found["requirements"]] == [row.id for row in requirements()]


def test_coverage_of_a_whole_run_ends_with_0(tmp_path):
    """As if every case of ours had passed."""
    every = [row.id for row in requirements()]
    cases = [
        passed(id=case.id, title=case.title, requirements=list(case.requirements))
        for case in known_cases()
    ]
    stream = stream_of(events_of(cases), tmp_path)

    ran = called(coverage.main, stream)

    assert ran.exit_code == 0, ran.stdout[-500:]
    assert f"{len(every)} requirements: " in ran.stdout
    assert "missing" not in ran.stdout


def test_coverage_without_a_stream_says_how_to_get_one():
    ran = called(coverage.main)

    assert ran.exit_code == 0, ran.stdout[-500:]
    assert "sandgate check TARGET.toml" in ran.stdout
    assert "has-cases" in ran.stdout and "\u2713 proven" not in ran.stdout


def test_coverage_of_features_of_a_users_own_reads_those(tmp_path):
    (tmp_path / "own.feature").write_text(
        "Feature: Own\n  @req:END-01\n  Scenario: One\n    Then x\n"
    )

    found = json.loads(called(coverage.main, "--json", "--features", tmp_path).stdout)
    wrong = called(coverage.main, "--features", tmp_path / "none")

    assert found["counts"]["has-cases"] == 1
    assert (wrong.exit_code, "expected a folder" in wrong.stderr) == (2, True)
