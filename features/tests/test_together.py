"""The suite on one server: eight workers at once, in a random order."""

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from features.boundaries.cases import all_cases
from features.conformance.cases import load_cases
from features.target.writing import format_target_file
from reports.events import RunEnded, read_events
from simulator.client.processes import authority_in, gateway_in, python, without_settings

ROOT = Path(__file__).parents[2]
WORKERS = 8
SUITE = ("features/test_scenarios.py", "features/boundaries/test_fields.py")
SOME = "features/tests/some_scenarios.py"
SECONDS_MAX = 300
# What the suite sends by the hundred, and may never write down.
NUMBERS = (
    b"4200000000000000", b"5454545454545454", b"4242000000000018", b"89370400440532013000",
)  # fmt: skip
# Every worker loads plugins: those that are not needed take it longer than the scenarios do.
ALONE = {"PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
PLUGINS = ("-p", "xdist.plugin", "-p", "pytest_bdd.plugin", "-p", "pytest_timeout")
PLUGINS += ("-p", "no:cacheprovider")


@pytest.mark.proof
@pytest.mark.timeout(SECONDS_MAX)
def test_eight_workers_in_random_order_share_a_server(
    tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    seed = time.time_ns() % 2**32
    began = time.monotonic()
    passed = passed_together(tmp_path, "--shuffle", str(seed), *SUITE)
    seconds = round(time.monotonic() - began, 1)
    record_testsuite_property(f"{WORKERS} workers, seed {seed}: seconds", seconds)
    assert passed > len(all_cases())


def test_some_scenarios_of_that_run_share_a_server_too(tmp_path: Path) -> None:
    seed = time.time_ns() % 2**32

    assert passed_together(tmp_path, "--shuffle", str(seed), SOME) > WORKERS


def passed_together(folder: Path, *arguments: str) -> int:
    """How many scenarios passed against one server, asked by all workers; fails if any did not."""
    command = [sys.executable, "-m", "pytest", "-q", *PLUGINS, "-n", str(WORKERS), *arguments]
    with gateway_in(folder / "shared") as server:
        described = {**server, "ca_file": authority_in(folder / "shared")}
        target = folder / "target.toml"
        target.write_text(format_target_file(described), encoding="utf-8")
        environment = {**without_settings(), **ALONE, "SANDGATE_TARGET": str(target)}
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout[-10_000:]}{ran.stderr}"
    return int(re.findall(r"(\d+) passed", ran.stdout)[-1])


@pytest.mark.proof
@pytest.mark.timeout(SECONDS_MAX + 60)
def test_the_command_passes_a_gateway_of_its_own_in_five_minutes(
    tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    stream = tmp_path / "events.jsonl"
    command = [*python("from simulator.__main__ import main; main()"), "check", "-n", "2"]
    ran = subprocess.run(
        [*command, "--events", str(stream)], cwd=tmp_path, env=without_settings(),
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-10_000:] + ran.stderr
    *_, ended = read_events(stream.read_bytes().splitlines())
    assert isinstance(ended, RunEnded)
    record_testsuite_property("sandgate check, 2 workers: seconds", ended.seconds)
    assert ended.counts == {"passed": len(load_cases())}
    assert ended.seconds <= SECONDS_MAX
    for secret in NUMBERS:
        assert secret not in stream.read_bytes()
