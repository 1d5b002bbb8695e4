"""The files that merchants fetch: written whole, durable before they are seen, never changed.

A file is written under a name that begins with a dot, which no client sees, and is renamed once it
is on the disk. Its checksum is in a file beside it. Source: Reconciliation record; Choice: D-422.
"""

import csv
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date
from hashlib import sha256
from io import StringIO
from itertools import chain, filterfalse, islice, takewhile
from pathlib import Path
from typing import NamedTuple

from simulator.adapters.durable_files import durable_file
from simulator.adapters.settlement.reading import hash_of
from simulator.adapters.store.files import LocalDisk
from simulator.domain.settlement.records import ReconciliationRecord, cells_of, header

DELIMITER, QUOTE, END = ";", '"', "\r\n"
LINES_MAX = 1_000_000
# Lines that are made before others have their turn.
AT_ONCE = 100
NUMBER_MAX = 999


class CsvName(NamedTuple):
    """What the name of a file is made of."""

    merchant_account: str
    institute: str
    day: date

    @property
    def stem(self) -> str:
        """The name without its number: no character in it means anything to a file system."""
        institute = re.sub(r"[^a-z0-9]+", "-", self.institute.lower()).strip("-")
        account = re.sub(r"[^A-Za-z0-9]+", "-", self.merchant_account)
        return f"{account}_{institute}_{self.day.isoformat()}"


class WrittenCsv(NamedTuple):
    """A file: where it is delivered, how many lines it has without the header, and its checksum."""

    path: Path
    lines: int
    sha256: str

    @property
    def part(self) -> Path:
        """Where it is until then, under a name that no client sees."""
        return _part_of(self.path)


class TooManyFilesError(Exception):
    """A day has more files than numbers; the message names the day."""


def write_parts(
    records: Iterable[ReconciliationRecord],
    folder: Path,
    name: CsvName,
    *,
    lines_max: int = LINES_MAX,
    pause: Callable[[], object] = lambda: None,
) -> list[WrittenCsv]:
    """Write the records into new files of `folder`, of at most `lines_max` lines each; none where
    there is no record. Others have their turn in each `pause`. No client sees them yet:
    `deliver_parts` delivers them, and nothing else may deliver files of this name until then.
    Raises OSError, TooManyFilesError.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    rows, paths = iter(records), _free_paths(folder, name)
    written = []
    for first in rows:
        part = chain([first], islice(rows, lines_max - 1))
        written.append(_write_one(part, next(paths), pause))
    return written


def deliver_parts(
    written: Iterable[WrittenCsv], folder: Path, name: CsvName, *, delivered: Collection[str] = ()
) -> list[str]:
    """Let clients see these files of the name, each with its checksum beside it, and name them. One
    that they see, and that is not among those `delivered` before, is of a try that ended behind it:
    it stays, and no other one has its content. Raises OSError, TooManyFilesError.
    """
    left = [each for each in written_files(folder, name) if each.name not in delivered]
    free = _free_paths(folder, name)
    return [_deliver_one(each, left, free).name for each in written]


def written_files(folder: Path, name: CsvName) -> list[Path]:
    """The files of the name that there are, by their numbers: others of the folder are not read."""
    return list(takewhile(Path.exists, _paths(folder, name)))


def checksum_of(path: Path) -> Path:
    """The file beside a file that has its checksum."""
    return path.with_name(f"{path.name}.sha256")


def _deliver_one(written: WrittenCsv, left: list[Path], free: Iterator[Path]) -> Path:
    """Where clients see it: in one of the files that are left, or in the first free place."""
    path = next((each for each in left if _is_same(each, written)), None)
    if path is not None:
        left.remove(path)
        written.part.unlink()
    else:
        path = next(free)
        _write_small(checksum_of(path), f"{written.sha256}  {path.name}\n")
        written.part.rename(path)
    LocalDisk().sync_folder(path.parent)
    return path


def _is_same(path: Path, written: WrittenCsv) -> bool:
    is_as_long = path.stat().st_size == written.part.stat().st_size
    return is_as_long and hash_of(path) == written.sha256


def _free_paths(folder: Path, name: CsvName) -> Iterator[Path]:
    """Those with numbers that no file has: a correction never replaces what was delivered."""
    yield from filterfalse(Path.exists, _paths(folder, name))
    raise TooManyFilesError(f"{name.stem}: expected at most {NUMBER_MAX} files of a day")


def _paths(folder: Path, name: CsvName) -> Iterator[Path]:
    return (folder / f"{name.stem}_{number:03}.csv" for number in range(1, NUMBER_MAX + 1))


def _write_one(
    records: Iterator[ReconciliationRecord], path: Path, pause: Callable[[], object]
) -> WrittenCsv:
    digest, lines = sha256(), -1
    with durable_file(_part_of(path)) as file:
        for block, count in _blocks(records):
            digest.update(block)
            file.write(block)
            lines += count
            pause()
    return WrittenCsv(path, lines, digest.hexdigest())


def _blocks(records: Iterator[ReconciliationRecord]) -> Iterator[tuple[bytes, int]]:
    """The lines as bytes, some at once, the header first; and how many they are."""
    rows = chain([header()], map(cells_of, records))
    while some := list(islice(rows, AT_ONCE)):
        yield "".join(map(_line, some)).encode("utf-8"), len(some)


def _line(cells: Sequence[str]) -> str:
    """The cells as a line. Few lines need quotes: to look at every character of all of them for
    one takes half of the time of a line.
    """
    line = DELIMITER.join(cells)
    if QUOTE not in line and line.count(DELIMITER) == len(cells) - 1:
        return line + END
    text = StringIO(newline="")
    csv.writer(text, delimiter=DELIMITER, lineterminator=END).writerow(cells)
    return text.getvalue()


def _write_small(path: Path, text: str) -> None:
    part = _part_of(path)
    with durable_file(part) as file:
        file.write(text.encode("ascii"))
    part.rename(path)


def _part_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
