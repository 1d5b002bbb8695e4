"""The other end: `subprocess` asks a warm process where that may stand in for a new one."""

import ctypes
import inspect
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from simulator.client.processes import without_settings
from simulator.tests.kit.trees import ROOT
from simulator.tests.warm.request import Start, send
from simulator.tests.warm.rule import arguments_of, start_of
from simulator.tests.warm.server import PROCESS_ID_LENGTH_MAX

# Of prctl(2): whether orphans below this process become its children.
TAKE_ORPHANS = 36
START_CHILD = subprocess.Popen._execute_child


class WarmProcess:
    """A process that has imported the command line; it ends with its connection."""

    def __init__(self, environment: Mapping[str, str], *options: str):
        self._connection, theirs = socket.socketpair()
        command = [sys.executable, "-P", "-m", "simulator.tests.warm.server", str(theirs.fileno())]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [*command, *options], cwd=ROOT, env=environment, pass_fds=[theirs.fileno()],
            stdin=pipe, stdout=pipe, stderr=pipe,
        )  # fmt: skip
        theirs.close()
        self._wait_for(1)

    def fork(self, start: Start, streams: list[int]) -> int:
        """The number of a new child of this process."""
        with taking_orphans():
            send(self._connection, start, streams)
            return int(self._wait_for(PROCESS_ID_LENGTH_MAX))

    def close(self) -> None:
        """End it; what it has forked goes on."""
        self._connection.close()
        self._process.communicate()

    def _wait_for(self, size: int) -> bytes:
        answer = self._connection.recv(size, socket.MSG_WAITALL)
        if not answer:
            self._connection.close()
            raise RuntimeError(f"no warm process: {self._process.communicate()[1].decode()}")
        return answer


class WarmStarts:
    """Forks what may be forked while it is installed, each kind from a process of its own."""

    def __init__(self) -> None:
        self.is_on = True
        self._environment = own_environment()
        self._warm: dict[str, WarmProcess] = {}
        self._turn = threading.Lock()

    def install(self) -> None:
        """Look at every process that is started from now on."""
        starts = self

        def execute(popen: subprocess.Popen[Any], *given: Any) -> None:
            starts._execute(popen, *given)

        subprocess.Popen._execute_child = execute

    def close(self) -> None:
        """Let `subprocess` be as it was, and end the warm processes."""
        subprocess.Popen._execute_child = START_CHILD
        for each in self._warm.values():
            each.close()
        self._warm.clear()

    def _execute(self, popen: subprocess.Popen[Any], *given: Any) -> None:
        named = inspect.signature(START_CHILD).bind(popen, *given).arguments
        ends = ("p2cread", "c2pwrite", "errwrite")
        streams = [place if named[end] == -1 else named[end] for place, end in enumerate(ends)]
        # Python begins otherwise at a terminal.
        may_fork = self.is_on and not any(map(os.isatty, streams))
        start = start_of(named, self._environment) if may_fork else None
        if start is None:
            START_CHILD(popen, *given)
            return
        with self._turn:
            popen.pid = self._for(start).fork(start, streams)
        popen._child_created = True
        pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        popen._close_pipe_fds(*(named[pipe] for pipe in pipes))

    def _for(self, start: Start) -> WarmProcess:
        kind = "serve" if list(arguments_of(start)[:1]) == ["serve"] else ""
        if kind not in self._warm:
            self._warm[kind] = WarmProcess(self._environment, *filter(None, [kind]))
        return self._warm[kind]


def own_environment() -> dict[str, str]:
    """What a warm process is started with: the environment without settings of a gateway."""
    kept = without_settings()
    kept.pop("PYTHONPATH", None)
    return kept


@contextmanager
def taking_orphans() -> Iterator[None]:
    """A process below this one that has lost its parent within the block is a child of this one."""
    prctl = ctypes.CDLL(None).prctl
    prctl(TAKE_ORPHANS, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(TAKE_ORPHANS, 0, 0, 0, 0)
