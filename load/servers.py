"""Server processes for bench and proof: started on free ports, held to one core, ended for sure."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SERVER_CORE, OUR_CORE = 0, 1
KILOBYTE = 1024
# Where the time in user and in system mode stands in a process's line, counted after its name.
UTIME, UTIME_AND_STIME = 11, 13


class NotStarted(RuntimeError):
    """A server ended before it said that it is ready; what it wrote is on standard error."""


class Server:
    """A server that is ready, and the JSON line it printed about itself."""

    def __init__(self, process: subprocess.Popen[bytes], facts: Mapping[str, Any]):
        self.process = process
        self.facts = facts

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return str(self.facts["base_url"])

    def memory_bytes(self) -> int:
        """What it holds of the machine's memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) * KILOBYTE

    def open_files(self) -> int:
        """How many files, sockets and pipes it has open now."""
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def cpu_s(self) -> float:
        """How long processors have worked for it so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[UTIME:UTIME_AND_STIME])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it with no chance to do anything first, and return when it is gone."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@contextmanager
def gateway(data: Path, *options: str, pinned: bool = False) -> Iterator[Server]:
    """A gateway over the folder `data`. Raises NotStarted."""
    command = [sys.executable, "-m", "simulator", "serve", "--port", "0", "--data", str(data)]
    with running([*command, "--ready-json", *options], pinned=pinned) as server:
        yield server


@contextmanager
def running(command: list[str], *, pinned: bool = False) -> Iterator[Server]:
    """The server that `command` starts, killed at the end if it still runs. Raises NotStarted."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=_clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        preexec_fn=_pin_server if pinned else None,
    )
    with process:
        try:
            yield Server(process, _ready_line(process))
        finally:
            process.kill()


def pin_ourselves() -> None:
    """Hold this process to a core that no pinned server uses, where the machine has two."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {OUR_CORE})


def _pin_server() -> None:
    os.sched_setaffinity(0, {SERVER_CORE})


def _ready_line(process: subprocess.Popen[bytes]) -> Mapping[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise NotStarted(f"{process.args!r}: ended with status {process.wait()}")
    return dict(json.loads(line))


def _clean_environment() -> dict[str, str]:
    """This process's environment without any setting of the gateway."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("SANDGATE_")}
    path = filter(None, (str(ROOT), kept.get("PYTHONPATH")))
    return {**kept, "PYTHONPATH": os.pathsep.join(path)}
