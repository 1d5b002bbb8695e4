"""The challenges of an ACS: what is kept of each, how one goes on, and the memory of all of them.

Nothing here waits: time is handed in. No card number is kept. Choice: D-202.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

LIFETIME = timedelta(minutes=10)
LATE = timedelta(minutes=40)
# In memory beyond its life: a shopper that reloads the last page is led back once more.
KEPT_FOR = timedelta(hours=1)
# Of each sandbox: those of one never make room for those of another.
KEPT_MAX = 10_000
# Of callers that hold the key of no sandbox, all together.
KEPT_OF_NO_SANDBOX_MAX = 1_000
CODES_WRONG_MAX = 3


class Action(StrEnum):
    """What a shopper may do on the page."""

    APPROVE = "approve"
    DECLINE = "decline"
    CANCEL = "cancel"
    WRONG = "wrong"


class End(NamedTuple):
    """How a challenge ends: transStatus, its reason, challengeCancel."""

    status: str
    reason: str = ""
    cancel: str = ""


# fmt: off
APPROVED =    End("Y")
DECLINED =    End("N", "01")
CANCELLED =   End("N", "01", "01")
EXHAUSTED =   End("N", "19")
TIMED_OUT =   End("N", "14", "04")
NEVER_SEEN =  End("N", "14", "05")
# fmt: on
ENDS = {Action.APPROVE: APPROVED, Action.DECLINE: DECLINED, Action.CANCEL: CANCELLED}


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    """One transaction of the ACS. `step` is the word of a script, `code` the shopper's one-time
    code.

    `begun` is world time of `sandbox`, `kept_since` real time. With `owed_at` an RReq is still to
    be sent, again or late.
    """

    server_id: str
    ds_id: str
    acs_id: str
    version: str
    sandbox: str
    payment: str
    step: str
    brand: str | None
    last4: str
    amount: str
    merchant: str
    results_url: str
    return_url: str
    code: str
    begun: datetime
    kept_since: datetime
    value: str
    is_open: bool = False
    session_data: str | None = None
    wrong: int = 0
    interactions: int = 0
    end: End | None = None
    owed_at: datetime | None = None

    def __repr__(self) -> str:
        return f"Challenge({self.acs_id})"

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits for the shopper, or owes a result."""
        return self.end is None or self.owed_at is not None

    @property
    def attempts_left(self) -> int:
        """How often a code may still be entered."""
        return CODES_WRONG_MAX - self.wrong


def opened(challenge: Challenge, session_data: str | None) -> Challenge:
    """The browser came with a CReq."""
    return replace(challenge, is_open=True, session_data=session_data)


def entered(challenge: Challenge, code: str) -> Challenge:
    """A code was entered; the third wrong one ends it."""
    done = "".join(code.split()) == challenge.code
    return acted(challenge, Action.APPROVE if done else Action.WRONG)


def acted(challenge: Challenge, action: Action) -> Challenge:
    """The challenge after an action; one that has ended stays as it is."""
    if challenge.end is not None:
        return challenge
    wrong = challenge.wrong + (action is Action.WRONG)
    end = ENDS.get(action) or (EXHAUSTED if wrong >= CODES_WRONG_MAX else None)
    return replace(
        challenge, wrong=wrong, interactions=min(challenge.interactions + 1, 99), end=end
    )


def timed_out(challenge: Challenge, now: datetime) -> Challenge:
    """The challenge at `now`: its time may be over."""
    if challenge.end is not None or now - challenge.begun < LIFETIME:
        return challenge
    return replace(challenge, end=TIMED_OUT if challenge.is_open else NEVER_SEEN)


class Challenges:
    """Those of all sandboxes, bounded by age, and by count in each sandbox (`""`: in none)."""

    __slots__ = ("_kept", "_kept_in", "_most", "_most_in_none")

    def __init__(self, most: int = KEPT_MAX, *, most_in_none: int = KEPT_OF_NO_SANDBOX_MAX):
        self._kept: dict[str, Challenge] = {}
        self._kept_in: dict[str, dict[str, None]] = {}
        self._most = most
        self._most_in_none = most_in_none

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, acs_id: str) -> Challenge | None:
        """The challenge with this id, or None."""
        return self._kept.get(acs_id.lower())

    def keep(self, challenge: Challenge) -> Challenge:
        """Keep a new or changed one; the oldest of its sandbox makes room for it."""
        self._kept[challenge.acs_id] = challenge
        of_sandbox = self._kept_in.setdefault(challenge.sandbox, {})
        of_sandbox[challenge.acs_id] = None
        most = self._most if challenge.sandbox else self._most_in_none
        while len(of_sandbox) > most:
            self._drop(self._kept[next(iter(of_sandbox))])
        return challenge

    def unfinished(self) -> Mapping[str, list[str]]:
        """The ids of those that are unfinished, by sandbox."""
        found: dict[str, list[str]] = {}
        for each in self._kept.values():
            if each.is_unfinished:
                found.setdefault(each.sandbox, []).append(each.acs_id)
        return found

    def forget(self, real: datetime) -> None:
        """Drop those whose time is over, oldest first."""
        for each in list(self._kept.values()):
            if real - each.kept_since < KEPT_FOR:
                return
            self._drop(each)

    def _drop(self, challenge: Challenge) -> None:
        del self._kept[challenge.acs_id]
        of_sandbox = self._kept_in[challenge.sandbox]
        del of_sandbox[challenge.acs_id]
        if not of_sandbox:
            del self._kept_in[challenge.sandbox]
