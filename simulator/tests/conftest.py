"""Fixtures of the gateway's own tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway of its own, in the default profile."""
    made = Gateway(tmp_path / "data")
    yield made
    made.close()
