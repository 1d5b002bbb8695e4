"""Whether the logs of a data folder are whole: read and checked line by line, nothing is opened.

A start asks before it serves, and `sandgate doctor` of a folder that is not in use. Choice: D-100,
D-77.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.files import LocalDisk
from simulator.domain.core.errors import DamagedLogError

REGISTRY = "registry.log"
SANDBOXES = "sandboxes"


class Known(msgspec.Struct):
    """As much of a sandbox as names its log; whatever version wrote it."""

    id: str
    epoch: int = 1


class Checked(NamedTuple):
    """A log that is whole: how many units it holds, and how long its torn end is, 0 for none."""

    path: Path
    units: int
    torn_bytes: int


def refuse_broken(folder: Path) -> None:
    """Raise DamagedLogError for the first log of the folder that lost what it had acknowledged."""
    for path in logs_in(folder):
        check_log(path)


def logs_in(folder: Path) -> list[Path]:
    """The log of the registry, and that of each sandbox in its epoch. Raises DamagedLogError."""
    decode = msgspec.json.Decoder(tuple[int, Known]).decode
    known: dict[str, Path] = {}

    def look(line: lines.LogLine) -> None:
        for table, identity, body in lines.changes_in(line):
            known.pop(identity, None)
            if table == SANDBOXES and bytes(body) != lines.REMOVED:
                _, sandbox = decode(body)
                known[identity] = folder / sandbox.id / f"{sandbox.epoch}.log"

    registry = folder / REGISTRY
    try:
        check_log(registry, look)
    except msgspec.DecodeError as error:
        raise DamagedLogError(registry, 1, f"records of this version ({error})") from None
    return [path for path in (registry, *known.values()) if path.exists()]


def check_log(path: Path, look: Callable[[lines.LogLine], object] | None = None) -> Checked:
    """The log once it is read to its end; `look` is shown each unit. Raises DamagedLogError."""
    disk, units = LocalDisk(), 0

    def accept(line: lines.LogLine) -> None:
        nonlocal units
        units += 1
        if look is not None:
            look(line)

    good = lines.recover(path, disk.lines(path), accept)
    return Checked(path, units, disk.size(path) - good)


def advice_on(error: DamagedLogError) -> str:
    """What a person may do about a broken log."""
    path = Path(str(error.path))
    if path.name == REGISTRY:
        return (
            f"put the data folder back from a backup, or move {path.parent} away: the next start "
            "makes an empty one"
        )
    return (
        f"put {path.name} back from a backup; or move the folder {path.parent} away: that sandbox "
        "then starts empty with the credentials it has, and a snapshot of it can be restored"
    )
