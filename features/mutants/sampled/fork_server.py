"""A process that has imported the gateway and forks one for each mutant.

A start is mostly imports, and a mutant differs from the original in one module. So a fork imports
anew only that module and those that import it, directly or by others.

    python -m features.mutants.sampled.fork_server SOCKET
"""

import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from features.mutants.sampled.imports import ImportGraph, forget_modules, mutate_imports, name_of
from features.mutants.served import SERVED, freeze, import_all
from simulator.client.processes import ServerStartError, python, running_server

START = f"from {__name__} import main; main()"
# What a gateway imports when it first needs it.
NEEDED_LATER = ("faker", "holidays", "iso4217", "joserfc.jws", "jsonschema", "pycountry",
                "schwifty", "structlog", "trustme")  # fmt: skip
STDERR = "fork-server.stderr"
READ_S_MAX = 30.0
LONGEST = 1 << 20


class ForkRequest(msgspec.Struct, frozen=True):
    """A gateway to fork: its mutated module, the source of it, its options, its standard error."""

    module: str
    source: str
    options: tuple[str, ...]
    stderr: str


@contextmanager
def running_fork_server(folder: Path) -> Iterator[Path]:
    """The address of a fork server that runs until the end of the block.

    Raises ServerStartError.
    """
    program = f"from gevent import monkey; monkey.patch_all(); {START}"
    # The path of a socket may have 107 bytes, and that of `folder` may be longer.
    with TemporaryDirectory(prefix="sandgate-") as short, (folder / STDERR).open("wb") as stderr:
        address = Path(short) / "socket"
        with running_server([*python(program), str(address)], stderr=stderr, kill=True):
            yield address


@contextmanager
def forked_gateway(address: Path, request: ForkRequest) -> Iterator[dict[str, Any]]:
    """The facts of a gateway that is forked, until the end of the block. Raises ServerStartError.

    It is then ended without a chance to clean up.
    """
    with socket(AF_UNIX) as connection:
        connection.settimeout(READ_S_MAX)
        connection.connect(str(address))
        connection.sendall(msgspec.json.encode(request) + b"\n")
        lines = connection.makefile("rb")
        pid = int(lines.readline())
        try:
            yield _ready(lines.readline())
        finally:
            # It may have ended by itself, as a mutant that cannot start does.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _ready(line: bytes) -> dict[str, Any]:
    if not line:
        raise ServerStartError("the mutated gateway ended before it was ready")
    return dict(json.loads(line))


def main() -> None:
    """Import the gateway, and fork one for each connection until the standard input ends."""
    from gevent.monkey import get_original

    listener = get_original("socket", "socket")(AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    graph = ImportGraph()
    with graph.seen():
        import_all((*SERVED, *NEEDED_LATER))
    freeze()
    # Forks are not waited for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print(json.dumps({"address": sys.argv[1]}), flush=True)
    select, fork = get_original("select", "select"), get_original("os", "fork")
    while sys.stdin.fileno() not in select([listener, sys.stdin.fileno()], [], [])[0]:
        connection, _ = listener.accept()
        if not fork():
            listener.close()
            _become_gateway(graph, connection)
        connection.close()


def _become_gateway(graph: ImportGraph, connection: Any) -> None:
    """Serve in this process, and end it. The connection is its standard input and output."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    request = msgspec.json.decode(connection.recv(LONGEST), type=ForkRequest)
    stderr = os.open(request.stderr, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for descriptor, place in ((connection.fileno(), 0), (connection.fileno(), 1), (stderr, 2)):
        os.dup2(descriptor, place)
    print(os.getpid(), flush=True)
    mutate_imports(request.module, request.source)
    forget_modules(graph.dependents(name_of(request.module)))
    sys.argv[1:] = ["serve", *request.options]
    try:
        importlib.import_module("simulator.cli").run()
    finally:
        traceback.print_exc()
        # What this process would do at its end, it would do for the fork server.
        os._exit(1)
