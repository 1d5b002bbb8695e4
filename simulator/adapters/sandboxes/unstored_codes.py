"""Security codes that wait in the memory of this process for a shopper who confirms; with it they
are gone. Choice: D-42.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from simulator.domain.core.ports import Clock

ENTRIES_MAX = 10_000
# As long as a checkout lasts, by the clock of the machine: that of a sandbox may stand.
LASTS = timedelta(minutes=30)
NONE: Mapping[str, str] = {}


class WaitingCodes(NamedTuple):
    """The codes of one form, which is known by the text it was sealed as."""

    sealed: str
    codes: Mapping[str, str]
    until: datetime


class UnstoredCodes:
    """Implements ports.Codes for all sandboxes of this process."""

    def __init__(self, clock: Clock):
        self._clock = clock
        self._waiting: dict[str, WaitingCodes] = {}

    def keep(self, checkout: str, sealed: str, codes: Mapping[str, str]) -> None:
        """Keep the codes of the form that is kept for a checkout now."""
        self.erase(checkout)
        self._drop_old(ENTRIES_MAX - 1)
        if codes:
            self._waiting[checkout] = WaitingCodes(sealed, codes, self._clock.now() + LASTS)

    def find(self, checkout: str, sealed: str) -> Mapping[str, str]:
        """The codes of a form; none where they are gone."""
        self._drop_old(ENTRIES_MAX)
        found = self._waiting.get(checkout)
        return NONE if found is None or found.sealed != sealed else found.codes

    def erase(self, checkout: str) -> None:
        """Forget the codes of a checkout."""
        self._waiting.pop(checkout, None)

    def _drop_old(self, most: int) -> None:
        """Forget what waited too long, and the oldest above `most`."""
        now = self._clock.now()
        while self._waiting:
            oldest = next(iter(self._waiting))
            if len(self._waiting) <= most and self._waiting[oldest].until > now:
                return
            del self._waiting[oldest]
