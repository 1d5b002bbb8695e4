"""Security codes that wait in the memory of this process for a shopper who confirms; with it they
are gone. Choice: D-42.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple

from simulator.adapters.sandboxes.wake_timer import WakeTimer

ENTRIES_MAX = 10_000
# As long as a checkout lasts, in real time: the clock of a sandbox may stand.
LASTS = timedelta(minutes=30)
NONE: Mapping[str, str] = {}


class WaitingCodes(NamedTuple):
    """The codes of one form, which is known by the text it was sealed as."""

    sealed: str
    codes: Mapping[str, str]

    def __repr__(self) -> str:
        return "WaitingCodes(...)"


class UnstoredCodes:
    """The codes of all sandboxes of this process, each erased when its time is over."""

    def __init__(self, lasts: timedelta = LASTS):
        self._lasts = lasts
        self._waiting: dict[str, WaitingCodes] = {}
        self._timer = WakeTimer(self.erase)

    def of(self, sandbox: str) -> "SandboxCodes":
        """Those of one sandbox."""
        return SandboxCodes(self, sandbox)

    def keep(self, place: str, waiting: WaitingCodes) -> None:
        """Keep the codes of a form in place of others; the oldest may have to go."""
        self.erase(place)
        if len(self._waiting) >= ENTRIES_MAX:
            self.erase(next(iter(self._waiting)))
        if waiting.codes:
            self._waiting[place] = waiting
            self._timer.set(place, self._lasts)

    def find(self, place: str) -> WaitingCodes | None:
        """What waits there."""
        return self._waiting.get(place)

    def erase(self, place: str) -> None:
        """Forget what waits there."""
        self._timer.set(place, None)
        self._waiting.pop(place, None)

    def erase_all(self, sandbox: str) -> None:
        """Forget the codes of a sandbox: its epoch is over."""
        within = _place(sandbox, "")
        for place in [each for each in self._waiting if each.startswith(within)]:
            self.erase(place)


class SandboxCodes:
    """Implements ports.Codes for a sandbox: another with the same seed has the same checkouts."""

    __slots__ = ("_all", "_sandbox")

    def __init__(self, all_codes: UnstoredCodes, sandbox: str):
        self._all, self._sandbox = all_codes, sandbox

    def keep(self, checkout: str, sealed: str, codes: Mapping[str, str]) -> None:
        """Keep the codes of the form that is kept for a checkout now."""
        self._all.keep(_place(self._sandbox, checkout), WaitingCodes(sealed, codes))

    def find(self, checkout: str, sealed: str) -> Mapping[str, str]:
        """The codes of a form; none where they are gone."""
        found = self._all.find(_place(self._sandbox, checkout))
        return NONE if found is None or found.sealed != sealed else found.codes

    def erase(self, checkout: str) -> None:
        """Forget the codes of a checkout."""
        self._all.erase(_place(self._sandbox, checkout))


def _place(sandbox: str, checkout: str) -> str:
    return f"{sandbox}/{checkout}"
