"""The source files of the project, for the tests that read them."""

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
PACKAGES = (
    "simulator",
    "acquirer_mocks",
    "pos_emulator",
    "scenarios",
    "features",
    "load",
    "reports",
    "demo_shop",
)


class Source(NamedTuple):
    """One module: its dotted name, its path below the project, its text and its syntax tree."""

    module: str
    path: str
    text: str
    tree: ast.Module

    @property
    def is_test(self) -> bool:
        name = self.path.rsplit("/", 1)[-1]
        return "/tests/" in self.path or name.startswith("test_") or name == "conftest.py"

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


@cache
def sources() -> tuple[Source, ...]:
    """Every module of every package; read once, for it takes seconds."""
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    # A million nodes that stay: the collector would look at them again and again, here and in every
    # test that follows.
    gc.disable()
    try:
        return tuple(_source(file) for file in files)
    finally:
        gc.freeze()
        gc.enable()


@cache
def nodes_of(source: Source) -> tuple[ast.AST, ...]:
    """Every node of a module; found once, for many tests look at all of them."""
    return tuple(ast.walk(source.tree))


@cache
def imports_of(source: Source) -> tuple[tuple[str, int], ...]:
    """Every module that is imported anywhere in the file, and the line; a name may be a module."""
    return tuple(_imports_in(source))


def _imports_in(source: Source) -> Iterator[tuple[str, int]]:
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(source, node)
            yield base, node.lineno
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)


def functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _source(file: Path) -> Source:
    path = file.relative_to(ROOT)
    module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    text = file.read_text(encoding="utf-8")
    return Source(module, path.as_posix(), text, ast.parse(text))


def _absolute(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    is_package = source.path.endswith("__init__.py")
    parts = source.module.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])
