"""The pacer of one sandbox: runs due work when its time comes on the sandbox's clock."""

import logging
from collections.abc import Callable
from datetime import datetime

import gevent

from simulator.adapters.world_clock import WorldClock
from simulator.domain.errors import Gone

LOG = logging.getLogger("sandgate.due")
FAULT_PAUSE_S = 1.0


class Pacer:
    """Implements ports.Pacer. Its greenlet lives only while something is due, so an idle sandbox has none."""

    __slots__ = ("_clock", "_greenlet", "_next_due", "_run")

    def __init__(
        self,
        clock: WorldClock,
        *,
        next_due: Callable[[], datetime | None],
        run: Callable[[], object],
    ):
        self._clock = clock
        self._next_due = next_due
        self._run = run
        self._greenlet: gevent.Greenlet | None = None

    def wake(self) -> None:
        """Look again: something due was stored, or the clock was changed."""
        self._clock.nudge()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._beat)

    def rest(self) -> None:
        """Stop for good: the epoch is over."""
        if self._greenlet is not None:
            self._greenlet.kill()

    def _beat(self) -> None:
        try:
            while (due := self._next_due()) is not None:
                if due <= self._clock.now():
                    self._run_safely()
                else:
                    self._clock.doze(due)
        except Gone:
            return

    def _run_safely(self) -> None:
        """A fault in due work must not stop what is due after it."""
        try:
            self._run()
        except Gone:
            raise
        except Exception:
            LOG.exception("due work failed, it is tried again")
            gevent.sleep(FAULT_PAUSE_S)
