"""Hostile names, values, bodies and card frames: others are served, and the log stays clean."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from load.proof.hostile_values import HostileResult, faults_of_log, send_hostile_requests
from simulator.client.processes import running_gateway

KIBIBYTE = 1024


class HostileRun(NamedTuple):
    """What a run showed, and the log of the gateway."""

    result: HostileResult
    log: Path


@contextmanager
def hostile_run(folder: Path, size: int, *options: str) -> Iterator[HostileRun]:
    """A run against a gateway of its own that has ended since."""
    log = folder / "log"
    with (
        log.open("wb") as stderr,
        running_gateway(
            "--port", "0", "--data", str(folder / "data"), "--log", "json", *options, stderr=stderr
        ) as server,
    ):
        result = send_hostile_requests(server, size)
    yield HostileRun(result, log)


def test_hostile_values_delay_no_other_client_and_leave_a_clean_log(tmp_path: Path) -> None:
    with hostile_run(tmp_path, 40 * KIBIBYTE, "--profile", "field") as run:
        assert faults_of_log(run.log) == []
        assert run.result.sent > 90
        assert run.result.unanswered == 0
        # Other tests have the same cores; the proof has 0.25 s on a quiet machine.
        assert run.result.longest_s < 1.5, run.result.slowest


@pytest.mark.proof
@pytest.mark.parametrize("profile", ["specification", "field"])
def test_values_of_many_mib_leave_a_clean_log(tmp_path: Path, profile: str) -> None:
    with hostile_run(tmp_path, 5 * KIBIBYTE * KIBIBYTE, "--profile", profile) as run:
        assert faults_of_log(run.log) == []
        assert run.result.unanswered == 0
        assert run.result.longest_s < 0.25, run.result.slowest


def test_a_log_with_a_fault_is_found(tmp_path: Path) -> None:
    good = '{"time":"x","level":"info","logger":"x","message":"x"}'
    for bad, fault in (
        ("Traceback (most recent call last):", "no JSON"),
        ('{"message":"x"}', "no entry"),
        (good.replace("info", "4539 5787 6362 1486"), "a card number"),
        (good.replace("info", "\x9b"), "a control character"),
        (good.replace("info", "x" * 70_000), "too long"),
        (good.replace('"level"', '"exception":"x","level"'), "a traceback"),
    ):
        log = tmp_path / "log"
        log.write_text(f"{good}\n{bad}\n", encoding="utf-8")
        (found,) = faults_of_log(log)
        assert found.startswith(f"{fault}: ")
