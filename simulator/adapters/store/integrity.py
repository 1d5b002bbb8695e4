"""Whether the logs of a data folder are whole: read and checked line by line, nothing is opened.

A start asks before it serves, and `sandgate doctor` of a folder that is not in use. Choice: D-100,
D-77.
"""

import logging
import re
from collections.abc import Callable, Collection
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec

from simulator.adapters.store import lines
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.kinds import codecs
from simulator.adapters.store.progress import Progress
from simulator.adapters.store.small_documents import read_documents, reason_of
from simulator.adapters.store.used_logs import is_lost, mark_of, refuse_lost
from simulator.domain.core.errors import DamagedLogError, DamagedRecordError

# The log in which releases up to 0.1.0 kept all sandboxes.
REGISTRY = "registry.log"
SANDBOX_FILE = "sandbox.json"
SERVER_FILE = "server.json"
SANDBOXES = "sandboxes"


# What a start does without the file.
WITHOUT = {
    "people.json": "the next start then has no people of the console, and prints a link for the "
    "first administrator",
    "classes.json": "the next start then has no classes; their sandboxes stay",
    "lesson.json": "the sandbox then has no lesson, and stays as it is",
    "stories.json": "the console then has no stories that were kept",
    "recording.json": "the sandbox then has no recording, and stays as it is",
    "audit.jsonl": "the console then begins another audit log",
}
ORPHAN_ADVICE = "put its sandbox.json back from a backup, or remove the folder"
ID = re.compile(r"[0-9a-f]{32}")
# How a record is found to be none of this version; one may be nested too deep.
UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
ID_SHOWN = 80
# Of what the decoder says: the rest may repeat what it found.
KNOWN_REASON = re.compile(
    r"Object missing required field `\w+`|Expected `[\w |]+`(, got `[\w |]+`)?|Invalid enum value|"
    r"JSON is malformed|Input data was truncated|Invalid RFC3339 encoded datetime"
)
MEMBER = re.compile(r" - at `[$\w.\[\]]+`$")
LOG = logging.getLogger("sandgate.store")


def folder_of(data: Path, identity: str) -> Path:
    """The folder of a sandbox inside the data folder. Raises DamagedLogError for what is no id:
    nothing outside the data folder is ever read, written or removed.
    """
    if ID.fullmatch(identity) is None:
        expected = f"an id of 32 hex digits for every sandbox, not {identity[:40]!a}"
        raise DamagedLogError(data / REGISTRY, 1, expected)
    return data / identity


def log_of(data: Path, identity: str, epoch: int) -> Path:
    """The log of a sandbox in one epoch. Raises DamagedLogError as `folder_of` does."""
    return folder_of(data, identity) / f"{epoch}.log"


def sandbox_files_in(data: Path) -> list[Path]:
    """The file of each sandbox. A folder with another name than an id was put aside."""
    return sorted(path for path in data.glob(f"*/{SANDBOX_FILE}") if ID.fullmatch(path.parent.name))


def holds_sandboxes(data: Path) -> bool:
    """Whether a gateway was started in the folder before."""
    return (data / REGISTRY).exists() or any(data.glob(f"*/{SANDBOX_FILE}"))


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
    """The log of each sandbox in its epoch, and that of a registry. Raises DamagedLogError."""
    paths = (folder / REGISTRY, *_read_records(folder).values())
    return [path for path in paths if path.exists() or is_lost(LocalDisk(), path)]


def orphans_in(folder: Path) -> list[Path]:
    """The folders of sandboxes that have a log and no record: it was lost, or a deletion was
    interrupted. Raises DamagedLogError.
    """
    return _folders_without(folder, _read_records(folder))


def _folders_without(folder: Path, known: Collection[str]) -> list[Path]:
    """The folders of sandboxes that are not known. One without a log was never used."""
    named = (path for path in folder.iterdir() if ID.fullmatch(path.name) is not None)
    return sorted(path for path in named if path.name not in known and any(path.glob("*.log")))


def _read_records(folder: Path) -> dict[str, Path]:
    """The log of each sandbox by its id."""
    decode = msgspec.json.Decoder(tuple[int, Known]).decode
    known: dict[str, Path] = {}

    def look(line: lines.LogLine) -> None:
        for table, identity, body in lines.changes_in(line):
            known.pop(identity, None)
            if table == SANDBOXES and bytes(body) != lines.REMOVED:
                _, sandbox = decode(body)
                known[identity] = log_of(folder, sandbox.id, sandbox.epoch)

    registry = folder / REGISTRY
    try:
        units = check_log(registry, look).units
    except msgspec.DecodeError as error:
        raise DamagedLogError(registry, 1, f"records of this version ({error})") from None
    files = sandbox_files_in(folder)
    for path in files:
        sandbox = _sandbox_in(path)
        known[sandbox.id] = log_of(folder, sandbox.id, sandbox.epoch)
    is_known = units or files or (folder / SERVER_FILE).exists()
    orphans = [] if is_known else _folders_without(folder, known)
    if orphans:
        expected = f"the records of {len(orphans)} sandboxes, such as {orphans[0].name}; got none"
        raise DamagedLogError(registry, 1, expected)
    return known


def _sandbox_in(path: Path) -> Known:
    """As much of a sandbox as its file must say. Raises DamagedLogError."""
    expected = f"the sandbox {path.parent.name} in its file"
    try:
        documents = read_documents(path, SANDBOXES, LocalDisk())
        (sandbox,) = (msgspec.convert(each, Known) for each in documents.values())
    except (OSError, ValueError) as error:
        raise DamagedLogError(path, 1, f"{expected} ({reason_of(error)})") from None
    if sandbox.id != path.parent.name:
        raise DamagedLogError(path, 1, f"{expected}, not {sandbox.id[:40]!a}")
    return sandbox


def check_log(path: Path, look: Callable[[lines.LogLine], object] | None = None) -> Checked:
    """The log once it is read to its end; `look` is shown each unit. Raises DamagedLogError."""
    disk, units = LocalDisk(), 0

    def accept(line: lines.LogLine) -> None:
        nonlocal units
        units += 1
        if look is not None:
            look(line)

    refuse_lost(disk, path)
    parts = Progress(path).in_parts(disk.lines(path), disk.size(path))
    good = lines.recover(path, chain.from_iterable(parts), accept)
    return Checked(path, units, disk.size(path) - good)


class UnreadableRecords:
    """The records in a log that cannot be read as its last lines have them; `look` is shown each
    line.
    """

    def __init__(self, path: Path):
        self._path = path
        self._read = {each.shape.table: each.read for each in codecs().values()}
        self.found: dict[tuple[str, str], DamagedRecordError] = {}

    def look(self, line: lines.LogLine) -> None:
        """Read what a line puts."""
        for table, identity, body in lines.changes_in(line):
            self.found.pop((table, identity), None)
            if table not in self._read or bytes(body) == lines.REMOVED:
                continue
            try:
                self._read[table](bytes(body))
            except UNREADABLE as error:
                damaged = damage_in_log(self._path, table, identity, error)
                self.found[table, identity] = damaged


def damage_in_log(path: Path, table: str, identity: str, error: Exception) -> DamagedRecordError:
    """What is said of a record in a log that cannot be read."""
    where = f"{path}, table {table}, id {shown_id(identity)}"
    return DamagedRecordError(path, where, reason_without_content(error))


def shown_id(identity: str) -> str:
    """An id as a line of the log has it, whatever it may be."""
    return ascii(identity[:ID_SHOWN])[1:-1]


def reason_without_content(error: Exception) -> str:
    """Why a record cannot be read, and at which member, without anything that it holds."""
    text = str(error)
    known, place = KNOWN_REASON.match(text), MEMBER.search(text)
    return (known[0] if known else type(error).__name__) + (place[0] if place else "")


def log_damage(damaged: DamagedRecordError) -> DamagedRecordError:
    """Log which record is damaged, and what to do about it."""
    LOG.error("%s. What to do: %s", damaged, advice_on(damaged))
    return damaged


def advice_on(error: DamagedLogError) -> str:
    """What a person may do about a broken log, or a damaged record."""
    if isinstance(error, DamagedRecordError) and isinstance(error.path, Path):
        return (
            "go on with the release that wrote it; or, while no gateway runs there, put "
            f"{error.path} back from a backup; or restore a snapshot of its sandbox, or delete it"
        )
    if isinstance(error, DamagedRecordError):
        return (
            f"put the body of that row of {error.path} back from a backup of the database; or "
            "restore a snapshot of its sandbox, or delete it; nothing needs a restart"
        )
    path = Path(str(error.path))
    if path.name in WITHOUT:
        return f"put {path.name} back from a backup; or move it away: {WITHOUT[path.name]}"
    if path.name in (REGISTRY, SERVER_FILE):
        return (
            f"put the data folder back from a backup, or move {path.parent} away: the next start "
            "makes an empty one"
        )
    return (
        f"put {path.name} back from a backup; or move {path.name} and {mark_of(path).name} out of "
        f"{path.parent}: that sandbox then starts empty with the credentials it has, and a "
        "snapshot of it can be restored"
    )
