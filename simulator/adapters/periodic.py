"""Periodic work in the background, while the server runs."""

import logging
from collections.abc import Callable

import gevent

LOG = logging.getLogger("sandgate.periodic")


class OneOfEach:
    """Begins work in the background, of each owner one piece at a time: none waits for another."""

    def __init__(self) -> None:
        self._running: set[str] = set()

    def begin(self, owner: str, work: Callable[[], object]) -> None:
        """Begin it, unless a piece of this owner is still running."""
        if owner not in self._running:
            self._running.add(owner)
            gevent.spawn(self._run, owner, work)

    def _run(self, owner: str, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception:
            LOG.exception("internal error in work in the background; its next piece may begin")
        finally:
            self._running.discard(owner)


def go_round(work: Callable[[], object], every_s: float) -> gevent.Greenlet:
    """Run `work` every `every_s` seconds of wire time, until the greenlet is killed."""
    return gevent.spawn(_go_round, work, every_s)


def _go_round(work: Callable[[], object], every_s: float) -> None:
    while True:
        gevent.sleep(every_s)
        try:
            work()
        except Exception:
            LOG.exception("internal error in periodic work; it runs again at its next time")
