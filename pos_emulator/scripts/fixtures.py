"""The pytest plugin: a terminal in the sandbox of a test.

pytest loads it wherever Sandgate is installed; nothing is imported until a test asks for it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pos_emulator.scripts.scripted import ScriptedTerminal
    from simulator.client import SandboxClient

MARKER = "sandgate_terminal"


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(**options): options of the terminal of a test: model, method, merchant",
    )


@pytest.fixture
def sandgate_terminal(
    request: pytest.FixtureRequest, sandgate_sandbox: "SandboxClient", tmp_path: Path
) -> Iterator["ScriptedTerminal"]:
    """A terminal in the sandbox of this test, whose cardholder does what the test says."""
    # On demand: a test without a terminal should not wait for its libraries.
    from pos_emulator.scripts.scripted import scripted_terminal

    options: dict[str, Any] = {}
    for marker in reversed(list(request.node.iter_markers(MARKER))):
        options |= marker.kwargs
    with scripted_terminal(sandgate_sandbox, tmp_path / "terminal", **options) as made:
        yield made
