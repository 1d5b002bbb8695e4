"""How attempts to deliver ended: stored in one place for all lanes of a courier, several at a time.

An end waits for others no longer than a hundredth of a second, and not at all once its lane has
nothing more to carry: what a crash takes back is attempted again, and should be little. Source:
Events. Choice: D-84.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import gevent
from gevent.event import Event

from simulator.domain.core.errors import ConflictError, DiskError, EpochEndedError
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.webhooks.events import lonely_notices
from simulator.domain.webhooks.records import Delivery, Reply, attempted

LOG = logging.getLogger("sandgate.webhooks")
END_OF_TIME = "9999-12-31"
# Ends that may wait to be stored, and how long the first of them waits for the others.
WAITING_MAX = 100
GATHER_S = 0.01
# Settled deliveries that are kept, to look at them and to send them again.
KEPT_MAX = 1000
PRUNED_AT_ONCE = 100
PAUSE_S = 1.0


class End(NamedTuple):
    """How an attempt to make a delivery ended, and the instant it was begun."""

    delivery: Delivery
    reply: Reply
    at: datetime


class Batch:
    """Ends that are stored together; `hurry` says that somebody waits for them, `done` that none
    needs to any more.
    """

    __slots__ = ("done", "ends", "hurry")

    def __init__(self) -> None:
        self.ends: list[End] = []
        self.hurry = Event()
        self.done = Event()


class Ends:
    """Stores ends in a greenlet that lives while there are any, and removes the oldest settled
    deliveries beyond what is kept. `wake` says that something is due later; after a refusal of the
    disk it pauses for `pause_s` of wire time.
    """

    __slots__ = ("_kept", "_open", "_pause_s", "_store", "_stored", "_wake", "_writer")

    def __init__(self, store: Store, wake: Callable[[], None], *, pause_s: float = PAUSE_S):
        self._pause_s = pause_s
        self._store = store
        self._wake = wake
        self._kept: int | None = None
        self._open: Batch | None = None
        self._stored: Batch | None = None
        self._writer: gevent.Greenlet | None = None

    def put(self, end: End) -> None:
        """Take an end to store. Waits where too many wait already, as while the disk is full."""
        batch = self._open
        if batch is None:
            batch = self._open = Batch()
            self._writer = self._writer or gevent.spawn(self._write)
        batch.ends.append(end)
        if len(batch.ends) >= WAITING_MAX:
            batch.hurry.set()
            if self._stored is not None:
                batch.done.wait()

    def settle(self) -> None:
        """Return when every end that was put is stored, or the epoch is over."""
        batch = self._open or self._stored
        if batch is not None:
            batch.hurry.set()
            batch.done.wait()

    def stop(self) -> None:
        """The epoch is over: store nothing more."""
        if self._writer is not None:
            self._writer.kill(block=False)

    def _write(self) -> None:
        try:
            while (batch := self._open) is not None:
                batch.hurry.wait(GATHER_S)
                self._open, self._stored = None, batch
                self._keep(batch.ends)
                batch.done.set()
        except EpochEndedError:
            LOG.debug("the sandbox was reset or deleted: how deliveries ended in it is dropped")
        finally:
            self._writer = None
            for left in (self._open, self._stored):
                if left is not None:
                    left.done.set()
            self._open = self._stored = None

    def _keep(self, ends: Iterable[End]) -> None:
        """Store these ends, however often it takes: a disk that refuses them is asked again, and a
        fault of ours loses none. Raises EpochEndedError.
        """
        last = {end.delivery.id: end for end in ends}
        while last:
            try:
                self._save(last.values())
                return
            except ConflictError:
                last = {name: end for name, each in last.items() if (end := self._anew(each))}
            except DiskError:
                LOG.error("how deliveries ended is not stored yet: the disk refuses; trying again")
                gevent.sleep(self._pause_s)
            except EpochEndedError:
                raise
            except Exception:
                LOG.exception("how deliveries ended met a fault, it is stored again")
                gevent.sleep(self._pause_s)

    def _save(self, ends: Iterable[End]) -> None:
        after = [attempted(end.delivery, end.reply, at=end.at) for end in ends]
        kept = self._count() + sum(each.settled_at is not None for each in after)
        surplus = self._oldest(kept - KEPT_MAX) if kept >= KEPT_MAX + PRUNED_AT_ONCE else []
        removes = (*surplus, *lonely_notices(self._store, surplus))
        self._store.commit(unit_of(*after, removes=removes))
        self._kept = kept - len(surplus)
        if any(each.due is not None for each in after):
            self._wake()

    def _anew(self, end: End) -> End | None:
        """The end of a delivery as it is stored now, or None where it is no more."""
        self._kept = None
        delivery = self._store.get(Delivery, end.delivery.id)
        return None if delivery is None else end._replace(delivery=delivery)

    def _count(self) -> int:
        if self._kept is None:
            self._kept = sum(1 for _ in self._settled())
        return self._kept

    def _settled(self) -> Iterable[Delivery]:
        return self._store.between(Delivery, "settled", "", END_OF_TIME)

    def _oldest(self, count: int) -> list[Delivery]:
        return list(islice(self._settled(), count))
