"""The export line: what a second terminal needs, in which nothing is activated."""

import os
import subprocess
import sys
from pathlib import Path

from simulator.tests.kit.running import clean_environment
from simulator.variables import VARIABLES

PROGRAM = (
    "import sys; from simulator.variables import export_line, path_with_program\n"
    'facts = {fact: "it\'s" for fact in sys.argv[1:]}\n'
    "print(export_line(facts)); print(path_with_program())\n"
)
BIN = Path(sys.executable).parent
FACTS = [fact for _, fact in VARIABLES]


def printed(path: str) -> list[str]:
    """The export line and the PATH of a command, as a process with this PATH prints them."""
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *FACTS], env={**clean_environment(), "PATH": path},
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip


def test_every_variable_and_the_program_are_in_the_line() -> None:
    line, path = printed("/usr/bin:/bin")

    shown = subprocess.run(
        ["sh", "-c", f"{line}\nenv; command -v sandgate"], env={"PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    assert {f"{variable}=it's" for variable, _ in VARIABLES} <= set(shown)
    assert f"PATH={BIN}:/usr/bin:/bin" in shown
    assert shown[-1] == f"{BIN}/sandgate"
    assert path == f"/usr/bin:/bin{os.pathsep}{BIN}"


def test_an_activated_environment_is_named_for_the_next_terminal(tmp_path: Path) -> None:
    line, path = printed(f"{BIN}:/usr/bin:/bin")

    assert line.startswith(f'export PATH={BIN}:"$PATH" ')
    assert path == f"{BIN}:/usr/bin:/bin"


def test_a_program_that_is_linked_into_path_needs_no_more(tmp_path: Path) -> None:
    """As pipx installs it: the Python of its environment is none of the user's."""
    (tmp_path / "sandgate").symlink_to(BIN / "sandgate")

    line, path = printed(f"{tmp_path}:/usr/bin:/bin")

    assert "PATH" not in line
    assert path == f"{tmp_path}:/usr/bin:/bin"
