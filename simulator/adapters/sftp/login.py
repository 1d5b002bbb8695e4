"""Who may log in: a merchant by its id, with its password or one of its keys.

A wrong password is answered later each time, for its user and for its address, and until then no
other password from there for that user is looked at, so that guessing takes years whether or not
the client waits. An unknown user, a wrong password and a foreign key are answered alike.
Choice: D-421.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest
from pathlib import Path
from time import monotonic
from weakref import WeakSet

import gevent
from paramiko import Channel, PKey, ServerInterface
from paramiko.common import (
    AUTH_FAILED,
    AUTH_SUCCESSFUL,
    OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED,
    OPEN_FAILED_RESOURCE_SHORTAGE,
    OPEN_SUCCEEDED,
)

from simulator.adapters.logs import LimitedLog
from simulator.adapters.sftp.client_turns import ClientTurns, OwnTurns
from simulator.adapters.sftp.handles import Handles
from simulator.adapters.sftp.users import FindUser, SftpUser

NAME_LENGTH_MAX = 64
SUSPECTS_MAX = 10_000
FORGET_AFTER_S = 900.0
FIRST_DELAY_S = 0.2
DELAY_S_MAX = 8.0
LOGIN_WITHIN_S = 60.0
IDLE_S = 300.0
CHANNELS_MAX = 10
# The library keeps the number of each that there was.
CHANNELS_IN_ALL_MAX = 10_000
LOOK_S = 0.2


class Suspicion:
    """Counts wrong passwords by user and by address, for so many of them at most."""

    def __init__(self, now: Callable[[], float] = monotonic):
        self._now = now
        self._counts: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._barred: OrderedDict[str, float] = OrderedDict()

    def bar(self, suspect: str, seconds: float) -> None:
        """Look at no other try of this one for so long, whether its client waits or not."""
        self._barred[suspect] = self._now() + seconds
        self._barred.move_to_end(suspect)
        if len(self._barred) > SUSPECTS_MAX:
            self._barred.popitem(last=False)

    def barred_s(self, suspect: str) -> float:
        """Seconds until a try of this one is looked at; 0: now."""
        return max(0.0, self._barred.get(suspect, 0.0) - self._now())

    def delay_after(self, *suspects: str) -> float:
        """Count one more failure of each; the seconds to wait before it is answered."""
        count = max(self._count(each) for each in suspects)
        return float(min(FIRST_DELAY_S * 2 ** min(count - 1, 16), DELAY_S_MAX))

    def forget(self, suspect: str) -> None:
        """Count from nought again: it has logged in."""
        self._counts.pop(suspect, None)

    def forget_part(self, suspect: str, part: str) -> None:
        """Of the failures of one, count those no longer that were counted as `part`, too."""
        made, made_at = self._counts.pop(part, (0, 0.0))
        count, last = self._counts.pop(suspect, (0, 0.0))
        left = count if self._now() - made_at > FORGET_AFTER_S else count - made
        if left > 0:
            self._counts[suspect] = (left, last)

    def _count(self, suspect: str) -> int:
        count, last = self._counts.pop(suspect, (0, 0.0))
        now = self._now()
        count = 1 if now - last > FORGET_AFTER_S else count + 1
        self._counts[suspect] = (count, now)
        if len(self._counts) > SUSPECTS_MAX:
            self._counts.popitem(last=False)
        return count


@dataclass(frozen=True, slots=True)
class Gatekeeper:
    """What the logins of all connections share. `crowded_by` says who has too many connections
    for one more of the user, None where it may have one.
    """

    find: FindUser
    suspicion: Suspicion
    crowded_by: Callable[[SftpUser], str | None]
    log: LimitedLog
    turns: ClientTurns = field(default_factory=ClientTurns)
    handles: Handles = field(default_factory=Handles)


class SftpLogin(ServerInterface):
    """The login of one connection, and what its client may open. `deadline` is when the connection
    ends if nothing happens, in seconds of the monotonic clock.
    """

    def __init__(self, gatekeeper: Gatekeeper, address: str):
        self._gatekeeper = gatekeeper
        self.address = address
        self.turns = OwnTurns(gatekeeper.turns, address, address)
        self._user: SftpUser | None = None
        self.open_channels: Callable[[], int] = int
        self.has_left: Callable[[], bool] = bool
        self.cut: Callable[[], object] = bool
        self._channels_with_session: WeakSet[Channel] = WeakSet()
        self.deadline = monotonic() + LOGIN_WITHIN_S

    @property
    def name(self) -> str:
        """Who logs in: known with the right password or key, before its signature is seen."""
        return "" if self._user is None else self._user.name

    @property
    def sandbox(self) -> str:
        """Whose share of the connections it takes; nothing before it is known who logs in."""
        return "" if self._user is None else self._user.sandbox

    @property
    def folder(self) -> Path:
        """The folder of the merchant that has logged in."""
        assert self._user is not None, "sessions begin after the login"
        return self._user.folder

    @property
    def handles(self) -> Handles:
        """What all sessions have open."""
        return self._gatekeeper.handles

    def touch(self) -> None:
        """Something happens after the login: the connection stays."""
        self.deadline = monotonic() + IDLE_S

    def may_go_on(self) -> bool:
        """Whether the access is still there as it was at the login. Where it is not, the connection
        ends.
        """
        may = self._user is not None and self._user.has_access()
        if not may:
            self._gatekeeper.log.info("a connection was closed: the access of its merchant ended")
            self.cut()
        return may

    def get_allowed_auths(self, username: str) -> str:
        """How one may log in."""
        return "publickey,password"

    def check_auth_password(self, username: str, password: str | bytes) -> int:
        """Whether it is the merchant's password, bytes where it is no UTF-8; a no takes its
        time.
        """
        suspicion, name = self._gatekeeper.suspicion, username[:NAME_LENGTH_MAX]
        suspect = self._from_here(name)
        while (barred_s := suspicion.barred_s(suspect)) > 0:
            if self._has_left_after(barred_s):
                return AUTH_FAILED
        user = self._find(username)
        expected = "" if user is None else user.password
        sent = password if isinstance(password, bytes) else password.encode()
        if compare_digest(sent, expected.encode()) and expected and user is not None:
            return self._admit(user)
        delay_s = suspicion.delay_after(f"user {name}", self.address, suspect)
        suspicion.bar(suspect, delay_s)
        self._has_left_after(delay_s)
        self._gatekeeper.log.warning("a login was refused: unknown merchant, or another password")
        return AUTH_FAILED

    def check_auth_publickey(self, username: str, key: PKey) -> int:
        """Whether it is a key of the merchant; the library checks the signature afterwards, if one
        was sent at all: a public key is known to many.
        """
        user = self._find(username)
        sent = f"{key.get_name()} {key.get_base64()}"
        if user is not None and sent in user.keys:
            return self._admit(user)
        return AUTH_FAILED

    def enter(self) -> None:
        """The login has succeeded: its merchant takes turns from here on, wrong passwords for it
        count from nought again, and from its address those for others alone.
        """
        self.turns.group, self.turns.client = self.sandbox, self.name
        suspicion = self._gatekeeper.suspicion
        suspicion.forget(f"user {self.name}")
        suspicion.forget_part(self.address, self._from_here(self.name))

    def check_channel_request(self, kind: str, chanid: int) -> int:
        """Sessions alone, so many at once; which subsystem they may be, the library knows."""
        # Channels are opened after the login alone.
        self.touch()
        if kind != "session" or not self.may_go_on():
            return OPEN_FAILED_ADMINISTRATIVELY_PROHIBITED
        has_room = self.open_channels() < CHANNELS_MAX and chanid < CHANNELS_IN_ALL_MAX
        return OPEN_SUCCEEDED if has_room else OPEN_FAILED_RESOURCE_SHORTAGE

    def check_channel_subsystem_request(self, channel: Channel, name: str) -> bool:
        """One session a channel: more of them would wait for the same requests."""
        if channel in self._channels_with_session:
            return False
        self._channels_with_session.add(channel)
        return super().check_channel_subsystem_request(channel, name)

    def check_channel_exec_request(self, channel: Channel, command: bytes) -> bool:
        """No command is ever run: some clients try one that makes checksums."""
        return False

    def _has_left_after(self, seconds: float) -> bool:
        """Whether the client has left, after so many seconds, or as soon as it has: a connection
        must not stay in memory for the rest of them.
        """
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            if self.has_left():
                return True
            gevent.sleep(min(left, LOOK_S))
        return self.has_left()

    def _find(self, username: str) -> SftpUser | None:
        return self._gatekeeper.find(username) if len(username) <= NAME_LENGTH_MAX else None

    def _from_here(self, name: str) -> str:
        return f"{name} from {self.address}"

    def _admit(self, user: SftpUser) -> int:
        crowd = self._gatekeeper.crowded_by(user)
        if crowd is not None:
            self._gatekeeper.log.warning("a login was refused: too many connections of a %s", crowd)
            return AUTH_FAILED
        self._user = user
        return AUTH_SUCCESSFUL
