"""Delivery to the merchants of a run: a large file is written while its lines are booked.

Until the run delivers it, it has a name that begins with a dot, and no client sees it. Where a run
ends before, it counts for nothing: its blocks are stored, and the file is written anew from them.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Self

from simulator.adapters.settlement.csv_files import (
    CsvName,
    WrittenCsv,
    deliver_parts,
    write_parts,
)
from simulator.adapters.settlement.worker import CsvWriter, csv_writer
from simulator.adapters.store.commit import in_thread
from simulator.domain.ports.settlement import MerchantFile
from simulator.domain.settlement.blocks import SettledBlock
from simulator.domain.settlement.records import ReconciliationRecord


class FileAhead:
    """The file of a merchant account that is being booked. A process of its own writes it once it
    has so many lines; before, its blocks wait here.
    """

    def __init__(self, file: MerchantFile, folder: Path, apart_from: int):
        self.file = file
        self.lines = 0
        self.written: list[WrittenCsv] = []
        self._folder, self._apart_from = folder, apart_from
        self._waiting: list[bytes] = []
        self._writer: CsvWriter | None = None
        self._open = ExitStack()

    def add(self, block: SettledBlock, lines: int) -> None:
        """Take a block. Raises OSError."""
        self.lines += lines
        self._waiting.append(block.packed)
        if self._writer is None and self.lines >= self._apart_from:
            writer = csv_writer(self._folder, _name_of(self.file))
            self._writer = self._open.enter_context(writer)
        if self._writer is not None:
            for packed in self._waiting:
                self._writer.send(packed)
            self._waiting.clear()

    def finish(self) -> None:
        """Nothing follows: `written` has its files, where it had lines enough. Raises OSError."""
        with self._open:
            if self._writer is not None:
                self.written = self._writer.written()

    def discard(self) -> None:
        """It is not delivered so: nothing is left of it."""
        self._open.close()
        for each in self.written:
            with suppress(OSError):
                each.part.unlink()


class MerchantDeliveries:
    """The files of one run, into folders that `folder_of` gives. Files of so many lines are
    written by processes of their own.
    """

    def __init__(
        self,
        folder_of: Callable[[MerchantFile], Path],
        pause: Callable[[], object],
        *,
        apart_from: int,
    ):
        self._folder_of, self._pause, self._apart_from = folder_of, pause, apart_from
        self._current: FileAhead | None = None
        self._ahead: dict[MerchantFile, FileAhead] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for each in (*self._ahead.values(), *filter(None, (self._current,))):
            each.discard()

    def add(self, file: MerchantFile, block: SettledBlock, lines: int) -> None:
        """A block of so many lines of the file was booked. What cannot be written now is written
        when it is delivered.
        """
        with suppress(OSError):
            if self._current is None or self._current.file != file:
                self._finish_current()
                # What comes in two parts, as after a late file, is whole in neither.
                self._current = FileAhead(file, self._folder_of(file), self._apart_from)
            self._current.add(block, lines)

    def deliver(
        self,
        file: MerchantFile,
        blocks: Callable[[], Iterable[SettledBlock]],
        *,
        lines: int,
        delivered: frozenset[str],
    ) -> tuple[str, ...]:
        """Let the merchant see the records of blocks, so many `lines`, and name the files."""
        with suppress(OSError):
            self._finish_current()
        folder, name = self._folder_of(file), _name_of(file)
        ahead = self._ahead.get(file)
        if ahead is not None and ahead.lines == lines:
            written = self._ahead.pop(file).written
        else:
            self._discard(file)
            written = self._write(folder, name, blocks(), lines)
        deliver = partial(deliver_parts, written, folder, name, delivered=delivered)
        return tuple(in_thread(deliver))

    def _write(
        self, folder: Path, name: CsvName, blocks: Iterable[SettledBlock], lines: int
    ) -> list[WrittenCsv]:
        if lines < self._apart_from:
            return write_parts(_records_in(blocks), folder, name, pause=self._pause)
        with csv_writer(folder, name) as writer:
            for block in blocks:
                writer.send(block.packed)
            return writer.written()

    def _finish_current(self) -> None:
        current, self._current = self._current, None
        if current is not None:
            current.finish()
            if current.written:
                self._ahead[current.file] = current

    def _discard(self, file: MerchantFile) -> None:
        if file in self._ahead:
            self._ahead.pop(file).discard()


def _name_of(file: MerchantFile) -> CsvName:
    return CsvName(file.merchant_account, file.institute, file.day)


def _records_in(blocks: Iterable[SettledBlock]) -> Iterator[ReconciliationRecord]:
    return (record for block in blocks for record in block.records())
