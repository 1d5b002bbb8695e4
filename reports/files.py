"""Files that a command is to read: none without an end. Files that it is to write: each can be
written, and none over another.
"""

import os
from collections.abc import Collection
from pathlib import Path

# The files that options name, None where one was not given.
Named = Collection[tuple[str, Path | None]]


class FileOptionError(ValueError):
    """An option that names a file it cannot have: its name, what was expected and what came."""

    def __init__(self, option: str, message: str):
        super().__init__(message)
        self.option = option


def demand_writable_files(written: Named, *, others: Named) -> None:
    """Raises FileOptionError where a file cannot be written, said before the work and not after, or
    would be written over another one or over one of `others`, be it by another path. A folder is
    never made: one that is not there is rather misspelled. Choices: D-248, D-316.
    """
    _demand_writable(written)
    _demand_apart(written, others=others)


def sources_in(folder: Path | None) -> Named:
    """The files of a folder of features that are read: what is said, and the steps for it."""
    if folder is None:
        return []
    kinds = ("*.feature", "*.py")
    return [("--features", file) for kind in kinds for file in folder.rglob(kind)]


def _demand_writable(files: Named) -> None:
    for option, file in files:
        if file is None:
            continue
        if not file.parent.exists():
            message = f"expected a file to write, got: no such folder: {file.parent}"
            raise FileOptionError(option, message)
        try:
            _try(file)
        except OSError as error:
            raise FileOptionError(
                option, f"expected a file to write, got: {error.strerror}"
            ) from None


def _demand_apart(files: Named, *, others: Named) -> None:
    taken = {_place_of(file): option for option, file in others if file is not None}
    for option, file in files:
        if file is None:
            continue
        place = _place_of(file)
        if place in taken:
            raise FileOptionError(
                option, f"expected another file than {taken[place]} has, got {file}"
            )
        taken[place] = option


def _try(file: Path) -> None:
    """Open a file for writing, and remove it if it was not there. Raises OSError.

    A pipe is not tried: its reader would take the attempt for the end of the file.
    """
    if file.is_fifo() or file.is_char_device():
        return
    was_there = file.exists()
    file.open("ab").close()
    if not was_there:
        Path(os.path.realpath(file)).unlink()


def _place_of(path: Path) -> object:
    """What is the same for two paths that lead to one file, whether it exists or not."""
    try:
        file = path.stat()
    except OSError:
        return os.path.realpath(path)
    return file.st_dev, file.st_ino
