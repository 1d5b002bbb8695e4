"""The commands that docs/how-to/settlement.md fetches files by, run as they are written there."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from simulator.client import Control
from simulator.tests.adapters.sftp.clients import TIMEOUT_S
from simulator.tests.adapters.sftp.conftest import CONTENT, MONTH, Served, deliver, new_key
from simulator.tests.kit.trees import ROOT

PAGE = (ROOT / "docs" / "how-to" / "settlement.md").read_text(encoding="utf-8")
FETCH = PAGE.partition("\n## Fetch\n")[2].partition("\n## ")[0]
BLOCK = re.search(r"^```sh\n(.*?)^```", FETCH, re.MULTILINE | re.DOTALL)[1]  # type: ignore[index]
COMMANDS = BLOCK.splitlines()
PASSWORD = re.search(r'"password": "(twelve[^"]*)"', PAGE)[1]  # type: ignore[index]
PROGRAMS = ("sftp", "scp", "ssh")


def program_of(command: str) -> str:
    """The program that a command calls, behind the variables that it sets."""
    return re.sub(r'^(\w+=("[^"]*"|\S+) )*', "", command).split()[0]


def by_key(command: str) -> bool:
    """Whether a command gives lftp an empty password: ssh then logs in by a key that it finds."""
    return '-u "$MERCHANT,"' in command


@pytest.fixture
def merchant(served: Served, tmp_path: Path) -> Iterator[str]:
    """A merchant with the password of the page, with the key in `id`, and with one file."""
    with closing(Control(served.facts["control_url"], served.facts["control_key"])) as control:
        made = control.create_sandbox()
        merchant = str(made["entities"]["merchants"][0]["id"])
        key = new_key(tmp_path / "id")
        control.set_sftp_access(made["id"], merchant, password=PASSWORD, keys=[key])
        deliver(served.folder / "data" / made["id"] / "outgoing" / merchant, "day.csv")
        yield merchant
        control.delete(made["id"])


def programs_in(folder: Path, *, has_key: bool) -> Path:
    """OpenSSH's programs, which know the host, find the key where there is one, and are answered
    the password where they ask for it.
    """
    key = folder / ("id" if has_key else "missing")
    (folder / "config").write_text(
        "StrictHostKeyChecking no\nIdentitiesOnly yes\n"
        f"UserKnownHostsFile {folder / 'known'}\nIdentityFile {key}\n"
    )
    programs = folder / "programs"
    programs.mkdir()
    for name in filter(shutil.which, PROGRAMS):
        script(programs / name, f'exec {shutil.which(name)} -F {folder / "config"} "$@"')
    script(programs / "ask", f"echo '{PASSWORD}'")
    return programs


def run_as_written(command: str, served: Served, merchant: str, folder: Path) -> str:
    """What a command prints. Raises AssertionError with what it said where it fails."""
    programs = programs_in(folder, has_key=by_key(command))
    given = {
        "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "MERCHANT": merchant,
        "SANDGATE_SFTP": served.facts["sftp"], "SSH_ASKPASS": str(programs / "ask"),
        "SSH_ASKPASS_REQUIRE": "force",
    }  # fmt: skip
    (folder / "got").mkdir()
    done = subprocess.run(
        ["sh", "-ec", command],
        cwd=folder / "got", env=given, input="get -r /reconciliation/* .\n", capture_output=True,
        text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(path: Path, line: str) -> None:
    """A program of one line."""
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_each_command_fetches_the_files_as_it_is_written(
    served: Served, merchant: str, tmp_path: Path, command: str
) -> None:
    for program in {program_of(command), "ssh"}:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")

    printed = run_as_written(command, served, merchant, tmp_path)

    found = [each for each in (tmp_path / "got").rglob("*") if each.is_file()]
    assert [(each.name, each.read_bytes()) for each in found] == [("day.csv", CONTENT)], printed
    assert all(each.parent.name == MONTH.rpartition("/")[2] for each in found)


def test_the_page_has_commands_for_a_password_and_for_a_key() -> None:
    by_lftp = [by_key(each) for each in COMMANDS if program_of(each) == "lftp"]

    assert sorted(by_lftp) == [False, True]
    assert {program_of(each) for each in COMMANDS} == {"sftp", "scp", "lftp"}
