"""Loads the conformance suite's plugin, whose tags must be known before any feature is collected.

Sets what holds for every property test, and prints the seed of the order that tests run in.
"""

import gc
import importlib
from collections.abc import Generator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ("features.plugin", "simulator.tests.warm.plugin")

# No verdict of a test depends on how busy its machine is.
settings.register_profile("sandgate", deadline=None)
settings.load_profile("sandgate")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Print how to repeat this order. pytest's own header, which says it too, is hidden by `-q`."""
    config = session.config
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    is_shuffled = config.pluginmanager.has_plugin("randomly")
    if reporter is not None and is_shuffled and not hasattr(config, "workerinput"):
        seed = config.getoption("randomly_seed")
        reporter.write_line(f"random order; repeat it with --randomly-seed={seed}")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Look for no garbage meanwhile: what is collected is kept."""
    gc.disable()
    try:
        _import_own_modules(session)
        return (yield)
    finally:
        gc.enable()


def _import_own_modules(session: pytest.Session) -> None:
    """Let each of several workers begin with test modules of its own.

    Preparing the assertions of a module takes longer than importing it. It is kept for the next
    time, and workers that went through the modules in one order would all do it at one time.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    modules = sorted(path for arg in session.config.args for path in Path(arg).rglob("test_*.py"))
    # A worker's id is `gw0`, `gw1` and so on.
    for path in modules[int(worker["workerid"][2:]) :: worker["workercount"]]:
        name = ".".join(path.resolve().relative_to(session.config.rootpath).with_suffix("").parts)
        # Whatever an import raises is kept here, and reported when the module is collected.
        load = partial(importlib.import_module, name)
        pytest.CallInfo.from_call(load, when="collect", reraise=KeyboardInterrupt)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that may take longest: none of them should run alone at the end."""
    items.sort(key=_seconds_of, reverse=True)


def _seconds_of(item: pytest.Item) -> float:
    """How long a test may take, if it says so itself."""
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0]) if mark is not None and mark.args else 0


def pytest_collection_finish(session: pytest.Session) -> None:
    """Take the tests out of the collector's sight: it would walk all of them again and again.

    What tests make is nearly all free by its count of references, as in the gateway.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
