"""A file that has no end, as a device, is given up before it fills the memory."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

KEY = (
    '{"kind":"line","file":"a","settlementTxId":"s","truth":{"status":"MATCHED","payments":["p"]}}'
)
MEMORY_BYTES = 3_000_000_000
COMMANDS = {
    "check": ("endless.toml",),
    "load": ("endless.toml",),
    "load --baseline": ("-t", "1s", "--baseline", "endless.json"),
    "load --thresholds": ("-t", "1s", "--thresholds", "endless.toml"),
    "load --throttle": ("-t", "1s", "--throttle", "endless.toml"),
    "report": ("endless.jsonl", "--junit", "r.xml"),
    "reconcile check --key": ("key.jsonl", "--result", "endless.json"),
}


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_without_an_end_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "key.jsonl").write_text(f"{KEY}\n")
    for kind in ("toml", "json", "jsonl"):
        (tmp_path / f"endless.{kind}").symlink_to("/dev/zero")
    words = [word for word in name.split() if word not in COMMANDS[name]]

    done = subprocess.run(
        [sys.executable, "-m", "simulator", *words, *COMMANDS[name]],
        cwd=tmp_path, env={"PYTHONPATH": str(Path(__file__).parents[3])}, capture_output=True,
        text=True, timeout=100, preexec_fn=_bounded,
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
    assert "a file of more than" in done.stderr and "Traceback" not in done.stderr
