"""Gauges of the server, and what is missing before it is ready."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import gevent

from simulator.adapters.meter import Gauge
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.engine import SandboxStore
from simulator.domain.webhooks.records import Delivery

Seen = TypeVar("Seen")
PROBE, PROBE_S = ".probe", 5.0
# A file system without free space may still accept a single byte.
PROBE_BYTES = 4096


class SharedLook(Generic[Seen]):
    """A look at the server. Requests that come while one is under way share it: each look takes a
    thread that payments are stored in.
    """

    def __init__(self, look: Callable[[], Seen]):
        self._look = look
        self._under_way: gevent.Greenlet | None = None

    def __call__(self) -> Seen:
        """What is seen."""
        if self._under_way is None or self._under_way.ready():
            self._under_way = gevent.spawn(self._look)
        seen: Seen = self._under_way.get()
        return seen


def gauges_of(registry: SandboxRegistry, folder: Path) -> tuple[Gauge, ...]:
    """What is worth watching of the sandboxes, read at each look."""
    return (
        Gauge("sandgate_sandboxes", "Sandboxes there are.", registry.count),
        Gauge(
            "sandgate_sandboxes_awake",
            "Sandboxes whose records are in memory.",
            lambda: len(_loaded_stores(registry)),
        ),
        Gauge(
            "sandgate_deliveries_pending",
            "Deliveries of notifications neither made nor given up, in those sandboxes.",
            lambda: sum(
                store.count(Delivery, without="settled") for store in _loaded_stores(registry)
            ),
        ),
        Gauge(
            "sandgate_store_log_bytes",
            "Bytes in the logs of all sandboxes and of the list of them.",
            lambda: in_thread(_log_bytes, folder),
        ),
    )


def folder_probe(folder: Path) -> SharedLook[str]:
    """What is wrong with the data folder, if anything. One that does not answer is asked once,
    however many want to know.
    """
    return SharedLook(lambda: _problem_of(folder))


def missing_in(registry: SandboxRegistry, probe: SharedLook[str]) -> list[str]:
    """What is missing, each with what to do; nothing where the server is ready. Choice: D-98."""
    missing = []
    if not registry.count():
        missing.append("no sandbox: make one by the control API, or start the server again")
    problem = registry.problem()
    failures = [] if problem else sorted(registry.failures())
    missing += [problem] if problem else []
    missing += [f"the disk refused to store ({failure}): it is asked again" for failure in failures]
    wrong = f"the disk of the data folder: no answer within {PROBE_S:g} s; look for what keeps it"
    with gevent.Timeout(PROBE_S, False):
        wrong = probe()
    return [*missing, wrong] if wrong else missing


def _problem_of(folder: Path) -> str:
    try:
        in_thread(_write_probe, folder / PROBE)
    except OSError as error:
        return f"the data folder is not writable ({error.strerror}): free some space in it"
    return ""


def _loaded_stores(registry: SandboxRegistry) -> list[SandboxStore]:
    return [store for store in registry.stores() if store.awake]


def _log_bytes(folder: Path) -> int:
    return sum(_size_of(log) for log in folder.glob("*/*.log"))


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0  # Its sandbox was reset or deleted just now, or nothing was written yet.


def _write_probe(path: Path) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, bytes(PROBE_BYTES))
    finally:
        os.close(handle)
        path.unlink(missing_ok=True)  # Another probe may have removed it.
