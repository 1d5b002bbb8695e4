"""A file that a command names and that has no end is refused: it is not read into memory."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

MEMORY_BYTES = 3 * 1024**3
ENDLESS = "/dev/zero"
GATEWAY = {
    "SANDGATE_CONTROL_URL": "http://127.0.0.1:9/_sandbox/v1",
    "SANDGATE_CONTROL_API_KEY": "k" * 32,
    "SANDGATE_SANDBOX_ID": "0" * 32,
}


def run(*arguments: str, stdin: str = "/dev/null") -> subprocess.CompletedProcess[str]:
    """A command that may use this much memory."""
    limits = (MEMORY_BYTES, MEMORY_BYTES)
    with Path(stdin).open("rb") as source:
        return subprocess.run(
            [sys.executable, "-m", "simulator", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            stdin=source,
            env={**os.environ, **GATEWAY},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
        )


COMMANDS = (
    ("settle", "fault", ENDLESS),
    ("sandbox", "create", "--from", ENDLESS),
    ("sandbox", "restore", ENDLESS),
    ("script", "arm", "--from", ENDLESS),
    ("behaviours", "check", ENDLESS),
    ("serve", "--config", ENDLESS),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: " ".join(each[:2]))
def test_a_file_without_an_end_is_refused(command: tuple[str, ...]) -> None:
    ended = run(*command)

    assert ended.returncode in (1, 2), ended.stderr[-500:]
    assert "a file of more than" in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr


def test_an_input_without_an_end_is_refused() -> None:
    ended = run("script", "arm", "--from", "-", stdin=ENDLESS)

    assert ended.returncode == 2
    assert "a file of more than" in ended.stderr


def test_a_table_without_an_end_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.symlink_to(ENDLESS)

    ended = run("serve", "--throttle", str(table), "--port", "26201")

    assert ended.returncode != 0
    assert "a file of more than" in ended.stderr + ended.stdout
