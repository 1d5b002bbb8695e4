"""What the event loop does while a test works."""

from collections.abc import Callable

from gevent.hub import get_hub


def looks_during(work: Callable[[], object]) -> int:
    """How often the event loop looks at every socket meanwhile."""
    looks = 0

    def count() -> None:
        nonlocal looks
        looks += 1

    watcher = get_hub().loop.prepare()
    watcher.start(count)
    try:
        work()
    finally:
        watcher.stop()
        watcher.close()
    return looks
