"""The result writer: stores the results of attempts of all queues, in batches.

A result waits for others for a hundredth of a second, and not at all once its queue is empty: a
crash repeats the attempts whose results were not stored, so they should be few. Source: Events.
Choice: D-84.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import gevent
from gevent.event import Event

from simulator.domain.core.errors import ConflictError, DiskError, EpochEndedError
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.webhooks.events import find_orphaned_events
from simulator.domain.webhooks.records import AttemptResult, Delivery, apply_attempt_result

LOG = logging.getLogger("sandgate.webhooks")
END_OF_TIME = "9999-12-31"
# The size of a batch at which it is written at once, and how long a smaller one waits for more.
BATCH_MAX = 100
BATCH_WAIT_S = 0.01
# Completed deliveries are kept, to be read and replayed, up to this number. So many of those beyond
# it are removed at once, which takes a few milliseconds.
COMPLETED_MAX = 1000
PRUNE_BATCH = 100
PAUSE_S = 1.0


class CompletedAttempt(NamedTuple):
    """An attempt with its result, and the instant at which it began."""

    delivery: Delivery
    result: AttemptResult
    began_at: datetime


class ResultBatch:
    """Results that are stored together: `hurry` is set to write them at once, `done` when they are
    stored or dropped.
    """

    __slots__ = ("attempts", "done", "hurry")

    def __init__(self) -> None:
        self.attempts: list[CompletedAttempt] = []
        self.hurry = Event()
        self.done = Event()


class AttemptResultWriter:
    """Stores results in a greenlet that lives while there are any, and removes the oldest
    completed deliveries beyond the limit.

    `wake` is called when a delivery is due later. When the disk refuses, the writer pauses for
    `pause_s` of wire time and tries again.
    """

    __slots__ = ("_greenlet", "_open_batch", "_pause_s", "_store", "_unsaved", "_wake",
                 "_written_batch")  # fmt: skip

    def __init__(self, store: Store, wake: Callable[[], None], *, pause_s: float = PAUSE_S):
        self._store = store
        self._wake = wake
        self._pause_s = pause_s
        self._open_batch: ResultBatch | None = None
        self._written_batch: ResultBatch | None = None
        self._greenlet: gevent.Greenlet | None = None
        self._unsaved: set[str] = set()

    def holds(self, identity: str) -> bool:
        """Whether a result of this delivery is not stored yet."""
        return identity in self._unsaved

    def append(self, attempt: CompletedAttempt) -> None:
        """Append a result. Waits while too many wait already, for instance on a full disk."""
        batch = self._open_batch
        if batch is None:
            batch = self._open_batch = ResultBatch()
            self._greenlet = self._greenlet or gevent.spawn(self._run)
        batch.attempts.append(attempt)
        self._unsaved.add(attempt.delivery.id)
        if len(batch.attempts) >= BATCH_MAX:
            batch.hurry.set()
            if self._written_batch is not None:
                batch.done.wait()

    def flush(self) -> None:
        """Return when every appended result is stored, or the epoch has ended."""
        batch = self._open_batch or self._written_batch
        if batch is not None:
            batch.hurry.set()
            batch.done.wait()

    def stop(self) -> None:
        """Store nothing more: the epoch has ended."""
        if self._greenlet is not None:
            self._greenlet.kill(block=False)

    def _run(self) -> None:
        try:
            while (batch := self._open_batch) is not None:
                batch.hurry.wait(BATCH_WAIT_S)
                self._open_batch, self._written_batch = None, batch
                self._write(batch.attempts)
                self._unsaved.difference_update([each.delivery.id for each in batch.attempts])
                batch.done.set()
                self._prune()
        except EpochEndedError:
            LOG.debug("the sandbox was reset or deleted: its delivery results are dropped")
        finally:
            self._greenlet = None
            for dropped in (self._open_batch, self._written_batch):
                if dropped is not None:
                    dropped.done.set()
            self._open_batch = self._written_batch = None
            self._unsaved.clear()

    def _write(self, attempts: Iterable[CompletedAttempt]) -> None:
        """Store these results, trying again after a refusal of the disk or an internal fault.

        Raises EpochEndedError.
        """
        pending = {each.delivery.id: each for each in attempts}
        while pending:
            try:
                self._commit(pending.values())
                return
            except ConflictError:
                pending = {
                    name: fresh for name, each in pending.items() if (fresh := self._refresh(each))
                }
            except DiskError:
                LOG.error("delivery results are not stored yet: the disk refused; trying again")
                gevent.sleep(self._pause_s)
            except EpochEndedError:
                raise
            except Exception:
                LOG.exception("internal error while storing delivery results; trying again")
                gevent.sleep(self._pause_s)

    def _prune(self) -> None:
        """Remove what is still beyond the limit, as after an endpoint was removed, some at a time.
        The rest is removed with the next results, and after them.
        """
        try:
            while self._open_batch is None and (surplus := self._find_surplus(())):
                self._store.pause(0)
                removes = (*surplus, *find_orphaned_events(self._store, surplus))
                self._store.commit(unit_of(removes=removes))
        except (ConflictError, DiskError):
            LOG.debug("completed deliveries beyond the limit stay for a while")

    def _commit(self, attempts: Iterable[CompletedAttempt]) -> None:
        after = [
            apply_attempt_result(each.delivery, each.result, at=each.began_at) for each in attempts
        ]
        surplus = self._find_surplus(after)
        removes = (*surplus, *find_orphaned_events(self._store, surplus))
        self._store.commit(unit_of(*after, removes=removes))
        if any(each.due is not None for each in after):
            self._wake()

    def _refresh(self, attempt: CompletedAttempt) -> CompletedAttempt | None:
        """The result with its delivery as it is stored now, or None if that was removed."""
        delivery = self._store.get(Delivery, attempt.delivery.id)
        return None if delivery is None else attempt._replace(delivery=delivery)

    def _find_surplus(self, after: Sequence[Delivery]) -> list[Delivery]:
        """Some of the oldest completed deliveries, where they are too many with `after`."""
        changed = {each.id for each in after}
        bounds = ("", END_OF_TIME)
        _, stored = self._store.page(Delivery, "settled", bounds, start=0, most=0)
        count = stored + sum(each.settled_at is not None for each in after)
        if count < COMPLETED_MAX + PRUNE_BATCH:
            return []
        oldest = islice(self._store.between(Delivery, "settled", *bounds), PRUNE_BATCH)
        return [each for each in oldest if each.id not in changed]
