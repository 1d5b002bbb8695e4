"""The lines of a log: one line is one unit of work, whole or absent.

    2f1c9a04 18231@18400 [["payments","8a82...",[41,{"id":...}]],["postings","8b01...",null]]
    checksum synced@place changes

The checksum (CRC-32, eight hex digits) covers the rest of the line. `synced` is how many bytes of
the file were durable when the line was written: what stands before that point can only be damaged,
never torn, so a start can tell a power cut from a disk that lost acknowledged work. `place` is
where in the file the line begins: a line that was removed, doubled or moved is noticed by the next
one. Lines of 0.1.0 have none, and may stand before those that have. A change names its table and
its record and carries the stored body, or null where the record is removed.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from zlib import crc32

import msgspec

from simulator.domain.core.errors import DamagedLogError

REMOVED = b"null"
MOVED = "the line that was written here: one was removed, doubled or moved"

Changes = list[tuple[str, str, msgspec.Raw]]

_HEADER = b'{"log":"sandgate","format":1}'
_DECODER = msgspec.json.Decoder(Changes)
_ENCODER = msgspec.json.Encoder()


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """What a whole line says; `place` is None in a line of 0.1.0."""

    synced: int
    changes: bytes
    place: int | None = None


def render(synced: int, unit: bytes, *, place: int) -> tuple[bytes, bytes, bytes]:
    """The line that carries the unit at this place, written when `synced` bytes of its file were
    durable. In parts, to be joined with those of other lines.
    """
    return _render(b"%d@%d " % (synced, place), unit)


def render_units(
    units: Iterable[bytes], *, synced: int, place: int
) -> Iterator[tuple[bytes, bytes, bytes]]:
    """The lines that carry the units, one after the other from this place on."""
    for unit in units:
        line = render(synced, unit, place=place)
        yield line
        place += sum(map(len, line))


def _render(start: bytes, unit: bytes) -> tuple[bytes, bytes, bytes]:
    return b"%08x %b" % (crc32(unit, crc32(start)), start), unit, b"\n"


def header_line() -> bytes:
    """The first line of every log."""
    return b"".join(_render(b"0 ", _HEADER))


def parse(line: bytes) -> LogLine | None:
    """What the line says, or None if it is torn or damaged."""
    text = line[9:-1]
    if line[-1:] != b"\n" or line[:9] != b"%08x " % crc32(text):
        return None
    numbers, _, changes = text.partition(b" ")
    synced, sign, place = numbers.partition(b"@")
    return LogLine(int(synced), changes, int(place) if sign else None)


def unit_of(changes: Iterable[tuple[str, str, bytes | None]]) -> bytes:
    """What a line says of a unit: for each change its table, its id, and the body or None."""
    parts = [b"["]
    for table, identity, body in changes:
        parts += (_ENCODER.encode((table, identity))[:-1], b",", body or REMOVED, b"],")
    parts[-1] = b"[]" if len(parts) == 1 else b"]]"
    return b"".join(parts)


def changes_in(line: LogLine) -> Changes:
    """The changes of a line in the order they were made."""
    return _DECODER.decode(line.changes)


def recover(path: Path, lines: Iterable[bytes], accept: Callable[[LogLine], None]) -> int:
    """How many bytes of the log are good; each good line went to `accept`, in order.

    What follows was never acknowledged: it is the caller's to cut off. Raises DamagedLogError
    where a
    line is damaged although it was durable, and where the file is no log.
    """
    good = offset = torn = 0
    is_placed = False
    for number, raw in enumerate(lines, 1):
        line = parse(raw)
        if number == 1:
            _check_header(path, raw, line)
        if line is None:
            torn = torn or number
        elif torn:
            # Part of the batch that was under way, unless it knew the torn line to be durable.
            if line.synced > good:
                raise DamagedLogError(
                    path, torn, "a line with a right checksum; later lines build on it"
                )
        elif number > 1:
            if line.place != (offset if is_placed or line.place is not None else None):
                raise DamagedLogError(path, number, MOVED)
            is_placed = line.place is not None
            accept(line)
        offset += len(raw)
        good = good if torn else offset
    return good


def _check_header(path: Path, raw: bytes, line: LogLine | None) -> None:
    header = header_line()
    torn_at_birth = line is None and len(raw) <= len(header) and not raw.endswith(b"\n")
    if raw != header and not torn_at_birth:
        raise DamagedLogError(path, 1, f"{header.decode().strip()} (is it a log of Sandgate?)")
