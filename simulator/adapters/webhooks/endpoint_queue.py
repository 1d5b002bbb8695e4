"""The queue of one endpoint: its deliveries are attempted in order, one at a time."""

import logging
import sys
from collections import deque
from collections.abc import Callable
from datetime import datetime
from functools import partial

import gevent
from gevent.event import Event

from simulator.adapters.turns import work_beside
from simulator.adapters.webhooks.attempts import (
    AttemptBuilder,
    DispatcherPorts,
    PreparedAttempt,
    report_attempt,
)
from simulator.adapters.webhooks.large_events import LargeEvents
from simulator.adapters.webhooks.queue_turns import QueueTurns
from simulator.adapters.webhooks.results import AttemptResultWriter, CompletedAttempt
from simulator.adapters.webhooks.sender import Sender
from simulator.domain.core.errors import DamagedLogError, EpochEndedError
from simulator.domain.core.ports import InFlightCounter
from simulator.domain.holding import About, Stop, hold_at
from simulator.domain.webhooks.events import host_of_event
from simulator.domain.webhooks.records import AttemptResult

LOG = logging.getLogger("sandgate.webhooks")
DROPPED = "dropped at a breakpoint"
# So often a delivery is attempted that fails inside; then it waits for the next start.
FAULTS_MAX = 3


class EndpointQueue:
    """Attempts the deliveries to one endpoint in a greenlet of its own, which calls `on_end` when
    it ends: once it has had no work for `keep_alive_s`. After a fault it pauses for `pause_s` of
    wire time.
    """

    __slots__ = (
        "greenlet", "_builder", "_clock", "_faults", "_has_work", "_in_flight", "_is_counted",
        "_is_ending", "_is_faulty", "_journal", "_keep_alive_s", "_known", "_next", "_on_end",
        "_pause_s", "_ports", "_reloads", "_results", "_sender", "_turns", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        ports: DispatcherPorts,
        results: AttemptResultWriter,
        in_flight: InFlightCounter,
        *,
        large: LargeEvents,
        turns: QueueTurns,
        pause_s: float,
        keep_alive_s: Callable[[], float],
        on_end: Callable[[], object],
    ):
        self._ports = ports
        self._clock = ports.clock
        self._journal = ports.journal
        self._builder = AttemptBuilder(ports, large)
        self._sender = Sender(ports.connector, ports.inbox)
        self._results, self._turns = results, turns
        self._in_flight = in_flight
        self._pause_s = pause_s
        self._keep_alive_s = keep_alive_s
        self._on_end = on_end
        self._waiting: deque[str] = deque()
        self._known: set[str] = set()
        self._faults: dict[str, int] = {}
        self._next: PreparedAttempt | None = None
        self._reloads = 0
        self._has_work = Event()
        self._is_counted = False
        self._is_ending = False
        self._is_faulty = False
        self.greenlet = work_beside(self._run)

    def enqueue(self, identity: str) -> None:
        """Append a delivery that does not wait here, nor is attempted. Until the queue is empty it
        counts as in flight.
        """
        if identity in self._known:
            return
        self._known.add(identity)
        self._waiting.append(identity)
        self._has_work.set()
        if not self._is_counted:
            self._is_counted = True
            self._turns.busy += 1
            self._in_flight.begin()

    @property
    def is_idle(self) -> bool:
        """Whether it has no work, and goes on to wait for some."""
        return not self._is_counted and not self._is_ending

    def end(self) -> None:
        """Let it end as soon as it has no work."""
        self._is_ending = True
        self._has_work.set()

    def knows(self, identity: str) -> bool:
        """Whether a delivery waits here, is attempted, or was just now."""
        return identity in self._known or self._results.holds(identity)

    def reload_endpoint(self) -> None:
        """Read the endpoint again before the next attempt, also where that is prepared already, or
        just now.
        """
        self._builder.forget_endpoint()
        self._reloads += 1
        if self._next is not None:
            self._waiting.appendleft(self._next.delivery.id)
            self._next = None

    def _run(self) -> None:
        try:
            while self._has_work.wait(0 if self._is_ending else self._keep_alive_s()):
                self._deliver_all()
        except EpochEndedError:
            LOG.debug("the sandbox was reset or deleted: its pending deliveries are dropped")
        finally:
            # No greenlet switch happens between the end of the wait and here, so no delivery can
            # have been appended meanwhile.
            self._on_end()
            self._become_idle()
            self._sender.close()

    def _deliver_all(self) -> None:
        while self._waiting or self._next is not None:
            self._turns.take()
            self._prepare_next()
            attempt, self._next = self._next, None
            if attempt is not None:
                self._deliver(attempt)
            if self._is_faulty:
                self._is_faulty = False
                gevent.sleep(self._pause_s)
            if not self._waiting and self._next is None:
                self._results.flush()
        self._become_idle()

    def _deliver(self, attempt: PreparedAttempt) -> None:
        try:
            completed = self._attempt(attempt)
        except EpochEndedError:
            raise
        except Exception:
            self._requeue(attempt.delivery.id)
        else:
            self._faults.pop(attempt.delivery.id, None)
            if completed is not None:
                self._results.append(completed)
            self._known.discard(attempt.delivery.id)

    def _attempt(self, attempt: PreparedAttempt) -> CompletedAttempt | None:
        began_at = self._clock.now()
        if Stop.WEBHOOKS in self._ports.holds.stops:
            let_go = self._held(attempt)
            if let_go is None:
                return None
            attempt = let_go
        if not attempt.large_bytes:
            return self._carry_out(attempt, began_at)
        with self._builder.place_of(attempt):
            whole = self._as_now(partial(self._builder.complete, attempt))
            return None if whole is None else self._carry_out(whole, self._clock.now())

    def _as_now(self, prepare: Callable[[], PreparedAttempt | None]) -> PreparedAttempt | None:
        """What `prepare` makes of an attempt that waited, for the endpoint as it is now."""
        reloads = -1
        while reloads != self._reloads:
            reloads = self._reloads
            self._builder.forget_endpoint()
            prepared = prepare()
        return prepared

    def _carry_out(self, attempt: PreparedAttempt, began_at: datetime) -> CompletedAttempt:
        if attempt.request is None:
            result = attempt.unsent
        else:
            result = self._sender.send(attempt.request, while_waiting=self._prepare_next)
        self._journal(report_attempt(attempt, result))
        if result.is_success and attempt.copies:
            self._send_copies(attempt)
        return CompletedAttempt(attempt.delivery, result, began_at)

    def _held(self, attempt: PreparedAttempt) -> PreparedAttempt | None:
        """The attempt as a person let it go on, prepared anew, its request gone where he dropped
        it; None where it is due no more. Choice: D-719.
        """
        event = attempt.event
        subject = About(event.payment or "", event.ndc, host_of_event(self._ports, event))
        label = report_attempt(attempt, AttemptResult()).event
        let = hold_at(self._ports, Stop.WEBHOOKS, subject, label)
        if let.is_dropped:
            unsent = AttemptResult(error=DROPPED)
            return attempt._replace(request=None, unsent=unsent, large_bytes=0)
        return self._as_now(partial(self._builder.prepare, attempt.delivery.id, let.faults))

    def _send_copies(self, attempt: PreparedAttempt) -> None:
        """Send the duplicates that a script asks for; their results change nothing."""
        if attempt.endpoint is None:
            return
        for _ in range(attempt.copies):
            request = self._builder.build_request(attempt.endpoint, attempt.event, attempt.delivery)
            self._journal(report_attempt(attempt, self._sender.send(request)))

    def _prepare_next(self) -> None:
        """Prepare the next attempt: while one waits for its response there is time for it."""
        while self._waiting and self._next is None and not self._is_faulty:
            identity, reloads = self._waiting.popleft(), self._reloads
            try:
                prepared = self._builder.prepare(identity)
            except EpochEndedError:
                # The next commit raises it again, and ends the queue.
                self._waiting.clear()
                self._known.clear()
            except Exception:
                self._requeue(identity)
            else:
                self._keep_prepared(identity, prepared, is_current=reloads == self._reloads)

    def _keep_prepared(
        self, identity: str, prepared: PreparedAttempt | None, *, is_current: bool
    ) -> None:
        if is_current:
            self._next = prepared
            if prepared is None:
                self._known.discard(identity)
        else:
            # The endpoint was changed while the attempt was read.
            self._builder.forget_endpoint()
            self._waiting.appendleft(identity)

    def _requeue(self, identity: str) -> None:
        """After an internal fault: attempt the delivery again, behind the others, after a pause;
        one that fails again and again no more, else its sandbox would never be idle. Choice: D-600.
        """
        faults = self._faults[identity] = self._faults.get(identity, 0) + 1
        # What is damaged was named when it was read.
        is_fault = not isinstance(sys.exception(), DamagedLogError)
        LOG.error("internal error in an attempt to deliver a webhook, %d of %d until the next "
                  "start of the gateway", faults, FAULTS_MAX, exc_info=is_fault)  # fmt: skip
        if faults < FAULTS_MAX:
            self._waiting.append(identity)
        else:
            del self._faults[identity]
            self._known.discard(identity)
        self._is_faulty = True

    def _become_idle(self) -> None:
        self._has_work.clear()
        if self._is_counted:
            self._is_counted = False
            self._turns.busy -= 1
            self._in_flight.end()
