"""Gateways to run the suite against: one with a mutated module, one that records what it executes.

The first is forked, the other one started anew: what its modules execute when they are imported is
recorded too.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from coverage import Coverage

from features.mutants.sampled.fork_server import ForkRequest, forked_gateway
from features.mutants.sampled.modules import MUTATED, ROOT
from features.target.writing import format_target_file
from simulator.client.processes import authority_in, python, running_server

SERVE = "from simulator.__main__ import main; main()"
NAMES, DONE = "names", "done"


def record_execution(folder: str) -> None:
    """Record which lines this process executes, apart for each name that comes through a pipe.

    The data file in `folder` is complete when the empty name is answered.
    """
    measured = Coverage(
        data_file=str(Path(folder) / "executed"), branch=False, config_file=False,
        source=[str(ROOT / each) for each in MUTATED], concurrency=["thread", "gevent"],
    )  # fmt: skip
    measured.start()
    threading.Thread(target=_follow_names, args=(measured, Path(folder)), daemon=True).start()


def _follow_names(measured: Coverage, folder: Path) -> None:
    with (folder / NAMES).open("rb", buffering=0) as names, (folder / DONE).open("wb", 0) as done:
        for line in names:
            name = line.decode().strip()
            if not name:
                measured.stop()
                measured.save()
            else:
                measured.switch_context(name)
            done.write(b"\n")


class ExecutionRecorder:
    """The other end of the pipe: names what the gateway executes from now on."""

    def __init__(self, folder: Path):
        self._names = (folder / NAMES).open("wb", buffering=0)
        self._done = (folder / DONE).open("rb", buffering=0)

    def switch(self, name: str) -> None:
        """Name what follows; an empty name ends the recording and writes it."""
        self._names.write(f"{name}\n".encode())
        self._done.readline()


@contextmanager
def mutated_gateway(fork_server: Path, folder: Path, module: str, source: Path) -> Iterator[Path]:
    """The target file of a gateway with a mutated module. Raises ServerStartError."""
    folder.mkdir(parents=True, exist_ok=True)
    request = ForkRequest(module, str(source), _options(folder), str(folder / "stderr"))
    with forked_gateway(fork_server, request) as facts:
        yield _write_target(folder, facts)


@contextmanager
def recorded_gateway(folder: Path) -> Iterator[Path]:
    """The target file of a gateway that records what it executes. Raises ServerStartError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (NAMES, DONE):
        os.mkfifo(folder / name)
    program = f"from {__name__} import *; record_execution({str(folder)!r}); {SERVE}"
    command = [*python(program), "serve", *_options(folder)]
    with (
        (folder / "stderr").open("wb") as stderr,
        running_server(command, stderr=stderr, kill=True) as server,
    ):
        yield _write_target(folder, server.facts)


def _options(folder: Path) -> tuple[str, ...]:
    data = str(folder / "data")
    return ("--ready-json", "--port", "0", "--data", data, "--durability", "os", "--stop-at-eof")


def _write_target(folder: Path, facts: Mapping[str, Any]) -> Path:
    target = folder / "target.toml"
    text = format_target_file({**facts, "ca_file": authority_in(folder)})
    target.write_text(text, encoding="utf-8")
    return target
