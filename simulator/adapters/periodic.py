"""Periodic work in the background, while the server runs."""

import logging
from collections.abc import Callable

import gevent

LOG = logging.getLogger("sandgate.periodic")


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
