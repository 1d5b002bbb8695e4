"""Tills of the tests of the issuer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from acquirer_mocks.tests.issuing.counters import ExternalCounter, InternalCounter, Till
from simulator.tests.kit.gateway import Gateway


@pytest.fixture(params=["INTERNAL", "EXTERNAL"])
def till(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Till]:
    """A till in each test mode."""
    if request.param == "INTERNAL":
        yield Till(InternalCounter())
        return
    gateway = Gateway(tmp_path)
    yield Till(ExternalCounter(gateway))
    gateway.close()
