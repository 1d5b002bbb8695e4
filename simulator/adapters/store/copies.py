"""The log of a copy of a sandbox, made line by line from that of the original. Choice: D-631."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.kinds import codecs
from simulator.domain.copies import SandboxCopy
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.server import SnapshotFile

# How a body is read, and what becomes of its record.
Change = tuple[Callable[[bytes], tuple[int, Any]], Callable[[Any], Any]]


def copied_log(snapshot: SnapshotFile, copy: SandboxCopy) -> Iterator[bytes]:
    """The lines of the log of a copy. Raises InvalidInputError for a line that is damaged."""
    known = codecs()
    changes = {known[kind].shape.table: (known[kind].read, to) for kind, to in copy.changes.items()}
    header = lines.header_line()
    yield header
    place = len(header)
    for number, raw in enumerate(snapshot.log_lines(), 1):
        line = lines.parse(raw)
        if line is None:
            raise InvalidInputError("snapshot", "a whole log", f"line {number} is damaged")
        if number > 1:
            unit = copy.rename(lines.unit_of(_changed(line, changes)))
            rendered = b"".join(lines.render(0, unit, place=place))
            place += len(rendered)
            yield rendered


def _changed(
    line: lines.LogLine, changes: Mapping[str, Change]
) -> Iterator[tuple[str, str, bytes | None]]:
    for table, identity, raw in lines.changes_in(line):
        body = bytes(raw)
        if table not in changes or body == lines.REMOVED:
            yield table, identity, None if body == lines.REMOVED else body
            continue
        read, change = changes[table]
        serial, record = read(body)
        after = change(record)
        # A body that is left out may have replaced another.
        yield table, identity, None if after is None else msgspec.json.encode((serial, after))
