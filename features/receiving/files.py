"""Files that reports are to be written to: each can be, and none is written over another."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from features.receiving.choosing import Usage


def demand_writable(files: Mapping[str, Path | None]) -> None:
    """Raises Usage where a report (by option) cannot be written: said before the work, not after.
    """
    for option, file in files.items():
        try:
            if file is not None:
                _try(file)
        except OSError as error:
            raise Usage(option, f"expected a file to write, got: {error.strerror}") from None


def demand_apart(files: Iterable[tuple[str, Path | None]]) -> None:
    """Raises Usage where two options mean one file, by whatever path. Choice: D-248."""
    named: dict[str, str] = {}
    for option, file in files:
        if file is None:
            continue
        place = os.path.realpath(file)
        if place in named:
            raise Usage(option, f"expected another file than {named[place]} has, got {file}")
        named[place] = option


def _try(file: Path) -> None:
    """Open a file for writing, and remove what had to be made for that. Raises OSError."""
    was_there = file.exists()
    made = [folder for folder in file.parents if not folder.exists()]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("ab").close()
        if not was_there:
            Path(os.path.realpath(file)).unlink()
    finally:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
