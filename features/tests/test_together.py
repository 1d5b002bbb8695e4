"""The suite on one server: eight workers at once, in an order that nobody chose."""

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from features.boundaries.cases import all_cases
from features.plugin import authority_in
from features.server import running_server, without_settings

ROOT = Path(__file__).parents[2]
WORKERS = 8
SUITE = ("features/test_scenarios.py", "features/boundaries")
SECONDS_MAX = 300


@pytest.mark.proof
@pytest.mark.timeout(SECONDS_MAX)
def test_eight_workers_in_random_order_share_a_server(
    tmp_path: Path, record_testsuite_property: Callable[[str, object], None]
) -> None:
    seed = time.time_ns() % 2**32
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--shuffle", str(seed)]
    command += ["-p", "no:randomly", "-p", "no:cacheprovider", *SUITE]
    with running_server(tmp_path / "shared") as server:
        described = {**server, "ca_file": authority_in(tmp_path / "shared")}
        words = (f'{name} = "{text}"' for name, text in described.items() if isinstance(text, str))
        target = tmp_path / "target.toml"
        target.write_text("\n".join(words), encoding="utf-8")
        environment = {**without_settings(), "PYTEST_ADDOPTS": "", "SANDGATE_TARGET": str(target)}
        began = time.monotonic()
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        seconds = round(time.monotonic() - began, 1)
    record_testsuite_property(f"{WORKERS} workers, seed {seed}: seconds", seconds)
    assert ran.returncode == 0, f"{' '.join(command)}\n{ran.stdout[-10_000:]}{ran.stderr}"
    assert int(re.findall(r"(\d+) passed", ran.stdout)[-1]) > len(all_cases())
