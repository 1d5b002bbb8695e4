"""The files of settlement in a snapshot: those of institutes, answer keys, those of merchants.

After the log of a sandbox comes the line FILES, and then one JSON object for each piece of a file:
its path below the folder of the sandbox, its time of change, and the compressed piece.
Choice: D-521.
"""

import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from simulator.adapters.settlement.folders import CLEARING
from simulator.adapters.sftp.outgoing import OUTGOING
from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.snapshots import FILES
from simulator.adapters.turns import in_slices
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Store
from simulator.domain.settlement.file_names import PLAIN_NAME
from simulator.domain.settlement.runs import SettlementRun

PIECE_BYTES = 256 * 1024
FILES_BYTES_MAX = 4 * 1024 * 1024 * 1024
LEVEL = 1
LAST, CHECKSUM = "~", ".sha256"
# What a thread reads at a time.
READ_BYTES = 64 * 1024
PATH = re.compile(
    rf"(?:{CLEARING}/[a-z0-9-]{{1,64}}/(?:drop|keys)"
    rf"|{OUTGOING}/(?P<merchant>[A-Za-z0-9]{{1,64}})/reconciliation/[0-9]{{4}}-[0-9]{{2}})"
    rf"/\.?{PLAIN_NAME}",
    re.ASCII,
)


class FilePiece(msgspec.Struct, frozen=True):
    """A part of a file; those of one file follow each other."""

    path: str
    changed_ns: int
    content: bytes


def archived(folder: Path, aside: Callable[..., bytes]) -> Iterator[bytes]:
    """The lines of all files of settlement in the folder of a sandbox, in pieces; none where there
    is none. They are looked for and read `aside`: a sandbox may have thousands.
    """
    lines = _lines_in(folder)
    while piece := aside(_some_of, lines):
        yield piece


def check_archive(lines: Iterable[bytes], merchants: frozenset[str]) -> None:
    """Refuse lines that are not those of settlement files of these merchants. Raises
    InvalidInputError.
    """
    left = FILES_BYTES_MAX
    for line in lines:
        piece = piece_in(line)
        found = PATH.fullmatch(piece.path)
        if found is None or (found["merchant"] or next(iter(merchants))) not in merchants:
            raise InvalidInputError(
                "body", "files of settlement", beginning_of(ascii(piece.path), 64)
            )
        left -= len(content_of(piece))
        if left < 0:
            raise InvalidInputError("body", f"files of {FILES_BYTES_MAX:,} bytes", "more")


def of_stored_runs(lines: Iterable[bytes], store: Store) -> Iterator[bytes]:
    """The lines of checked files, but of those that merchants got of runs which the store has not
    as delivered: made behind the log while the snapshot was taken, they are made once more.
    """
    runs = store.between(SettlementRun, "history", "", LAST)
    known = {each.name for run in in_slices(runs) for each in run.delivered}
    for line in lines:
        folder, _, name = piece_in(line).path.rpartition("/")
        if not folder.startswith(OUTGOING) or name.removesuffix(CHECKSUM) in known:
            yield line


def unpack_archive(lines: Iterable[bytes], root: Path) -> None:
    """Write checked files below a folder, where nothing sees them yet. Raises OSError."""
    for line in lines:
        in_thread(_unpack_piece, root, line)


def _unpack_piece(root: Path, line: bytes) -> None:
    piece = piece_in(line)
    path = root / piece.path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(content_of(piece))
    os.utime(path, ns=(piece.changed_ns, piece.changed_ns))


def _some_of(lines: Iterator[bytes]) -> bytes:
    """The next lines, so many as are read at a time; nothing at the end."""
    some, size = list[bytes](), 0
    for line in lines:
        some.append(line)
        size += len(line)
        if size >= READ_BYTES:
            break
    return b"".join(some)


def _lines_in(folder: Path) -> Iterator[bytes]:
    is_first = True
    for path in (each for name in (CLEARING, OUTGOING) for each in _files_below(folder / name)):
        name = path.relative_to(folder).as_posix()
        if PATH.fullmatch(name) is None:
            continue
        if is_first:
            yield FILES
            is_first = False
        yield from _lines_of(path, name)


def _files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder and those in it, in the order of their paths; no link is followed."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda each: each.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


def _lines_of(path: Path, name: str) -> Iterator[bytes]:
    changed = path.stat().st_mtime_ns
    with path.open("rb") as file:
        piece = file.read(PIECE_BYTES)
        while True:
            yield line_of(name, changed, piece)
            piece = file.read(PIECE_BYTES)
            if not piece:
                return


def line_of(path: str, changed_ns: int, content: bytes) -> bytes:
    """The line of a piece of a file."""
    piece = FilePiece(path, changed_ns, zlib.compress(content, LEVEL))
    return msgspec.json.encode(piece) + b"\n"


def piece_in(line: bytes) -> FilePiece:
    """The piece of a file that a line has. Raises InvalidInputError."""
    try:
        return msgspec.json.decode(line, type=FilePiece)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError("body", "pieces of files", beginning_of(f"{error}", 200)) from None


def content_of(piece: FilePiece) -> bytes:
    """The content of a piece. Raises InvalidInputError."""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(piece.content, PIECE_BYTES)
    except zlib.error as error:
        raise InvalidInputError("body", "a compressed piece of a file", str(error)) from None
    if not unpacking.eof:
        raise InvalidInputError("body", f"pieces of {PIECE_BYTES} bytes", "a longer one")
    return content
