"""`sandgate terminal`, against a gateway process."""

from pathlib import Path

import pytest

from simulator.tests.commands.test_steering import Terminal
from simulator.tests.kit.running import serving


@pytest.mark.parametrize("model", ["portable", "PORTABLE", "sandgate_portable"])
def test_the_model_of_a_terminal_may_be_typed_as_one_likes(tmp_path: Path, model: str) -> None:
    with serving(tmp_path / "data") as gateway:
        terminal = Terminal(gateway, tmp_path)
        made = terminal.read("terminal", "new", "--model", model, "--method", "tdes")

    assert (made["model"], made["method"]) == ("SANDGATE_PORTABLE", "TDES")
