"""Imports: which module imports which, and a process that imports one from another source.

What a gateway imports is replaced in one process alone, so no file of the repository changes, and
mutants can run side by side.
"""

import builtins
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from features.mutants.sampled.modules import ROOT


class ImportGraph:
    """Which modules import a module: seen while they were imported."""

    def __init__(self) -> None:
        self._importers: defaultdict[str, set[str]] = defaultdict(set)

    @contextmanager
    def seen(self) -> Iterator[None]:
        """See every import until the end of the block."""
        original = builtins.__import__

        def seeing(name: str, *more: Any, **named: Any) -> ModuleType:
            found = original(name, *more, **named)
            given = dict(zip(("globals", "locals", "fromlist"), more, strict=False)) | named
            importer = str((given.get("globals") or {}).get("__name__", ""))
            self._importers[name].add(importer)
            for each in given.get("fromlist") or ():
                self._importers[f"{name}.{each}"].add(importer)
            return found

        builtins.__import__ = seeing
        try:
            yield
        finally:
            builtins.__import__ = original

    def dependents(self, module: str) -> set[str]:
        """A module, and every module that imports it, directly or by others."""
        found, left = {module}, [module]
        while left:
            new = self._importers.get(left.pop(), set()) - found
            found |= new
            left += new
        return found


def forget_modules(names: set[str]) -> None:
    """Let the next import of these modules execute them anew."""
    for name in names & sys.modules.keys():
        package, _, last = name.rpartition(".")
        del sys.modules[name]
        # `from package import module` takes what the package still has under that name.
        if package in sys.modules and hasattr(sys.modules[package], last):
            delattr(sys.modules[package], last)


def name_of(module: str) -> str:
    """The name of a module, from its path."""
    return module.removesuffix(".py").replace("/", ".")


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
        self._name = name_of(module)
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
