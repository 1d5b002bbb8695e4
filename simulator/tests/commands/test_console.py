"""`sandgate console`, against a gateway process."""

from pathlib import Path

import pytest

from simulator.tests.commands.test_steering import Terminal
from simulator.tests.kit.running import serving


@pytest.fixture
def terminal(tmp_path: Path):
    with serving(tmp_path / "data") as running:
        yield Terminal(running, tmp_path)


def test_both_forms_of_the_list_have_who_was_invited(terminal: Terminal) -> None:
    terminal.said("console", "invite", "jane", "--role", "trainer")

    listed = terminal.read("console", "list")

    *_, invited = listed["invitations"]
    assert listed["people"] == terminal.control.people() == []
    assert (invited["name"], invited["role"]) == ("jane", "trainer")
    assert f"invited until {invited['until']}" in terminal.said("console", "list")
