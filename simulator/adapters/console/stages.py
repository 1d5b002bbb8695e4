"""The lessons of a server, and the greenlets that play their steps.

Where a lesson stands is in `lesson.json` in the folder of its sandbox, the snapshots that a step
back restores in `steps` beside it; both go with the sandbox. Choice: D-490.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from time import monotonic
from weakref import WeakValueDictionary

import gevent
from gevent.event import Event
from gevent.lock import BoundedSemaphore

from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.console.snapshot_files import SnapshotFolder
from simulator.adapters.ids import random_hex
from simulator.adapters.store.files import Disk
from simulator.adapters.store.integrity import folder_of
from simulator.adapters.turns import Turns
from simulator.domain.core.errors import DiskError, UnknownOutcomeError
from simulator.domain.lessons import Lesson, resume
from simulator.domain.ports.server import SnapshotFile

FILE, TABLE, STEPS = "lesson.json", "lessons", "steps"
NAME_DIGITS = 16

LESSONS_MAX = 200
DRAWN_EACH_S = 0.15
# A held message is noticed within so many seconds; a look ends where no one may wait any more.
LOOK_EACH_S, LOOKS_S_MAX = 0.1, 15.0


class StageBoard:
    """Implements ports.Stages. In memory the lesson that was changed longest ago gives way to a new
    one; `trial_sandbox` is the one of first payments that the default sandbox cannot take.
    """

    def __init__(self, data: Path, disk: Disk) -> None:
        self.trial_sandbox = ""
        self._data, self._disk = data, disk
        self._lessons: dict[str, Lesson | None] = {}
        self._versions: dict[str, int] = {}
        self._changed = Event()
        self._storing = BoundedSemaphore()
        self._changing: WeakValueDictionary[str, BoundedSemaphore] = WeakValueDictionary()
        self._drawn: dict[str, dict[str, str]] = {}
        self._drawing: WeakValueDictionary[str, BoundedSemaphore] = WeakValueDictionary()
        self._turns = Turns()
        self._looking: dict[str, gevent.Greenlet] = {}

    def read_again(self) -> None:
        """Read each lesson where it is asked for: another process may have changed it."""
        self._lessons.clear()

    def lesson(self, sandbox: str) -> Lesson | None:
        """The lesson of a sandbox that there is, or None."""
        if sandbox not in self._lessons:
            self._lessons.setdefault(sandbox, self._stored(sandbox))
        return self._lessons[sandbox]

    def _stored(self, sandbox: str) -> Lesson | None:
        stored = self._tables(sandbox).read_serving(TABLE, Lesson).get(sandbox)
        if stored is None:
            return None
        # An interrupted step may have left one that no lesson names.
        self._snapshots(sandbox).keep_only({each.snapshot for each in stored.moments})
        return resume(stored)

    def put(self, lesson: Lesson) -> Lesson:
        """Keep a lesson, new or changed, and wake who waits for a change. Raises DiskError; then it
        is as it was before.

        Two trainers at one stage see a change at once, and it is stored in their order.
        """
        before = self._lessons.get(lesson.sandbox)
        self._remember(lesson)
        try:
            self._store(lesson)
        except UnknownOutcomeError:
            # The file has it.
            self.notify(lesson.sandbox)
            raise
        except DiskError:
            if before is not None and self._lessons.get(lesson.sandbox) is lesson:
                self._remember(before)
            raise
        self.notify(lesson.sandbox)
        return lesson

    def changing(self, sandbox: str) -> AbstractContextManager[object]:
        """The lesson of a sandbox is changed by one at a time."""
        lock: AbstractContextManager[object] = self._changing.setdefault(
            sandbox, BoundedSemaphore()
        )
        return lock

    def keep_snapshot(self, sandbox: str, snapshot: SnapshotFile) -> str:
        """Keep a snapshot of a sandbox; its name. Raises DiskError."""
        name = random_hex(NAME_DIGITS)
        self._snapshots(sandbox).keep(name, snapshot)
        return name

    def snapshot(self, sandbox: str, name: str) -> SnapshotFile:
        """The snapshot with this name. Raises InvalidInputError where it is gone."""
        return self._snapshots(sandbox).open(name)

    def forget_snapshots(self, sandbox: str, names: Iterable[str]) -> None:
        """Remove snapshots that nothing leads back to."""
        self._snapshots(sandbox).remove(names)

    def _remember(self, lesson: Lesson) -> None:
        self._lessons.pop(lesson.sandbox, None)
        self._lessons[lesson.sandbox] = lesson
        while len(self._lessons) > LESSONS_MAX:
            at_rest = (key for key, one in self._lessons.items() if not (one and one.is_playing))
            oldest = next(at_rest, lesson.sandbox)
            del self._lessons[oldest]
            self._versions.pop(oldest, None)

    def _store(self, lesson: Lesson) -> None:
        with self._storing:
            self._tables(lesson.sandbox).store(TABLE, lesson.sandbox, lesson)

    def _tables(self, sandbox: str) -> SmallTables:
        return SmallTables(folder_of(self._data, sandbox) / FILE, self._disk)

    def _snapshots(self, sandbox: str) -> SnapshotFolder:
        return SnapshotFolder(folder_of(self._data, sandbox) / STEPS, self._disk)

    def version(self, sandbox: str) -> int:
        """A number that grows with each change on the stage of a sandbox."""
        return self._versions.get(sandbox, 0)

    def notify(self, sandbox: str) -> None:
        """Something changed on the stage of a sandbox."""
        self._versions[sandbox] = self.version(sandbox) + 1
        changed, self._changed = self._changed, Event()
        changed.set()

    def wait_for_other(
        self, sandbox: str, known: str, read: Callable[[], str], seconds: float
    ) -> None:
        """Return when `read` reads something else of the stage of a sandbox than what is known, or
        after so many seconds. One greenlet looks for all who wait: where each had looked for
        itself, a thousand would have kept the event loop busy.
        """
        with gevent.Timeout(seconds, False):
            while read() == known:
                if sandbox not in self._looking:
                    self._looking[sandbox] = gevent.spawn(self._look, sandbox, known, read)
                self._looking[sandbox].join()

    def _look(self, sandbox: str, known: str, read: Callable[[], str]) -> None:
        try:
            until = monotonic() + LOOKS_S_MAX
            while read() == known and monotonic() < until:
                with gevent.Timeout(LOOK_EACH_S, False):
                    self._changed.wait()
        finally:
            del self._looking[sandbox]

    def drawn(self, place: str, key: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place as it is under this key: made once. Of all who look, one
        goes on in each turn of the event loop: a thousand are woken at once.
        """
        self._turns.take()
        return self._draw_once(place, key, draw)

    def drawn_lately(self, place: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place: made a few times a second, for all who look, who go on as
        those of `drawn` do.
        """
        self._turns.take()
        return self._draw_once(place, f"{monotonic() // DRAWN_EACH_S}", draw)

    def _draw_once(self, place: str, key: str, draw: Callable[[], str]) -> str:
        known = self._drawn.get(place, {})
        if key in known:
            return known[key]
        # Others have their turn while it is drawn, and may ask for the same.
        with self._drawing.setdefault(place, BoundedSemaphore()):
            known = self._drawn.get(place, {})
            if key not in known:
                html = draw()
                of_now = {each: html for each, html in known.items() if _same_version(each, key)}
                known = self._drawn[place] = {**of_now, key: html}
                while len(self._drawn) > LESSONS_MAX:
                    del self._drawn[next(iter(self._drawn))]
            return known[key]

    def spawn(self, work: Callable[[], object]) -> None:
        """Do a piece of work while others are served."""
        gevent.spawn(work)


def _same_version(one: str, other: str) -> bool:
    return one.split(" ")[0] == other.split(" ")[0]
