"""Server processes: started on free ports, optionally pinned to one core, measured, killed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from simulator.client.processes import (
    ServerProcess,
    gateway_command,
    running_server,
    without_settings,
)

ROOT = Path(__file__).parents[2]
SERVER_CORE, CLIENT_CORE = 0, 1
KILOBYTE = 1024
# The fields of /proc/PID/stat with the time in user and in system mode, counted after the name.
UTIME, UTIME_AND_STIME = 11, 13
# The same of its children that have ended stand after them.
CUTIME_AND_CSTIME = 15


@contextmanager
def start_gateway(data: Path, *options: str, pinned: bool = False) -> Iterator[ServerProcess]:
    """Start a gateway with its data in the folder `data`; `ca_file` of its facts is the authority
    of its certificate. Raises ServerStartError.
    """
    command = gateway_command("--port", "0", "--data", str(data), *options)
    with start_server(command, pinned=pinned) as server:
        facts = {**server.facts, "ca_file": str(data / "tls" / "ca.pem")}
        yield replace(server, facts=facts)


@contextmanager
def start_server(command: list[str], *, pinned: bool = False) -> Iterator[ServerProcess]:
    """Start a server by `command` and kill it at the end of the block. Raises ServerStartError."""
    core = SERVER_CORE if pinned else None
    path = filter(None, (str(ROOT), os.environ.get("PYTHONPATH")))
    environment = {**without_settings(), "PYTHONPATH": os.pathsep.join(path)}
    with running_server(command, environment=environment, core=core, kill=True) as server:
        yield server


def pin_client() -> None:
    """Pin this process to a core that no pinned server uses, if the machine has two."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {CLIENT_CORE})


def memory_bytes(server: ServerProcess) -> int:
    """Return the resident memory of a server."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) * KILOBYTE


def count_open_files(server: ServerProcess) -> int:
    """Return how many files, sockets and pipes a server has open."""
    return sum(1 for _ in Path(f"/proc/{server.process.pid}/fd").iterdir())


def children_memory(server: ServerProcess) -> list[int]:
    """Return the resident memory of each process that a server has started, or that one of these
    has, and that still runs. Costs as much as there are of them, so that one may ask often.
    """
    return list(memory_below(server.process.pid))


def memory_below(process: int) -> Iterator[int]:
    """The same of the processes that any process has started."""
    for started in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, started.read_text().split()):
                pages = Path(f"/proc/{child}/statm").read_text().split()[1]
                yield int(pages) * os.sysconf("SC_PAGE_SIZE")
                yield from memory_below(child)


def children_time_s(server: ServerProcess) -> float:
    """Return the processor time of the processes that a server started and that have ended."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[UTIME_AND_STIME:CUTIME_AND_CSTIME])) / os.sysconf("SC_CLK_TCK")


def processor_time_s(server: ServerProcess) -> float:
    """Return the processor time a server has used so far, in seconds."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[UTIME:UTIME_AND_STIME])) / os.sysconf("SC_CLK_TCK")
