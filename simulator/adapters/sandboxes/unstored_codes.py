"""Security codes that wait in the memory of this process for a shopper who confirms; with it they
are gone. Choice: D-42.
"""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from simulator.adapters.sandboxes.wake_timer import WakeTimer

# Of each sandbox: those of one never make room for those of another.
ENTRIES_MAX = 10_000
# Of all together, about a kilobyte each; with more of them, the sandbox that has most makes room.
ALL_ENTRIES_MAX = 200_000
# As long as a checkout lasts, in real time: the clock of a sandbox may stand.
LASTS = timedelta(minutes=30)
NONE: Mapping[str, str] = {}


class WaitingCodes(NamedTuple):
    """The codes of one form, which is known by the digest of the text it was sealed as."""

    form: bytes
    codes: Mapping[str, str]

    def __repr__(self) -> str:
        return "WaitingCodes(...)"


class UnstoredCodes:
    """The codes of all sandboxes of this process, each erased when its time is over."""

    def __init__(self, lasts: timedelta = LASTS, *, most_in_all: int = ALL_ENTRIES_MAX):
        self._lasts = lasts
        self._most_in_all = most_in_all
        self._count = 0
        # By sandbox, and by checkout, the oldest first.
        self._waiting: dict[str, dict[str, WaitingCodes]] = {}
        self._timer = WakeTimer(lambda place: self.erase(*place.split("/", 1)))

    def of(self, sandbox: str) -> "SandboxCodes":
        """Those of one sandbox."""
        return SandboxCodes(self, sandbox)

    def keep(self, sandbox: str, checkout: str, waiting: WaitingCodes) -> None:
        """Keep the codes of a form in place of others; the oldest of its sandbox may have to go."""
        self.erase(sandbox, checkout)
        if not waiting.codes:
            return
        if len(self._waiting.get(sandbox, ())) >= ENTRIES_MAX:
            self._erase_oldest(sandbox)
        elif self._count >= self._most_in_all:
            self._erase_oldest(max(self._waiting, key=lambda each: len(self._waiting[each])))
        self._waiting.setdefault(sandbox, {})[checkout] = waiting
        self._count += 1
        self._timer.set(f"{sandbox}/{checkout}", self._lasts)

    def find(self, sandbox: str, checkout: str) -> WaitingCodes | None:
        """What waits there."""
        return self._waiting.get(sandbox, {}).get(checkout)

    def erase(self, sandbox: str, checkout: str) -> None:
        """Forget what waits there."""
        of_sandbox = self._waiting.get(sandbox, {})
        if of_sandbox.pop(checkout, None) is None:
            return
        self._count -= 1
        self._timer.set(f"{sandbox}/{checkout}", None)
        if not of_sandbox:
            del self._waiting[sandbox]

    def erase_all(self, sandbox: str) -> None:
        """Forget the codes of a sandbox: its epoch is over."""
        for checkout in list(self._waiting.get(sandbox, ())):
            self.erase(sandbox, checkout)

    def _erase_oldest(self, sandbox: str) -> None:
        self.erase(sandbox, next(iter(self._waiting[sandbox])))


class SandboxCodes:
    """Implements ports.Codes for a sandbox: another with the same seed has the same checkouts."""

    __slots__ = ("_all", "_sandbox")

    def __init__(self, all_codes: UnstoredCodes, sandbox: str):
        self._all, self._sandbox = all_codes, sandbox

    def keep(self, checkout: str, sealed: str, codes: Mapping[str, str]) -> None:
        """Keep the codes of the form that is kept for a checkout now."""
        self._all.keep(self._sandbox, checkout, WaitingCodes(_digest(sealed), codes))

    def find(self, checkout: str, sealed: str) -> Mapping[str, str]:
        """The codes of a form; none where they are gone."""
        found = self._all.find(self._sandbox, checkout)
        return NONE if found is None or found.form != _digest(sealed) else found.codes

    def erase(self, checkout: str) -> None:
        """Forget the codes of a checkout."""
        self._all.erase(self._sandbox, checkout)


def _digest(sealed: str) -> bytes:
    """What a form is known by: a sealed text may be long, and stays in the store."""
    return sha256(sealed.encode()).digest()
