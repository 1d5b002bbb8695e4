"""Server processes for bench and proof: started on free ports, held to one core, ended for sure."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simulator.client.processes import gateway_command, running_server, without_settings

ROOT = Path(__file__).parents[1]
SERVER_CORE, OUR_CORE = 0, 1
KILOBYTE = 1024
# Where the time in user and in system mode stands in a process's line, counted after its name.
UTIME, UTIME_AND_STIME = 11, 13


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
        """End it without a chance to clean up, and return when it has ended."""
        self.process.kill()
        self.process.wait()


@contextmanager
def gateway(data: Path, *options: str, pinned: bool = False) -> Iterator[Server]:
    """A gateway over the folder `data`, killed at the end. Raises ServerStartError."""
    command = gateway_command("--port", "0", "--data", str(data), *options)
    with running(command, pinned=pinned) as server:
        yield server


@contextmanager
def running(command: list[str], *, pinned: bool = False) -> Iterator[Server]:
    """The server that `command` starts, killed at the end. Raises ServerStartError."""
    core = SERVER_CORE if pinned else None
    path = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    environment = {**without_settings(), "PYTHONPATH": os.pathsep.join(path)}
    with running_server(command, environment=environment, core=core, kill=True) as server:
        yield Server(server.process, server.facts)


def pin_ourselves() -> None:
    """Hold this process to a core that no pinned server uses, where the machine has two."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {OUR_CORE})
