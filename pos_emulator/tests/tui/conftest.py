"""A terminal in a sandbox of its own, for the tests of one module."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.counter.opening import Counter, counter_at, place_for


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counter]:
    """A terminal in a sandbox of its own."""
    folder: Path = tmp_path_factory.mktemp("window") / "kept"
    with place_for({}) as place, counter_at(place, folder=folder, model="COUNTERTOP") as made:
        yield made
