"""Wrong passwords of the last minute, by name; a restart forgets them."""

from collections import OrderedDict, deque
from datetime import datetime, timedelta
from math import ceil

TRIES_MAX, WITHIN = 5, timedelta(minutes=1)
NAMES_MAX = 1000


class RecentTries:
    """Implements ports.console.FailedTries. Of more names than NAMES_MAX the oldest is forgotten:
    what is checked at once is limited too.
    """

    def __init__(self) -> None:
        self._tries: OrderedDict[str, deque[datetime]] = OrderedDict()

    def wait_s(self, name: str, now: datetime) -> int:
        """Seconds until the next try is allowed."""
        tries = self._tries.get(name)
        if not tries or len(tries) < TRIES_MAX or now - tries[0] >= WITHIN:
            return 0
        return ceil((tries[0] + WITHIN - now).total_seconds())

    def count(self, name: str, now: datetime) -> None:
        """A password came, which counts as wrong until it is forgiven."""
        tries = self._tries.setdefault(name, deque(maxlen=TRIES_MAX))
        tries.append(now)
        self._tries.move_to_end(name)
        if len(self._tries) > NAMES_MAX:
            self._tries.popitem(last=False)

    def forgive(self, name: str) -> None:
        """The password that was counted last was right, or was not looked at."""
        if tries := self._tries.get(name):
            tries.pop()
