"""What a run of `sandgate check` leaves: of itself alone, and over nothing it was given."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from features.tests.minimal_gateway import GatewaySettings
from features.tests.shop_folder import SANDGATE, check, events_in
from reports.events import CaseVerdict, RunStarted
from simulator.client.processes import without_settings


def test_an_interrupted_run_leaves_a_stream_without_an_end(
    folder: Path, gateway: GatewaySettings
) -> None:
    rows = "".join(f"      | {number} | row |\n" for number in range(200))
    feature = (
        "Feature: Many\n  Scenario Outline: A debit\n    When the merchant debits <sum> EUR\n"
        f"    Then the payment succeeds\n    Examples:\n      | sum | why |\n{rows}"
    )
    (folder / "own" / "shop.feature").write_text(feature)
    gateway.delay_s = 0.05
    events = folder / "events.jsonl"
    process = subprocess.Popen(
        [*SANDGATE, "check", "target.toml", "--features", "own", "--events", str(events)],
        cwd=folder, env=without_settings(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    while process.poll() is None and not (events.exists() and b'"case"' in events.read_bytes()):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    gateway.delay_s = 0.0
    assert process.returncode == 130, said
    assert "interrupted" in said
    began, *cases = events_in(events)
    assert isinstance(began, RunStarted)
    assert 0 < len(cases) < 200
    assert all(isinstance(case, CaseVerdict) for case in cases)


def test_a_run_that_began_nothing_reports_nothing_of_an_earlier_one(
    folder: Path, gateway: GatewaySettings
) -> None:
    words = ["check", "target.toml", "--features", "own", "--only", "A debit succeeds"]
    words += ["--events", "events.jsonl", "--junit", "junit.xml", "--json", "new.json"]
    assert check(folder, *words[1:-2]).returncode == 0
    asked = len(gateway.paths)
    gateway.delay_s = 3.0
    process = subprocess.Popen(
        [*SANDGATE, *words], cwd=folder, env=without_settings(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while process.poll() is None and len(gateway.paths) == asked:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    shown, said = process.communicate(timeout=30)
    gateway.delay_s = 0.0
    assert (process.returncode, shown) == (130, "")
    earlier = "the existing report is from an earlier run: events.jsonl, junit.xml"
    assert said == f"sandgate: interrupted\nsandgate: no test cases were run; {earlier}\n"
    assert not (folder / "new.json").exists()


def test_a_stream_that_cannot_be_kept_is_summed_up_and_reported_all_the_same(folder: Path) -> None:
    words = ["--features", "own", "--only", "A debit succeeds", "--events", "/dev/null"]
    ran = check(folder, "target.toml", *words, "--html", "verdicts.html")
    assert ran.returncode == 0, ran.stderr
    assert "1 passed" in ran.stdout
    assert "A debit succeeds" in (folder / "verdicts.html").read_text()


def test_a_file_that_takes_no_more_of_the_stream_costs_no_verdict(folder: Path) -> None:
    words = ["--features", "own", "--only", "A debit succeeds", "--events", "/dev/full"]
    ran = check(folder, "target.toml", *words, "--junit", "verdicts.xml")
    assert ran.returncode == 2
    refusal = "--events: expected a file that takes the stream, got: No space left on device"
    assert ran.stderr == f"sandgate: {refusal}\n"
    assert "1 passed" in ran.stdout
    assert "written: verdicts.xml" in ran.stdout
    assert "/dev/full" not in ran.stdout
    assert "A debit succeeds" in (folder / "verdicts.xml").read_text()


def test_a_failure_counts_for_more_than_a_stream_that_was_lost(
    folder: Path, gateway: GatewaySettings
) -> None:
    words = ["--features", "own", "--only", "A debit succeeds", "--events", "/dev/full"]
    gateway.refuses = True
    ran = check(folder, "target.toml", *words)
    gateway.refuses = False
    assert ran.returncode == 1
    assert "--events: expected a file that takes the stream" in ran.stderr
    assert "FAILED A debit succeeds" in ran.stdout


def test_a_stream_that_was_lost_is_reported_for_an_interrupted_run_too(
    folder: Path, gateway: GatewaySettings
) -> None:
    words = ["check", "target.toml", "--features", "own", "--events", "/dev/full"]
    scenario = "  Scenario: Number {}\n    When the merchant debits 92.00 EUR\n    Then it passes\n"
    feature = "Feature: Many\n" + "".join(scenario.format(each) for each in range(100))
    text = feature.replace("it passes", "the payment succeeds")
    (folder / "own" / "shop.feature").write_text(text)
    gateway.delay_s, asked = 0.05, len(gateway.paths)
    process = subprocess.Popen(
        [*SANDGATE, *words], cwd=folder, env=without_settings(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while process.poll() is None and len(gateway.paths) < asked + 10:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate(timeout=30)
    finally:
        gateway.delay_s = 0.0
    assert process.returncode == 130, said
    assert "--events: expected a file that takes the stream" in said
    assert "/dev/full" not in shown


@pytest.mark.parametrize("file", ["own/shop.feature", "own/conftest.py"])
def test_no_feature_and_no_step_is_written_over(folder: Path, file: str) -> None:
    before = (folder / file).read_text()
    ran = check(folder, "target.toml", "--features", "own", "--html", file)
    assert ran.returncode == 2
    assert "--html: expected another file than --features has" in ran.stderr
    assert (folder / file).read_text() == before


def test_a_folder_that_cannot_be_loaded_takes_the_place_of_no_report(folder: Path) -> None:
    (folder / "old.json").write_text("of last time")
    (folder / "own" / "conftest.py").write_text("raise RuntimeError('broken')\n")
    ran = check(folder, "target.toml", "--features", "own", "--json", "old.json")
    assert ran.returncode == 2
    assert "expected a folder that pytest can load" in ran.stderr
    assert "the existing report is from an earlier run: old.json" in ran.stderr
    assert (folder / "old.json").read_text() == "of last time"


def test_a_folder_that_is_not_there_is_refused_and_not_made(folder: Path) -> None:
    words = ["--features", "own", "--only", "A debit succeeds", "--events", "events.jsonl"]
    ran = check(folder, "target.toml", *words, "--json", "new/two/verdicts.json")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "--json: expected a file to write, got: no such folder: new/two" in ran.stderr
    assert not (folder / "new").exists()
    assert not (folder / "events.jsonl").exists()


@pytest.mark.parametrize("way", ["own/../target.toml", "link.toml", "hard.toml"])
def test_no_report_is_written_over_the_target_by_whatever_way(folder: Path, way: str) -> None:
    (folder / "link.toml").symlink_to("target.toml")
    (folder / "hard.toml").hardlink_to(folder / "target.toml")
    before = (folder / "target.toml").read_text()
    ran = check(folder, "target.toml", "--features", "own", "--junit", way)
    assert ran.returncode == 2
    assert "--junit: expected another file than TARGET has" in ran.stderr
    assert (folder / "target.toml").read_text() == before
