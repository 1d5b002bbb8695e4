"""The pytest plugin: a terminal in the sandbox of a test.

pytest loads it wherever Sandgate is installed; nothing is imported until a test asks for it.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from simulator.client.control_calls import ControlError
from simulator.client.shown.exchanges import shown

if TYPE_CHECKING:
    from pos_emulator.scripts.scripted import ScriptedTerminal
    from simulator.client import SandboxClient

MARKER = "sandgate_terminal"
OPTIONS = ("model", "method", "merchant", "timeout_s", "rates")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(**options): options of the terminal of a test: {', '.join(OPTIONS)}",
    )


@pytest.fixture
def sandgate_terminal(
    request: pytest.FixtureRequest, sandgate_sandbox: "SandboxClient", tmp_path: Path
) -> Iterator["ScriptedTerminal"]:
    """A terminal in the sandbox of this test, whose cardholder does what the test says."""
    # On demand: a test without a terminal should not wait for its libraries.
    from pos_emulator.scripts.scripted import ScriptedTerminal

    options = _options_of(request.node)
    try:
        made = ScriptedTerminal(sandgate_sandbox, tmp_path / "terminal", **options)
    except (ControlError, ValueError) as error:
        _fail(str(error))
    with closing(made):
        yield made


def _options_of(item: pytest.Item) -> dict[str, Any]:
    """The options of every marker of a test; the one closest to the test wins."""
    from simulator.client.shown.misfits import one_of

    options: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers(MARKER))):
        if marker.args:
            got = ", ".join(map(repr, marker.args))
            _fail(f"expected options with names, such as model='UNATTENDED', got {got}")
        for name in marker.kwargs:
            if name not in OPTIONS:
                _fail(f"expected {one_of(OPTIONS, name)}, got {name!r}")
        options |= marker.kwargs
    return options


def _fail(message: str) -> NoReturn:
    pytest.fail(f"@pytest.mark.{MARKER}: {shown(message)}", pytrace=False)
