"""The stream of a run, kept while it is made: for our own reports, and where the user asked."""

from contextlib import ExitStack
from io import RawIOBase
from pathlib import Path
from typing import Self

from reports.events import Event, line_of


class Kept:
    """Two files of one stream: one of our own, and one beside it where that is wanted.

    Reports are made from the first, since the other may be what cannot be read back. Where that
    one takes no more, it is left as it is, `fault` says why, and the run goes on.
    """

    def __init__(self, own: Path, beside: Path | None):
        """Open both. Raises OSError."""
        self.fault = ""
        self._held = ExitStack()
        self._own = self._open(own)
        self._beside = None
        if beside is not None:
            beside.parent.mkdir(parents=True, exist_ok=True)
            self._beside = self._open(beside)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def put(self, event: Event) -> None:
        """Write one event into both. Raises OSError where our own file takes no more."""
        line = line_of(event)
        _write(self._own, line)
        if self._beside is None or self.fault:
            return
        try:
            _write(self._beside, line)
        except OSError as error:
            self.fault = f"expected a file that takes the stream, got: {error.strerror}"

    def _open(self, path: Path) -> RawIOBase:
        return self._held.enter_context(path.open("wb", buffering=0))


def _write(file: RawIOBase, line: bytes) -> None:
    """Write all of it at once, so that whoever reads along never waits for the next event."""
    left = memoryview(line)
    while left:
        left = left[file.write(left) :]
