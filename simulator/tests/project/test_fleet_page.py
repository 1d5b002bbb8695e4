"""What docs/how-to/fleet.md shows to try is pasted into the terminals it names, as it stands, in a
folder as a newcomer has it: a fresh checkout, whose environment is the one of these tests.

Its commands wait for each other, so that the test of the `console` blocks cannot run them.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.tests.kit.trees import ROOT
from simulator.tests.project.test_readme import BARE_PATH, PAGES, Terminal, run_all
from simulator.tests.project.test_shells import pasted

PAGE = ROOT / "docs" / "how-to" / "fleet.md"
HEADING = "### Try it on your machine\n"
# A file in a folder, written by a shell.
WRITTEN = re.compile(r">\s*([\w.-]+)/")


@contextmanager
def terminal(folder: Path, command: str, line: str = "") -> Iterator[str]:
    """A terminal where a line, then a command is pasted that goes on until Ctrl-C; the `export`
    line that it prints.
    """
    process = subprocess.Popen(
        ["sh", "-c", f"{line}\nexec {command}"],
        cwd=folder, env={"PATH": BARE_PATH, "HOME": str(folder), "SANDGATE_PORT": "0"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            printed = iter(process.stdout.readline, "")
            yield next((each for each in printed if each.startswith("export ")), "")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def shown() -> list[str]:
    """The blocks of the page that are to be tried, in their order."""
    text = PAGE.read_text(encoding="utf-8")
    section = re.split(r"^##+ ", text.partition(HEADING)[2], flags=re.MULTILINE)[0]
    return list(pasted(section))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder without anything that was made in it but the environment."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def test_the_fleet_to_try_starts_takes_a_load_and_is_examined(checkout):
    database, fleet, load = shown()
    load = load.replace("-t 30s", "-t 2s")

    with terminal(checkout, database) as stored, terminal(checkout, fleet, stored) as line:
        assert line, "the fleet has started"
        environment = {"PATH": f"{BARE_PATH}{os.pathsep}{checkout}", "HOME": str(checkout)}
        ran = run_all(load.splitlines(), Terminal(stored + line, environment, checkout))

    assert [status for status, _ in ran] == [0, 0, 0], ran


def test_a_page_writes_into_no_folder_that_a_fresh_checkout_lacks():
    assert [
        f"{page.relative_to(ROOT)}: {folder}"
        for page in PAGES
        for commands in ["\n".join(pasted(page.read_text(encoding="utf-8")))]
        for folder in WRITTEN.findall(commands)
        if f"mkdir {folder}" not in commands and f"mkdir -p {folder}" not in commands
    ] == []
