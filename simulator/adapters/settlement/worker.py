"""`python -m simulator.adapters.settlement.worker`: reads a large file of an institute, or writes
that of a merchant, in a process of its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import msgspec

from simulator.adapters.settlement.csv_files import CsvName, WrittenCsv, write_parts
from simulator.adapters.settlement.reading import DECODER, read_parts
from simulator.adapters.worker import Worker, WorkRefusedError, do_work, start_worker
from simulator.domain.settlement.blocks import unpacked
from simulator.domain.settlement.lines import SettlementFileError, SettlementLine

MODULE = "simulator.adapters.settlement.worker"

_ENCODER = msgspec.json.Encoder(decimal_format="string")


class ReadJob(msgspec.Struct, frozen=True, tag="read"):
    """Which file to read, and how."""

    path: str
    form: str
    zone: str


class WriteJob(msgspec.Struct, frozen=True, tag="write"):
    """Into which folder to write a merchant's file, and under which name."""

    folder: str
    merchant_account: str
    institute: str
    day: date


def read_lines_apart(path: Path, form: str, zone: str) -> Iterator[SettlementLine]:
    """As `read_lines`, by a worker. Raises SettlementFileError, OSError."""
    try:
        with start_worker(MODULE, _ENCODER.encode(ReadJob(str(path), form, zone))) as worker:
            for frame in worker.answers():
                yield from DECODER.decode(frame)
    except WorkRefusedError as refused:
        file, record, expected, got = msgspec.json.decode(refused.why)
        raise SettlementFileError(file, record, expected=expected, got=got) from None


class CsvWriter:
    """The worker that writes the file of a merchant account, from packed blocks."""

    def __init__(self, worker: Worker):
        self._worker = worker

    def send(self, block: bytes) -> None:
        """Write the records of a block, some time. Raises OSError."""
        self._worker.send(block)

    def written(self) -> list[WrittenCsv]:
        """Nothing follows: what was written, as by `write_parts`. Raises OSError."""
        (answer,) = self._worker.answers()
        found = msgspec.json.decode(answer, type=list[tuple[str, int, str]])
        return [WrittenCsv(Path(path), lines, digest) for path, lines, digest in found]


@contextmanager
def csv_writer(folder: Path, name: CsvName) -> Iterator[CsvWriter]:
    """A worker that writes files of this name into a folder. Raises OSError."""
    with start_worker(MODULE, _ENCODER.encode(WriteJob(str(folder), *name))) as worker:
        yield CsvWriter(worker)


def work(job: bytes, frames: Iterator[bytes]) -> Iterator[bytes]:
    """The work of this process."""
    given = msgspec.json.decode(job, type=ReadJob | WriteJob)
    if isinstance(given, WriteJob):
        return _written(given, frames)
    return _read(given, frames)


def _read(job: ReadJob, frames: Iterator[bytes]) -> Iterator[bytes]:
    for _ in frames:
        raise WorkRefusedError(b"a file is read, and nothing streams in")
    try:
        yield from read_parts(Path(job.path), job.form, job.zone)
    except SettlementFileError as error:
        why = (error.file, error.record, error.expected, error.got)
        raise WorkRefusedError(_ENCODER.encode(why)) from None


def _written(job: WriteJob, frames: Iterator[bytes]) -> Iterator[bytes]:
    records = (record for frame in frames for record in unpacked(frame))
    name = CsvName(job.merchant_account, job.institute, job.day)
    written = write_parts(records, Path(job.folder), name)
    yield _ENCODER.encode([(str(each.path), each.lines, each.sha256) for each in written])


if __name__ == "__main__":
    do_work(work)
