"""A start that is forked from a warm process is as one of Python anew."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.client.processes import gateway_command, python, running_gateway, without_settings
from simulator.tests.kit.running import clean_environment
from simulator.tests.warm.client import START_CHILD, WarmStarts
from simulator.tests.warm.rule import start_of

COMMAND = (sys.executable, "-m", "simulator")


@pytest.fixture(scope="module")
def starts() -> Iterator[WarmStarts]:
    """The starts of this module, in place of those of the run."""
    looking = subprocess.Popen._execute_child
    made = WarmStarts()
    yield made
    made.close()
    subprocess.Popen._execute_child = looking


@pytest.fixture(params=[True, False], ids=["warm", "anew"])
def is_warm(request: pytest.FixtureRequest, starts: WarmStarts) -> Iterator[bool]:
    """Whether processes are forked; the same holds for both."""
    starts.install()
    starts.is_on = request.param
    yield request.param


def said(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    settings = {"env": clean_environment(), "capture_output": True, "text": True, **more}
    return subprocess.run([*COMMAND, *words], **settings)


def test_a_command_answers_and_ends_with_its_status(is_warm: bool, tmp_path: Path) -> None:
    done = said("version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout
    wrong = said("clock", "--no-such-option")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "--no-such-option" in wrong.stderr


def test_it_reads_its_standard_input(is_warm: bool) -> None:
    assert said("member", "id", input='{"id": "8a82"}').stdout == "8a82\n"


def test_it_has_the_settings_it_was_given(is_warm: bool, tmp_path: Path) -> None:
    environment = clean_environment() | {"SANDGATE_DURABILITY": "os", "COLUMNS": "300"}
    shown = json.loads(said("config", "--format", "json", env=environment).stdout)
    (row,) = (each for each in shown["settings"] if each["name"] == "durability")
    assert row == {"name": "durability", "value": "os", "origin": "variable SANDGATE_DURABILITY"}
    assert "variable SANDGATE_DURABILITY" not in said("config").stdout


@pytest.mark.parametrize("has_own_session", [True, False])
def test_a_gateway_is_a_child_of_this_process(
    is_warm: bool, tmp_path: Path, has_own_session: bool
) -> None:
    command = gateway_command("--port", "0", "--data", "data")
    process = subprocess.Popen(
        command, cwd=tmp_path, env=without_settings(), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, umask=0o077, start_new_session=has_own_session,
    )  # fmt: skip
    with process:
        try:
            assert process.stdout.readline()
            own = Path(f"/proc/{process.pid}")
            (parent,) = (
                line
                for line in (own / "status").read_text().splitlines()
                if line.startswith("PPid")
            )
            assert int(parent.split()[1]) == os.getpid()
            assert os.getsid(process.pid) == (process.pid if has_own_session else os.getsid(0))
            assert os.getpgid(process.pid) == (process.pid if has_own_session else os.getpgid(0))
            assert (own / "cwd").readlink() == tmp_path
            assert (tmp_path / "data").stat().st_mode & 0o077 == 0
            assert not {*open_files(own)} & {*open_files(Path("/proc/self"))} - {"/dev/null"}
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        finally:
            process.kill()


def open_files(process: Path) -> Iterator[str]:
    """The files that a process has open beside its standard streams."""
    for each in (process / "fd").iterdir():
        if int(each.name) > 2 and os.path.lexists(each):
            name = str(each.readlink())
            # An event or a timer has no name of its own.
            if not name.startswith("anon_inode:"):
                yield name


def test_a_killed_one_is_seen_and_one_without_input_stops(is_warm: bool, tmp_path: Path) -> None:
    options = ("--port", "0", "--data", str(tmp_path / "data"))
    with running_gateway(*options, stderr=subprocess.DEVNULL) as server:
        server.kill()
        assert server.process.returncode == -signal.SIGKILL
    with running_gateway(*options, stderr=subprocess.DEVNULL) as server:
        server.process.stdin.close()
        assert server.process.wait(20) == 0


def test_two_gateways_share_nothing_that_is_drawn(starts: WarmStarts, tmp_path: Path) -> None:
    starts.install()
    starts.is_on = True
    facts = []
    for name in ("one", "two"):
        options = ("--port", "0", "--data", str(tmp_path / name))
        with running_gateway(*options, stderr=subprocess.DEVNULL) as server:
            facts.append(server.facts)
    drawn = ("token", "entity_id", "control_key", "sandbox_id")
    assert all(facts[0][name] != facts[1][name] for name in drawn)


def given(*command: str, **more: Any) -> dict[str, Any]:
    """How `subprocess` is asked for a start."""
    plain = {
        "args": list(command), "env": None, "cwd": None, "umask": -1, "start_new_session": False,
        "executable": None, "preexec_fn": None, "close_fds": True, "pass_fds": (), "shell": False,
        "restore_signals": True, "gid": None, "gids": None, "uid": None, "process_group": -1,
    }  # fmt: skip
    return {**plain, **more}


@pytest.mark.parametrize(
    "asked",
    [
        given("/bin/true"),
        given(sys.executable, "-c", "print()"),
        given(sys.executable, "-m", "pytest"),
        given(sys.executable, "-I", "-m", "simulator"),
        given(*python("import os; from simulator.__main__ import main; main()")),
        given(*COMMAND, preexec_fn=os.getpid),
        given(*COMMAND, pass_fds=(7,)),
        given(*COMMAND, cwd="/no/such/folder"),
        given(*COMMAND, "a\0b"),
        given(*COMMAND, env={**os.environ, "PYTHONOPTIMIZE": "2"}),
        given(*COMMAND, env={**os.environ, "COVERAGE_PROCESS_CONFIG": ""}),
        given(*COMMAND, env={}),
    ],
    ids=[
        "a program",
        "text",
        "module",
        "isolated",
        "more",
        "function",
        "descriptors",
        "no folder",
        "a zero",
        "optimized",
        "measured",
        "nothing",
    ],
)
def test_other_starts_are_left_to_the_system(asked: dict[str, Any]) -> None:
    assert start_of(asked, dict(os.environ)) is None


def test_starts_of_the_command_line_are_known() -> None:
    program = python("import sys; sys.argv[1:] = ['shop']; from simulator.__main__ import main; "
                     "main()")  # fmt: skip
    for command in ([*COMMAND, "clock"], gateway_command(), program):
        assert start_of(given(*command), dict(os.environ)) is not None
    assert START_CHILD is not None
