"""Recordings and stories that people kept, in TinyDB. Choice: D-530.

`recording.json` lies in the folder of its sandbox, and goes with it; `stories.json` in the data
folder.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.store.files import Disk
from simulator.adapters.store.integrity import folder_of
from simulator.domain.console.recording import KeptStory, Recording, RequestHistory

FILE, STORIES_FILE = "recording.json", "stories.json"
RECORDINGS, HISTORIES, STORIES = "recordings", "histories", "stories"
KNOWN_MAX = 200


class RecordingFiles:
    """Implements ports.console.Recordings."""

    def __init__(self, data: Path, disk: Disk):
        self._data, self._disk = data, disk
        self._stories = SmallTables(data / STORIES_FILE, disk)
        self._known: dict[str, Recording] = {}
        self._changing = BoundedSemaphore()
        self._keeping: AbstractContextManager[object] = BoundedSemaphore()

    def read_again(self) -> None:
        """Read each recording where it is asked for: another process may have changed it."""
        self._known.clear()

    def recording(self, sandbox: str) -> Recording:
        """The recording of a sandbox that there is."""
        if sandbox not in self._known:
            found = self._tables(sandbox).read_serving(RECORDINGS, Recording)
            self._known.setdefault(sandbox, found.get(sandbox, Recording()))
            while len(self._known) > KNOWN_MAX:
                del self._known[next(iter(self._known))]
        return self._known.get(sandbox, Recording())

    def change(self, sandbox: str, change: Callable[[Recording], Recording]) -> Recording:
        """The recording after a change, which comes before or after any other one."""
        with self._changing:
            before = self.recording(sandbox)
            after = change(before)
            if after != before:
                after = replace(after, version=before.version + 1)
                self._tables(sandbox).store(RECORDINGS, sandbox, after)
                self._known[sandbox] = after
            return after

    def history(self, sandbox: str) -> RequestHistory:
        """What was sent last from the workbench of a sandbox."""
        found = self._tables(sandbox).read_serving(HISTORIES, RequestHistory)
        return found.get(sandbox, RequestHistory())

    def change_history(
        self, sandbox: str, change: Callable[[RequestHistory], RequestHistory]
    ) -> None:
        """Change what was sent last."""
        with self._changing:
            self._tables(sandbox).store(HISTORIES, sandbox, change(self.history(sandbox)))

    def stories(self) -> Sequence[KeptStory]:
        """The stories that people kept, the newest last."""
        return list(self._stories.read_serving(STORIES, KeptStory).values())

    def keeping(self) -> AbstractContextManager[object]:
        """No other story is kept in this block."""
        return self._keeping

    def keep_story(self, story: KeptStory) -> None:
        """Keep a story."""
        self._stories.store(STORIES, story.id, story)

    def remove_story(self, identity: str) -> None:
        """Forget a story."""
        self._stories.remove(STORIES, identity)

    def _tables(self, sandbox: str) -> SmallTables:
        return SmallTables(folder_of(self._data, sandbox) / FILE, self._disk)
