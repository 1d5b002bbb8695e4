"""The files of documents in a data folder, read and judged without a gateway."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from simulator.adapters.console import classes, people_file, recordings, stages
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.integrity import (
    SANDBOX_FILE,
    SANDBOXES,
    SERVER_FILE,
    sandbox_files_in,
)
from simulator.adapters.store.server_memory import DEFAULTS
from simulator.adapters.store.small_documents import read_records
from simulator.domain.console.classes import TrainingClass
from simulator.domain.console.people import Invitation, Person, SignIn
from simulator.domain.console.recording import KeptStory, Recording, RequestHistory
from simulator.domain.core.entities import DefaultSandbox, Sandbox
from simulator.domain.core.errors import DamagedLogError
from simulator.domain.lessons import Lesson

Tables = Mapping[str, type[msgspec.Struct]]

# The tables of each file, of the server and of a sandbox.
OF_SERVER: Mapping[str, Tables] = {
    SERVER_FILE: {DEFAULTS: DefaultSandbox},
    people_file.FILE: {"people": Person, "invitations": Invitation, "sign_ins": SignIn},
    classes.FILE: {classes.TABLE: TrainingClass},
    recordings.STORIES_FILE: {recordings.STORIES: KeptStory},
}
OF_SANDBOX: Mapping[str, Tables] = {
    SANDBOX_FILE: {SANDBOXES: Sandbox},
    stages.FILE: {stages.TABLE: Lesson},
    recordings.FILE: {recordings.RECORDINGS: Recording, recordings.HISTORIES: RequestHistory},
}


def damaged_files_in(data: Path) -> Iterator[DamagedLogError]:
    """The files of documents that a gateway could not read, each with what is wrong."""
    places = ((data, OF_SERVER), *((each.parent, OF_SANDBOX) for each in sandbox_files_in(data)))
    for folder, files in places:
        for name, tables in files.items():
            damage = _damage_of(folder / name, tables)
            if damage is not None:
                yield damage


def _damage_of(path: Path, tables: Tables) -> DamagedLogError | None:
    try:
        for table, kind in tables.items():
            read_records(path, table, kind, LocalDisk())
    except DamagedLogError as error:
        return error
    return None
