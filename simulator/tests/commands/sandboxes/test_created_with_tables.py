"""`sandgate sandbox create --throttle`: a table by its name, or the one in a file."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.commands.test_steering import Terminal
from simulator.tests.kit.running import Serving, serving

ROW = {"operation": "create_payment", "scope": "merchant", "limit": 1, "window_s": 60}
TOML = """[[limits]]
operation = "create_payment"
scope = "merchant"
limit = 1
window_s = 60
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables") / "data") as found:
        yield found


@pytest.fixture
def terminal(running: Serving, tmp_path: Path) -> Terminal:
    (tmp_path / "slow.toml").write_text(TOML)
    (tmp_path / "other.json").write_text(json.dumps({"name": "few", "limits": [ROW]}))
    return Terminal(running, tmp_path)


def test_a_table_of_a_file_is_that_of_the_sandbox(terminal: Terminal) -> None:
    tables = ("--throttle", "slow.toml", "--live-throttle", "other.json")

    made = terminal.read("sandbox", "create", *tables)

    found = terminal.control.throttles(made["id"])
    assert found["throttle"] == {"name": "slow", "limits": [ROW]}
    assert found["live_throttle"] == {"name": "few", "limits": [ROW]}


@pytest.mark.parametrize("named", ["missing.toml", "nosuch"])
def test_a_table_that_is_none_ends_the_command_before_anything_is_sent(
    terminal: Terminal, named: str
) -> None:
    before = len(terminal.control.sandboxes())

    done = terminal.call("sandbox", "create", "--throttle", named)

    assert (done.returncode, done.stdout) == (2, "")
    assert named in done.stderr and "expected" in done.stderr
    assert len(terminal.control.sandboxes()) == before


def test_the_advice_for_a_wrong_key_is_shown_whole(terminal: Terminal) -> None:
    terminal.environ["SANDGATE_CONTROL_API_KEY"] = "wrong"

    done = terminal.call("sandbox", "list")

    assert done.returncode == 1
    assert "`sandgate serve` prints it" in done.stderr and "***" not in done.stderr
