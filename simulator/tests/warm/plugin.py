"""Lets the tests of this project start the command line from a process that has imported it.

Tests that measure a start, or prove something about it, say so by a marker and start it anew.
"""

import sys
from collections.abc import Generator

import pytest

from simulator.tests.warm.client import WarmStarts

ANEW = ("cost", "proof", "anew")
STARTS = pytest.StashKey[WarmStarts]()


def pytest_configure(config: pytest.Config) -> None:
    """Look at the processes that tests start."""
    starts = config.stash[STARTS] = WarmStarts()
    # Only there may a process take the orphans of another one.
    if sys.platform == "linux":
        starts.install()


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the warm processes."""
    config.stash[STARTS].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Start everything anew for a test that says so."""
    starts = item.config.stash[STARTS]
    starts.is_on = not any(item.get_closest_marker(name) for name in ANEW)
    try:
        return (yield)
    finally:
        starts.is_on = True
