"""The receiver of the examples says what it needs."""

import subprocess
import sys
from pathlib import Path

import pytest

RECEIVER = Path(__file__).parents[3] / "examples" / "receiver" / "receiver.py"


@pytest.mark.parametrize("secret", [None, "", "xyz", "0" * 63])
def test_a_missing_or_wrong_secret_is_said_without_a_traceback(secret: str | None) -> None:
    environment = {} if secret is None else {"SANDGATE_WEBHOOK_SECRET": secret}
    ran = subprocess.run(
        [sys.executable, str(RECEIVER), "--port", "0"],
        env=environment, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 2
    assert "SANDGATE_WEBHOOK_SECRET: expected 64 hex digits" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("option", [["--port", "99999"], ["--database", "/dev/null/orders.db"]])
def test_what_it_cannot_use_is_said_without_a_traceback(option: list[str]) -> None:
    ran = subprocess.run(
        [sys.executable, str(RECEIVER), "--port", "0", *option],
        env={"SANDGATE_WEBHOOK_SECRET": "0" * 64}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ran.returncode == 2
    assert f"{option[0]} {option[1]}" in ran.stderr
    assert "Traceback" not in ran.stderr
