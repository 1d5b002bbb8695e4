"""What the event loop does while a test works."""

from collections.abc import Callable
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

    watcher = get_hub().loop.prepare()
    watcher.start(count)
    try:
        with patch.object(turns, "SLICE_S", 0):
            work()
    finally:
        watcher.stop()
        watcher.close()
    return looks
