"""Rest: a world that nobody asks for gives back file, memory and itself, and wakes for due work.

What it cannot give back is its journal, and counters whose windows are still open: the journal goes
to a file beside the log, which a restart does not read (Choice: D-93), the counters stay.
Choice: D-113.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import gevent
from gevent.event import Event

from simulator.adapters.sandboxes.runtime import Kept, Parts, World
from simulator.adapters.sandboxes.wake_alarm import RETRY, Alarm
from simulator.adapters.store.commit import Durability, in_thread
from simulator.domain.core.clock import real_span
from simulator.domain.core.errors import DamagedLogError, DiskError, EpochEndedError
from simulator.domain.throttling.windows import Throttles

LOG = logging.getLogger("sandgate.rest")
# Rounds in which nobody asked for a world before it rests; there are as many in `idle_s`.
QUIET_ROUNDS = 2
# With more worlds than this awake, the next round is at once, and one quiet round is enough.
AWAKE_MAX = 256
JOURNAL = "journal.ring"


class Leaving(NamedTuple):
    """What a world that rests leaves: when it is due, if its journal is in its file, counters."""

    due: timedelta | None
    spooled: bool
    throttles: Throttles | None


class Rest:
    """Lets the worlds in `awake` rest, and calls `wake` for the due work of those that do."""

    def __init__(
        self,
        path: Path,
        parts: Parts,
        *,
        awake: dict[str, World],
        wake: Callable[[str], object],
        idle_s: float,
    ):
        self._path = path
        self._parts = parts
        self._awake = awake
        self._wake = wake
        self._idle_s = 0 if parts.durability is Durability.MEMORY else idle_s
        self._alarm = Alarm(wake)
        self._kept: dict[str, Kept] = {}
        self._throttles: dict[str, Throttles] = {}
        self._spooled: set[str] = set()
        self._crowded = Event()
        self._rounds: gevent.Greenlet | None = None
        self._look: gevent.Greenlet | None = None

    def watch(self, identity: str) -> None:
        """A world is awake: let it rest when its time comes."""
        self._alarm.set(identity, None)
        if self._idle_s and (self._rounds is None or self._rounds.dead):
            self._rounds = gevent.spawn(self._make_rounds)
        if len(self._awake) > AWAKE_MAX:
            self._crowded.set()

    def take_back(self, identity: str) -> Kept:
        """What a world left when it went to rest; for one that never did, an empty journal."""
        kept = self._kept.get(identity)
        if kept is None:
            kept = self._kept[identity] = Kept(self._parts.new_ring())
        kept.throttles = self._throttles.pop(identity, None)
        if identity in self._spooled:
            self._spooled.discard(identity)
            with suppress(OSError):
                kept.ring.load(in_thread(self._journal_of(identity).read_bytes))
        return kept

    def forget(self, identity: str) -> None:
        """The epoch of a sandbox is over, and with it everything it left."""
        kept = self._kept.pop(identity, None)
        if kept is not None:
            kept.ring.wake()
        self._alarm.set(identity, None)
        self._throttles.pop(identity, None)
        if identity in self._spooled:
            self._spooled.discard(identity)
            self._journal_of(identity).unlink(missing_ok=True)

    def look_through(self, identities: list[str]) -> None:
        """Wake these worlds in the background, one after the other; each rests again at once."""
        if self._parts.durability is not Durability.MEMORY:
            self._look = gevent.spawn(self._look_through, identities)

    def stop(self) -> None:
        """Nobody is let rest any more, and nobody is woken."""
        self._alarm.stop()
        gevent.killall([each for each in (self._rounds, self._look) if each is not None])
        for identity in self._spooled:
            self._journal_of(identity).unlink(missing_ok=True)

    def _make_rounds(self) -> None:
        while self._awake:
            crowded = self._crowded.wait(self._idle_s / QUIET_ROUNDS)
            self._crowded.clear()
            for identity in list(self._awake):
                self._visit(identity, 1 if crowded else QUIET_ROUNDS)

    def _visit(self, identity: str, rounds: int) -> None:
        world = self._awake.get(identity)
        if world is not None:
            world.quiet += 1
            if world.quiet > rounds:
                self._let_rest(identity)

    def _look_through(self, identities: list[str]) -> None:
        for identity in identities:
            gevent.sleep(0)
            if self._is_woken(identity):
                self._visit(identity, 0)

    def _is_woken(self, identity: str) -> bool:
        """Whether there is a world to look through; a log that is broken must not hide the
        others.
        """
        try:
            self._wake(identity)
        except (EpochEndedError, DamagedLogError):
            return False
        except DiskError:
            self._alarm.set(identity, RETRY)
            return False
        except Exception:
            LOG.exception("a sandbox could not be looked through for due work")
            return False
        return True

    def _let_rest(self, identity: str) -> bool:
        """Whether the world rests now. A disk that fails keeps it awake, and nobody else."""
        leaving = None
        with suppress(EpochEndedError):
            try:
                leaving = self._prepared(identity)
            except (DiskError, OSError) as error:
                LOG.warning("a sandbox stays awake: %s", error)
        # From here on nothing switches, so nobody can ask for the world between look and leap.
        world = self._awake.get(identity)
        if world is None:
            return False
        if leaving is None or not world.quiet or world.is_busy or not world.store.sleep():
            world.scheduler.wake()
            return False
        del self._awake[identity]
        world.hang_up()
        self._remember(identity, leaving)
        return True

    def _prepared(self, identity: str) -> Leaving | None:
        """All about leaving that has to wait for something; None where the world has to stay."""
        world, ring = self._awake[identity], self._kept[identity].ring
        if world.is_busy or ring.has_waiters or not world.scheduler.rest():
            return None
        world.keep_draws()
        ring.drop_expired(self._parts.clock.now())
        spooled = not ring.is_empty and in_thread(_written, self._journal_of(identity), ring.dump())
        clock, throttles = world.ports.clock, world.ports.throttles
        due, real = self._parts.next_due(world.ports), clock.real()
        return Leaving(
            due=None if due is None else real_span(clock.setting, due, real),
            spooled=spooled,
            throttles=throttles if throttles.is_counting(clock.now()) else None,
        )

    def _remember(self, identity: str, leaving: Leaving) -> None:
        self._alarm.set(identity, leaving.due)
        del self._kept[identity]
        if leaving.throttles is not None:
            self._throttles[identity] = leaving.throttles
        if leaving.spooled:
            self._spooled.add(identity)

    def _journal_of(self, identity: str) -> Path:
        return self._path / identity / JOURNAL


def _written(path: Path, content: bytes) -> bool:
    path.parent.mkdir(0o700, exist_ok=True)
    path.touch(0o600)
    path.write_bytes(content)
    return True
