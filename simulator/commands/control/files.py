"""A file that a command writes: there whole or not at all, and for its owner alone; or prints."""

import codecs
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import typer

from simulator.client.wire import Writable
from simulator.commands.control.connection import fail
from simulator.commands.surface.shown import masked_line_for_use
from simulator.grammar.characters import escape_output

# Of a line that is printed; those of an answer key have some hundred.
LINE_LENGTH_MAX = 1024 * 1024


@contextmanager
def whole_file(path: Path) -> Iterator[Writable]:
    """Where to write what the file is to hold; after an error it holds what it held before. Ends
    the command where it cannot be written. A pipe or a device is written to as it is.
    """
    with _errors_of(path):
        is_other, kept = path.exists() and not path.is_file(), path.resolve()
    if is_other:
        with closing(_WrittenFile(path, 0, shown=path)) as file:
            yield file
        return
    draft = kept.with_name(f"{kept.name}.{os.getpid()}.part")
    try:
        with closing(_WrittenFile(draft, os.O_CREAT | os.O_EXCL, shown=path)) as file:
            yield file
        with _errors_of(path):
            draft.replace(kept)
    finally:
        with suppress(OSError):
            draft.unlink()


class PrintedFile:
    """Lines in UTF-8 that come piece by piece and are printed for programs: control characters are
    escaped, and the numbers of cards masked. A line is never longer than LINE_LENGTH_MAX.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""

    def write(self, piece: bytes, /) -> None:
        """Print a piece, but for the line that it ends in."""
        *whole, self._begun = (self._begun + self._decoder.decode(piece)).split("\n")
        for line in whole:
            self._print(line)
        if len(self._begun) > LINE_LENGTH_MAX:
            raise ValueError(f"expected lines of at most {LINE_LENGTH_MAX} characters")

    def close(self) -> None:
        """Print what is left."""
        if rest := self._begun + self._decoder.decode(b"", final=True):
            self._print(rest)

    def _print(self, line: str) -> None:
        typer.echo(escape_output(masked_line_for_use(line), is_terminal=False))


class _WrittenFile:
    """A file whose errors are not taken for those of a connection."""

    def __init__(self, path: Path, flags: int, *, shown: Path):
        self._shown = shown
        with _errors_of(self._shown):
            handle = os.open(path, os.O_WRONLY | flags, 0o600)
            self._file = os.fdopen(handle, "wb")

    def write(self, piece: bytes, /) -> None:
        """Write a piece, all of it."""
        with _errors_of(self._shown):
            self._file.write(piece)

    def close(self) -> None:
        """Write what is left."""
        with _errors_of(self._shown):
            self._file.close()


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """End the command where the file of the user cannot be used."""
    try:
        yield
    except OSError as error:
        fail(f"expected a file that can be written, got {path}: {error.strerror}")
