"""Which starts of a process may be forked from a warm one: those that import the command line only.

All others are left to the operating system, also those that change something that a process may
read before its first line.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.client.processes import python
from simulator.tests.warm.request import Start

# What a start may have otherwise than the warm process: it is read when a command runs.
READ_LATER = frozenset({
    "COLUMNS", "HOME", "LINES", "OLDPWD", "PATH", "PWD", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST",
    "PYTEST_VERSION", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "TMPDIR",
})  # fmt: skip
READ_LATER_TOO = ("SANDGATE_", "PYTEST_XDIST_")
MEASURED = "COVERAGE_"
MAIN = "from simulator.__main__ import main; main()"
# Arguments given within the program, as `sys.argv[1:] = ['shop']`.
WITH_ARGUMENTS = re.compile(r"import sys; sys\.argv\[1:\] = (\[.*?\]); ")
# How a program may be started otherwise; a fork knows nothing of it.
PLAIN = {
    "executable": None, "preexec_fn": None, "close_fds": True, "shell": False,
    "restore_signals": True, "gid": None, "gids": None, "uid": None, "process_group": -1,
}  # fmt: skip


def start_of(given: Mapping[str, Any], own: Mapping[str, str]) -> Start | None:
    """What a warm process is asked for; None if it may not stand in. `own` is its environment."""
    command = command_in(given["args"])
    is_plain = all(given[name] == value for name, value in PLAIN.items()) and not given["pass_fds"]
    if command is None or not is_plain:
        return None
    environment = dict(os.environ if given["env"] is None else given["env"])
    folder = str(Path.cwd() / (given["cwd"] or ""))
    if differs_early(environment, own) or not os.access(folder, os.X_OK):
        return None
    is_safe, program, arguments = command
    found = [] if is_safe else ["" if program else folder]
    found += filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    umask = given["umask"] if given["umask"] >= 0 else own_umask()
    return Start(program, arguments, folder, environment, found, umask, given["start_new_session"])


def command_in(args: Any) -> tuple[bool, str, Sequence[str]] | None:
    """Whether the current folder is not searched, the program after `-c`, and the arguments."""
    words = list(args) if isinstance(args, list | tuple) else []
    if not all(isinstance(word, str) and "\0" not in word for word in words):
        return None
    if words[:1] != [sys.executable]:
        return None
    is_safe = words[1:2] == ["-P"]
    rest = words[2:] if is_safe else words[1:]
    if rest[:2] == ["-m", "simulator"]:
        return is_safe, "", rest[2:]
    if rest[:1] == ["-c"] and is_main(rest[1]):
        return is_safe, rest[1], rest[2:]
    return None


def is_main(program: str) -> bool:
    """Whether a program does nothing but run the command line."""
    return WITH_ARGUMENTS.sub("", program) == python(MAIN)[-1]


def arguments_of(start: Start) -> Sequence[str]:
    """The arguments of the command line."""
    within = WITH_ARGUMENTS.search(start.program)
    return re.findall(r"'([^']*)'", within[1]) if within else start.arguments


def differs_early(environment: Mapping[str, str], own: Mapping[str, str]) -> bool:
    """Whether Python or a library may have read a variable that is another one there."""
    named = {name for name, _ in environment.items() ^ own.items()}
    early = {name for name in named - READ_LATER if not name.startswith(READ_LATER_TOO)}
    return bool(early) or any(name.startswith(MEASURED) for name in environment)


def own_umask() -> int:
    """The mask of this process; asking for it otherwise would change it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("\nUmask:")[2].split()[0], 8)
