"""A shop with a terminal, in a sandbox of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.tests.terminal.shop import Shop
from simulator.client.sandbox import SandboxClient


@pytest.fixture
def shop(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[Shop]:
    made = Shop(sandgate_sandbox, tmp_path / "terminal")
    yield made
    made.close()
