"""Recordings and stories that people kept, in TinyDB. Choice: D-530.

`recording.json` lies in the folder of its sandbox, and goes with it; `stories.json` in the data
folder.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.store.files import Disk
from simulator.adapters.store.integrity import folder_of
from simulator.adapters.turns import OwnersTurns
from simulator.domain.console.recording import KeptStory, Recording, RequestHistory

FILE, STORIES_FILE = "recording.json", "stories.json"
RECORDINGS, HISTORIES, STORIES = "recordings", "histories", "stories"
KNOWN_MAX, HISTORIES_KNOWN_MAX = 200, 20
Kept = TypeVar("Kept", bound=msgspec.Struct)
# The id of the present epoch of a sandbox.
EpochOf = Callable[[str], str | None]


class KnownTable(Generic[Kept]):
    """One record in the file of each sandbox, or `none`; the `most` that were read last are known,
    each while the epoch goes on in which it was read: with a sandbox that is deleted its file goes.
    One file is read at a time: no thread goes on while it is decoded.
    """

    def __init__(self, name: str, none: Kept, *, most: int, epoch_of: EpochOf):
        self._name, self._none, self._most = name, none, most
        self._epoch_of = epoch_of
        self._known: dict[str, tuple[str, Kept]] = {}
        self._reading = OwnersTurns(1)

    def get(self, sandbox: str, tables: SmallTables) -> Kept:
        """The record of a sandbox, which its file is read for if need be."""
        epoch = self._epoch_of(sandbox)
        known = self._known_in(epoch, sandbox)
        if known is not None:
            return known
        with self._reading.taken(sandbox):
            # Others may have waited for the same one.
            if (known := self._known_in(epoch, sandbox)) is None:
                found = tables.read_serving(self._name, type(self._none))
                known = self._known_in(epoch, sandbox) or found.get(sandbox, self._none)
                self._keep(epoch, sandbox, known)
            return known

    def put(self, sandbox: str, tables: SmallTables, record: Kept) -> None:
        """Store a record. Raises DiskError."""
        epoch = self._epoch_of(sandbox)
        kept = partial(self._keep, epoch, sandbox, record)
        tables.store(self._name, sandbox, record, hold=kept)

    def forget(self) -> None:
        """Read each where it is asked for: another process may have changed it."""
        self._known.clear()

    def _known_in(self, epoch: str | None, sandbox: str) -> Kept | None:
        of, record = self._known.get(sandbox, (None, None))
        return record if of == epoch else None

    def _keep(self, epoch: str | None, sandbox: str, record: Kept) -> None:
        if epoch is None:
            self._known.pop(sandbox, None)
            return
        self._known[sandbox] = epoch, record
        while len(self._known) > self._most:
            del self._known[next(iter(self._known))]


class RecordingFiles:
    """Implements ports.console.Recordings; `epoch_of` is None for a sandbox that there is not."""

    def __init__(self, data: Path, disk: Disk, *, epoch_of: EpochOf):
        self._data, self._disk = data, disk
        self._stories_file = SmallTables(data / STORIES_FILE, disk)
        self._stories: dict[str, KeptStory] | None = None
        self._reading_stories = BoundedSemaphore()
        self._recordings = KnownTable(RECORDINGS, Recording(), most=KNOWN_MAX, epoch_of=epoch_of)
        self._histories = KnownTable(
            HISTORIES, RequestHistory(), most=HISTORIES_KNOWN_MAX, epoch_of=epoch_of
        )
        self._changing = BoundedSemaphore()
        self._keeping: AbstractContextManager[object] = BoundedSemaphore()

    def read_again(self) -> None:
        """Read each recording where it is asked for: another process may have changed it."""
        self._recordings.forget()
        self._histories.forget()
        self._stories = None

    def recording(self, sandbox: str) -> Recording:
        """The recording of a sandbox that there is."""
        return self._recordings.get(sandbox, self._tables(sandbox))

    def change(self, sandbox: str, change: Callable[[Recording], Recording]) -> Recording:
        """The recording after a change, which comes before or after any other one."""
        with self._changing:
            before = self.recording(sandbox)
            after = change(before)
            if after != before:
                after = replace(after, version=before.version + 1)
                self._recordings.put(sandbox, self._tables(sandbox), after)
            return after

    def history(self, sandbox: str) -> RequestHistory:
        """What was sent last from the workbench of a sandbox."""
        return self._histories.get(sandbox, self._tables(sandbox))

    def change_history(
        self, sandbox: str, change: Callable[[RequestHistory], RequestHistory]
    ) -> None:
        """Change what was sent last."""
        with self._changing:
            after = change(self.history(sandbox))
            self._histories.put(sandbox, self._tables(sandbox), after)

    def stories(self) -> Sequence[KeptStory]:
        """The stories that people kept, the newest last."""
        with self._reading_stories:
            if self._stories is None:
                self._stories = self._stories_file.read_serving(STORIES, KeptStory)
            return list(self._stories.values())

    def keeping(self) -> AbstractContextManager[object]:
        """No other story is kept in this block."""
        return self._keeping

    def keep_story(self, story: KeptStory) -> None:
        """Keep a story."""
        with self._reading_stories:
            self._stories = None
            self._stories_file.store(STORIES, story.id, story)

    def remove_story(self, identity: str) -> None:
        """Forget a story."""
        with self._reading_stories:
            self._stories = None
            self._stories_file.remove(STORIES, identity)

    def _tables(self, sandbox: str) -> SmallTables:
        return SmallTables(folder_of(self._data, sandbox) / FILE, self._disk)
