"""What was removed from a journal while others kept parts of it, which are merged into it later.

The part of another knows nothing of that, and its clock may stand a little apart.
"""

from datetime import datetime, timedelta

# What a clock may be off at the start of a gateway.
APART = timedelta(seconds=10)
# Beyond so many keys all that others noted until then loses its content, too.
KEYS_MAX = 10_000


class ForgottenKeys:
    """The keys whose entries lost their content, each with the time of that on the wire."""

    __slots__ = ("_at", "_until")

    def __init__(self) -> None:
        self._at: dict[str, datetime] = {}
        self._until: datetime | None = None

    def add(self, keys: tuple[str, ...], now: datetime) -> None:
        """The entries with these keys have no content any more."""
        if len(self._at) >= KEYS_MAX:
            self._at.clear()
            self._until = now
        self._at.update(dict.fromkeys(keys, now))

    def covers(self, keys: tuple[str, ...], began: datetime) -> bool:
        """Whether what began then, with these keys, is to have no content."""
        ends = [at for at in (self._until, *map(self._at.get, keys)) if at is not None]
        return any(began <= at + APART for at in ends)
