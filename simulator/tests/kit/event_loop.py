"""What the event loop does while a test works."""

import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from unittest.mock import patch

from gevent.hub import get_hub

from simulator.adapters import turns


def looks_during(work: Callable[[], object]) -> int:
    """How often the event loop looks at every socket meanwhile. A slice has no time of its own: how
    many there are does not depend on the speed of the machine.
    """
    looks = 0

    def count() -> None:
        nonlocal looks
        looks += 1

    _notice_looks(count, work)
    return looks


def most_between_looks(work: Callable[[], object], function: FunctionType) -> int:
    """How often a function is called meanwhile without such a look, at most."""
    calls = most = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls, most
        calls += event == "call" and frame.f_code is function.__code__
        most = max(most, calls)

    def begin_again() -> None:
        nonlocal calls
        calls = 0

    sys.setprofile(count)
    try:
        _notice_looks(begin_again, work)
    finally:
        sys.setprofile(None)
    return most


def _notice_looks(notice: Callable[[], None], work: Callable[[], object]) -> None:
    watcher = get_hub().loop.prepare()
    watcher.start(notice)
    try:
        with patch.object(turns, "SLICE_S", 0):
            work()
    finally:
        watcher.stop()
        watcher.close()
