"""The files of settlement in the copy of a sandbox: those of the original under its own names.

A run that waits for its file, or was interrupted before it was booked, goes on with them. Files
name each other by their hashes, which are those of the renamed ones then. Choice: D-631.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import groupby

from simulator.adapters.settlement.archive import FilePiece, content_of, line_of, piece_in
from simulator.adapters.store.copies import copied_log
from simulator.adapters.store.snapshots import FILES
from simulator.adapters.turns import Slices
from simulator.domain.copies import SandboxCopy
from simulator.domain.ports.server import SnapshotFile

HASH = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
# What names are made of: text is cut behind anything else.
OF_NAMES = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_"
# So much is renamed at a time; others have their turn then.
PART_BYTES = 16 * 1024


def copied_snapshot(snapshot: SnapshotFile, copy: SandboxCopy) -> Iterator[bytes]:
    """What a copy has in the place of a snapshot of its original: the log, and after it the files.
    Raises InvalidInputError for what is damaged.
    """
    yield from copied_log(snapshot, copy)
    yield from copied_archive(snapshot, copy.rename)


def copied_archive(snapshot: SnapshotFile, rename: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """The lines of all files of settlement in a snapshot, renamed; none where there is none. A file
    comes before those that name its hash. Raises InvalidInputError.
    """
    hashes: dict[bytes, bytes] = {}

    def renamed(text: bytes) -> bytes:
        return HASH.sub(lambda found: hashes.get(found[0], found[0]), rename(text))

    pieces, slices = map(piece_in, snapshot.file_lines()), Slices()
    for number, (path, parts) in enumerate(groupby(pieces, key=lambda piece: piece.path)):
        if number == 0:
            yield FILES
        was, new = sha256(), sha256()
        name = rename(path.encode()).decode()
        for changed, text in _texts(parts):
            after = renamed(text)
            was.update(text)
            new.update(after)
            yield line_of(name, changed, after)
            slices.end_if_long()
        hashes[was.hexdigest().encode()] = new.hexdigest().encode()


def _texts(pieces: Iterable[FilePiece]) -> Iterator[tuple[int, bytes]]:
    """The content of a file in parts that end between names, with its time of change."""
    left, changed = b"", 0
    for piece in pieces:
        content, changed = content_of(piece), piece.changed_ns
        for start in range(0, len(content), PART_BYTES):
            text = left + content[start : start + PART_BYTES]
            end = len(text.rstrip(OF_NAMES)) or len(text)
            yield changed, text[:end]
            left = text[end:]
    yield changed, left
