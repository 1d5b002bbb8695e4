"""The stream of a run while it is made: in a file for the reports, and in one of the user's."""

from collections.abc import Callable
from contextlib import ExitStack
from io import RawIOBase
from pathlib import Path
from typing import Self

from reports.events import Event, line_of


class StreamWriteError(RuntimeError):
    """The file for the reports cannot be written; the message says why."""


class StreamFiles:
    """Two files of one stream: one for the reports, and one for the user where requested.

    Both are made by the first event. Reports are made from the first, since the other may be a
    pipe. Where the user's file cannot be written, it is left as it is, `fault` says why, and the
    run goes on; `holds_anything` says whether there was an event. `hide` takes secrets out of its
    line. Choice: D-249.
    """

    def __init__(self, own: Path, beside: Path | None, hide: Callable[[str], str] = str):
        self.own = own
        self._hide = hide
        self.fault = ""
        self._beside = beside
        self.holds_anything = False
        self._held = ExitStack()
        self._files: list[RawIOBase] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def put(self, event: Event) -> None:
        """Write one event into both. Raises StreamWriteError."""
        line = self._hide(line_of(event).decode()).encode()
        try:
            if not self._files:
                self._begin()
            own, *beside = self._files
            _write(own, line)
        except OSError as error:
            raise StreamWriteError(f"its verdicts cannot be kept: {error.strerror}") from None
        self.holds_anything = True
        for file in beside if not self.fault else ():
            try:
                _write(file, line)
            except OSError as error:
                self.fault = _fault_of(error)

    def _begin(self) -> None:
        self._files.append(self._held.enter_context(self.own.open("wb", buffering=0)))
        if self._beside is None:
            return
        try:
            self._files.append(self._held.enter_context(self._beside.open("wb", buffering=0)))
        except OSError as error:
            self.fault = _fault_of(error)


def _write(file: RawIOBase, line: bytes) -> None:
    """Write all of it at once, so that a reader never waits for the next event."""
    left = memoryview(line)
    while left:
        left = left[file.write(left) :]


def _fault_of(error: OSError) -> str:
    return f"expected a file that takes the stream, got: {error.strerror}"
