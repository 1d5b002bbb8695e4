"""Gateways to run the suite against: one with a mutated module, one that records what it executes.

Both are served by a program of their own. What a gateway imports is replaced in that process alone,
so no file of the repository changes, and mutants can run side by side.
"""

import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from coverage import Coverage

from features.mutants.sampled.modules import MUTATED, ROOT
from features.target.writing import format_target_file
from simulator.client.processes import authority_in, python, running_server

SERVE = "from simulator.__main__ import main; main()"
NAMES, DONE = "names", "done"


class MutatedLoader:
    """Loads a module from another source than its file; compiled ones beside it are not read."""

    def __init__(self, path: str, source: Path):
        self._path, self._source = path, source

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Execute the mutated source under the path of the module."""
        exec(compile(self._source.read_bytes(), self._path, "exec"), vars(module))


class MutatedFinder:
    """Finds one module, and leaves all others to the usual finders."""

    def __init__(self, module: str, source: Path):
        self._name = module.removesuffix(".py").replace("/", ".")
        path = str(ROOT / module)
        self._path, self._loader = path, MutatedLoader(path, source)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The mutated module, where it is the one that is imported."""
        if fullname != self._name:
            return None
        loader: Any = self._loader
        return importlib.util.spec_from_file_location(fullname, self._path, loader=loader)


def mutate_imports(module: str, source: str) -> None:
    """Let this process import a module from the mutated source at `source`."""
    finder: Any = MutatedFinder(module, Path(source))
    sys.meta_path.insert(0, finder)


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
def mutated_gateway(folder: Path, module: str, source: str) -> Iterator[Path]:
    """The target file of a gateway with a mutated module. Raises ServerStartError."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "mutated.py"
    file.write_text(source, encoding="utf-8")
    with _served(folder, f"mutate_imports({module!r}, {str(file)!r})") as target:
        yield target


@contextmanager
def recorded_gateway(folder: Path) -> Iterator[Path]:
    """The target file of a gateway that records what it executes. Raises ServerStartError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (NAMES, DONE):
        os.mkfifo(folder / name)
    with _served(folder, f"record_execution({str(folder)!r})") as target:
        yield target


@contextmanager
def _served(folder: Path, first: str) -> Iterator[Path]:
    options = ["--port", "0", "--data", str(folder / "data"), "--durability", "os"]
    command = [
        *python(f"from {__name__} import *; {first}; {SERVE}"),
        "serve",
        "--ready-json",
        *options,
        "--stop-at-eof",
    ]
    with (
        (folder / "stderr").open("wb") as stderr,
        running_server(command, stderr=stderr, kill=True) as server,
    ):
        facts = {**server.facts, "ca_file": authority_in(folder)}
        target = folder / "target.toml"
        target.write_text(format_target_file(facts), encoding="utf-8")
        yield target
