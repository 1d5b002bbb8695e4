"""Files in the drop folder: whole at once, or with the trouble that was ordered.

A name that begins with a dot is not fetched. A delivered file is never changed.
"""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from simulator.adapters.durable_files import durable_file
from simulator.domain.ports.clearing import FileTrouble

# Of a file that is cut off this much is left.
LEFT_OF_TEN = 6


def part_of(folder: Path, name: str) -> AbstractContextManager[BinaryIO]:
    """A file to write, durable when it is closed; `deliver` gives it its name."""
    return durable_file(folder / f".{name}.part")


def deliver(folder: Path, names: tuple[str, ...], trouble: FileTrouble | None) -> tuple[str, ...]:
    """Give written parts their names, the last one last. What comes back are files that wait for
    the next run.
    """
    if trouble in ("empty", "cut"):
        _cut(folder / f".{names[-1]}.part", trouble)
    hidden = "." if trouble == "late" else ""
    for name in names:
        (folder / f".{name}.part").rename(folder / f"{hidden}{name}")
    _sync(folder)
    return tuple(f".{name}" for name in names) if hidden else ()


def deliver_again(folder: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """Deliver the files once more, under names that end with -again, and name them."""
    for name in names:
        with part_of(folder, again(name)) as file:
            file.write((folder / name).read_bytes())
    deliver(folder, tuple(map(again, names)), None)
    return tuple(map(again, names))


def again(name: str) -> str:
    """The name of a file that is delivered once more."""
    stem, dot, ending = name.partition(".")
    return f"{stem}-again{dot}{ending}"


def release_late(folder: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """Deliver files that waited, and name them; those that are there already stay."""
    for name in names:
        waiting = folder / name
        if waiting.exists():
            waiting.rename(folder / name.removeprefix("."))
    _sync(folder)
    return tuple(name.removeprefix(".") for name in names)


def _cut(path: Path, trouble: FileTrouble) -> None:
    size = path.stat().st_size * LEFT_OF_TEN // 10 if trouble == "cut" else 0
    os.truncate(path, size)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
