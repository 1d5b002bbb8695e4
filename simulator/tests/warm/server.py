"""A process that has imported the command line, and forks itself for each start it is asked for.

A start of Python that imports the command line takes longer than most of what tests ask of it.

    python -P -m simulator.tests.warm.server DESCRIPTOR [serve]
"""

import importlib
import os
import runpy
import socket
import sys
import time
from collections.abc import Sequence

# Before anything is patched: a fork must not begin an event loop here.
from os import fork, waitpid
from types import ModuleType

from features.mutants.served import SERVED, freeze, import_all
from simulator.tests.warm.request import Start, receive

# Many gateways need these once they serve.
NEEDED_LATER = ("jinja2", "joserfc.jws", "jsonschema", "paramiko", "trustme")
PROCESS_ID_LENGTH_MAX = 20


def main() -> None:
    """Import, then fork until nothing more is asked for. In a fork: be what was asked for."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    prepare(is_serving=sys.argv[2:] == ["serve"])
    start = started_here(connection, tuple(sys.path))
    if start is not None:
        run(start)


def prepare(*, is_serving: bool) -> None:
    """Import what such a start imports, as it would."""
    if is_serving:
        entry = importlib.import_module("simulator.__main__")
        entry._make_ready_to_serve()
        # A start with `-m` executes this module anew, and says so if it is already there.
        del sys.modules["simulator.__main__"]
    import_all((*SERVED, *NEEDED_LATER) if is_serving else modules_of_commands())
    if is_serving:
        # A library makes an event loop when it is imported; a fork makes one of its own instead.
        importlib.import_module("gevent").get_hub().destroy(destroy_loop=True)
    freeze()


def modules_of_commands() -> list[str]:
    """The modules of all commands."""
    sections = importlib.import_module("simulator.cli").SECTIONS
    rows = [row for section in sections.values() for row in section]
    return [row.module for each in rows for row in (each, *each.members)]


def started_here(connection: socket.socket, own_path: Sequence[str]) -> Start | None:
    """In a fork what it is to run, and None when the last start has been asked for."""
    connection.sendall(b"\n")
    while (asked := receive(connection)) is not None:
        start, streams = asked
        process = forked_away()
        if process == 0:
            # The descriptor is closed with the others, and its number may be taken again.
            connection.detach()
            become(start, streams, own_path)
            return start
        for stream in streams:
            os.close(stream)
        connection.sendall(str(process).encode().ljust(PROCESS_ID_LENGTH_MAX))
    return None


def forked_away() -> int:
    """The number of a fork that is no child of this process any more, and 0 in the fork.

    Its parent is who asked for it, who takes such orphans for the moment.
    """
    reading, writing = os.pipe()
    child = fork()
    if child == 0:
        grandchild = fork()
        if grandchild == 0:
            return 0
        os.write(writing, str(grandchild).encode())
        os._exit(0)
    waitpid(child, 0)
    number = int(os.read(reading, PROCESS_ID_LENGTH_MAX))
    os.close(reading)
    os.close(writing)
    return number


def become(start: Start, streams: Sequence[int], own_path: Sequence[str]) -> None:
    """Take over all that a process inherits from who starts it."""
    if start.has_own_session:
        os.setsid()
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.closerange(len(streams), os.sysconf("SC_OPEN_MAX"))
    os.chdir(start.folder)
    os.umask(start.umask)
    os.environ.clear()
    os.environ.update(start.environment)
    time.tzset()
    sys.dont_write_bytecode = bool(start.environment.get("PYTHONDONTWRITEBYTECODE"))
    sys.path[:] = [*start.path, *own_path]
    sys.argv[:] = ["-c" if start.program else "-m", *start.arguments]


def run(start: Start) -> None:
    """Execute what was asked for, as the main program."""
    if start.program:
        program = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(start.program, "<string>", "exec"), program.__dict__)
    else:
        runpy.run_module("simulator", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
