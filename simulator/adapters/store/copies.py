"""The log of a copy of a sandbox, made line by line from that of the original. Choice: D-631."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.kinds import codecs
from simulator.adapters.turns import Slices
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.copies import SandboxCopy
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.server import SnapshotFile

# How a body is read, and what becomes of its record; None where it goes along as it is.
Change = tuple[Callable[[bytes], tuple[int, Any]], Callable[[Any], Any]] | None


def copied_log(snapshot: SnapshotFile, copy: SandboxCopy) -> Iterator[bytes]:
    """The lines of the log of a copy. Raises InvalidInputError for a line that is damaged."""
    known = codecs()
    changes: dict[str, Change] = {
        known[kind].shape.table: None if to is None else (known[kind].read, to)
        for kind, to in copy.changes.items()
    }
    header = lines.header_line()
    yield header
    place, slices = len(header), Slices()
    for number, raw in enumerate(snapshot.log_lines(), 1):
        line = lines.parse(raw)
        if line is None:
            raise InvalidInputError("snapshot", "a whole log", f"line {number} is damaged")
        if number > 1:
            unit = copy.rename(lines.unit_of(_changed(line, changes)))
            rendered = b"".join(lines.render(0, unit, place=place))
            place += len(rendered)
            yield rendered
        slices.end_if_long()


def _changed(
    line: lines.LogLine, changes: Mapping[str, Change]
) -> Iterator[tuple[str, str, bytes | None]]:
    for table, identity, raw in lines.changes_in(line):
        body = bytes(raw)
        if table not in changes:
            raise InvalidInputError(
                "snapshot", "tables of a sandbox", beginning_of(ascii(table), 40)
            )
        yield table, identity, changed_body(body, changes[table])


def changed_body(body: bytes, change: Change) -> bytes | None:
    """What a copy has of a record; None where it is left out. Raises InvalidInputError for one that
    its rule cannot read.
    """
    if body == lines.REMOVED:
        return None
    if change is None:
        return body
    read, to = change
    try:
        serial, record = read(body)
        after = to(record)
    except ValueError as error:
        # A snapshot from elsewhere may have had it, whose texts in packed form are not checked.
        raise InvalidInputError("snapshot", "records that can be copied", "another") from error
    # A body that is left out may have replaced another.
    return None if after is None else msgspec.json.encode((serial, after))
