"""What commands say whose variables name a deleted sandbox, or a token that was rotated."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.commands.test_steering import Terminal
from simulator.tests.kit.running import Serving, serving


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("deleted") / "data") as found:
        yield found


@pytest.fixture
def terminal(running: Serving, tmp_path: Path) -> Terminal:
    return Terminal(running, tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        "journal tail --no-follow", "journal show 0123456789abcdef0123456789abcdef", "clock show",
        "webhooks list", "webhooks listen --port 0", "script list", "hold list", "sandbox show",
        "trace 0123456789abcdef0123456789abcdef", "terminal list", "sandbox snapshot file",
        "trace 0123456789abcdef0123456789abcdef --format json",
    ],
)  # fmt: skip
def test_a_command_about_a_deleted_sandbox_names_what_led_to_it_and_the_way_on(
    terminal: Terminal, command: str
) -> None:
    identity = terminal.made["id"]
    terminal.control.delete(identity)

    done = terminal.call(*command.split())

    assert done.returncode == 1 and done.stdout == ""
    assert identity in done.stderr and "SANDGATE_SANDBOX_ID" in done.stderr
    assert "`sandgate sandbox list`" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("deed", ["reset", "delete"])
def test_the_argument_of_a_deleted_sandbox_is_answered_with_the_way_on(
    terminal: Terminal, deed: str
) -> None:
    identity = terminal.made["id"]
    terminal.control.delete(identity)

    done = terminal.call("sandbox", deed, identity)

    assert done.returncode == 1 and "`sandgate sandbox list`" in done.stderr


def test_what_is_unknown_in_a_sandbox_is_not_laid_to_the_sandbox(terminal: Terminal) -> None:
    done = terminal.call("trace", 32 * "0")

    assert done.returncode == 1 and "SANDGATE_SANDBOX_ID" not in done.stderr


@pytest.mark.parametrize("deed", ["rotate", "suspend", "delete"])
def test_no_target_file_is_made_of_a_token_that_opens_nothing(
    terminal: Terminal, deed: str
) -> None:
    made, control = terminal.made, terminal.control
    terminal.environ |= {
        "SANDGATE_URL": terminal.facts["base_url"],
        "SANDGATE_TOKEN": made["token"],
        "SANDGATE_ENTITY_ID": made["entity_id"],
    }
    assert made["token"] in terminal.said("target")
    merchant = made["entities"]["merchants"][0]["id"]
    token = next(
        each["id"] for each in control.tokens(made["id"], merchant) if each["host"] == "test"
    )
    if deed == "delete":
        control.delete(made["id"])
    else:
        change = control.rotate_token if deed == "rotate" else control.suspend_token
        change(made["id"], merchant, token)

    done = terminal.call("target")

    assert (done.returncode, done.stdout) == (2, "")
    assert "SANDGATE_TOKEN, SANDGATE_ENTITY_ID: " in done.stderr
    assert "`sandgate sandbox list`" in done.stderr and made["token"] not in done.stderr
