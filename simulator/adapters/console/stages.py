"""The lessons of this process, and the greenlets that play their steps."""

from collections.abc import Callable
from time import monotonic

import gevent
from gevent.event import Event

from simulator.domain.lessons import Lesson

LESSONS_MAX = 200
DRAWN_EACH_S = 0.15


class StageBoard:
    """Implements ports.Stages. The lesson that was changed longest ago gives way to a new one;
    `trial_sandbox` is the one of first payments that the default sandbox cannot take.
    """

    def __init__(self) -> None:
        self.trial_sandbox = ""
        self._lessons: dict[str, Lesson] = {}
        self._versions: dict[str, int] = {}
        self._changed = Event()
        self._drawn: dict[str, dict[str, str]] = {}

    def lesson(self, sandbox: str) -> Lesson | None:
        """The lesson of a sandbox, or None."""
        return self._lessons.get(sandbox)

    def put(self, lesson: Lesson) -> Lesson:
        """Keep a lesson, new or changed, and wake who waits for a change."""
        self._lessons.pop(lesson.sandbox, None)
        self._lessons[lesson.sandbox] = lesson
        while len(self._lessons) > LESSONS_MAX:
            self.remove(next(iter(self._lessons)))
        self.notify(lesson.sandbox)
        return lesson

    def remove(self, sandbox: str) -> None:
        """Forget the lesson of a sandbox."""
        self._lessons.pop(sandbox, None)
        self._versions.pop(sandbox, None)

    def version(self, sandbox: str) -> int:
        """A number that grows with each change on the stage of a sandbox."""
        return self._versions.get(sandbox, 0)

    def notify(self, sandbox: str) -> None:
        """Something changed on the stage of a sandbox."""
        self._versions[sandbox] = self.version(sandbox) + 1
        changed, self._changed = self._changed, Event()
        changed.set()

    def wait(self, sandbox: str, version: int, seconds: float) -> None:
        """Return when the stage of a sandbox is no longer as it was at `version`, or after so many
        seconds.
        """
        with gevent.Timeout(seconds, False):
            while self.version(sandbox) == version:
                self._changed.wait()

    def drawn(self, place: str, key: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place as it is under this key: made once."""
        known = self._drawn.get(place, {})
        if key not in known:
            of_now = {each: html for each, html in known.items() if _same_version(each, key)}
            known = self._drawn[place] = {**of_now, key: draw()}
            while len(self._drawn) > LESSONS_MAX:
                del self._drawn[next(iter(self._drawn))]
        return known[key]

    def drawn_lately(self, place: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place: made a few times a second, for all who look."""
        return self.drawn(place, f"{monotonic() // DRAWN_EACH_S}", draw)

    def spawn(self, work: Callable[[], object]) -> None:
        """Do a piece of work while others are served."""
        gevent.spawn(work)


def _same_version(one: str, other: str) -> bool:
    return one.split(" ")[0] == other.split(" ")[0]
