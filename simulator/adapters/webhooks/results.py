"""The result writer: stores the results of attempts of all queues, in batches.

A result waits for others for a hundredth of a second, and not at all once its queue is empty: a
crash repeats the attempts whose results were not stored, so they should be few. Source: Events.
Choice: D-84.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import NamedTuple

import gevent
from gevent.event import Event

from simulator.adapters.turns import work_beside
from simulator.domain.core.errors import ConflictError, ContentionError, DiskError, EpochEndedError
from simulator.domain.core.ports import InFlightCounter, Store, unit_of
from simulator.domain.core.slices import SLICE_DELIVERIES
from simulator.domain.core.transact import transact
from simulator.domain.webhooks.events import find_orphaned_events
from simulator.domain.webhooks.records import AttemptResult, Delivery, apply_attempt_result

LOG = logging.getLogger("sandgate.webhooks")
END_OF_TIME = "9999-12-31"
# The size of a batch at which it is written at once, and how long a smaller one waits for more.
BATCH_MAX = 100
BATCH_WAIT_S = 0.01
# Completed deliveries are kept, to be read and replayed, up to this number.
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
    completed deliveries beyond the limit. While it does either, that counts as in flight.

    `wake` is called when a delivery is due later. When the disk refuses, the writer pauses for
    `pause_s` of wire time and tries again.
    """

    __slots__ = ("_greenlet", "_in_flight", "_open_batch", "_pause_s", "_store", "_unsaved",
                 "_wake", "_written_batch")  # fmt: skip

    def __init__(
        self,
        store: Store,
        wake: Callable[[], None],
        in_flight: InFlightCounter,
        *,
        pause_s: float = PAUSE_S,
    ):
        self._store = store
        self._wake = wake
        self._in_flight = in_flight
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
            if self._greenlet is None:
                self._greenlet = work_beside(self._run)
                self._in_flight.begin()
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
                self._remove_surplus(len(batch.attempts))
        except EpochEndedError:
            LOG.debug("the sandbox was reset or deleted: its delivery results are dropped")
        finally:
            self._greenlet = None
            self._in_flight.end()
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

    def _commit(self, attempts: Iterable[CompletedAttempt]) -> None:
        after = [
            apply_attempt_result(each.delivery, each.result, at=each.began_at) for each in attempts
        ]
        self._store.commit(unit_of(*after))
        if any(each.due is not None for each in after):
            self._wake()

    def _refresh(self, attempt: CompletedAttempt) -> CompletedAttempt | None:
        """The result with its delivery as it is stored now, or None if that was removed."""
        delivery = self._store.get(Delivery, attempt.delivery.id)
        return None if delivery is None else attempt._replace(delivery=delivery)

    def _remove_surplus(self, stored: int) -> None:
        """Remove the oldest completed deliveries beyond the limit in slices. While results wait, no
        more than as many as were just `stored`, and a slice. Raises EpochEndedError.
        """
        _, count = self._oldest_completed(0)
        left, removed = count - COMPLETED_MAX >= PRUNE_BATCH, 0
        try:
            while left and (removed <= stored or self._open_batch is None):
                left = transact(self._store, self._remove_slice)
                removed += SLICE_DELIVERIES
                self._store.pause(0)
        except EpochEndedError:
            raise
        except (ContentionError, DiskError) as error:
            LOG.error("completed deliveries are not removed yet: %s", error)
        except Exception:
            LOG.exception("internal error while removing completed deliveries")

    def _remove_slice(self) -> bool:
        """Remove some of them with their events; whether more are left."""
        oldest, count = self._oldest_completed(SLICE_DELIVERIES)
        surplus = list(islice(oldest, max(count - COMPLETED_MAX, 0)))
        removes = (*surplus, *find_orphaned_events(self._store, surplus))
        # Not durable at once: what a crash brings back is removed once more.
        self._store.commit_unflushed(unit_of(removes=removes))
        return count - len(surplus) > COMPLETED_MAX

    def _oldest_completed(self, most: int) -> tuple[Iterator[Delivery], int]:
        """So many of the oldest completed deliveries, and how many there are."""
        return self._store.page(Delivery, "settled", ("", END_OF_TIME), start=0, most=most)
