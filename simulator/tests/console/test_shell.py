"""The shell: commands of `sandgate` that act on one sandbox, and nothing else."""

from html import unescape
from importlib import import_module
from types import SimpleNamespace

import pytest
import typer.main

from simulator.adapters.console.calls import InProcessCalls
from simulator.cli import command_line
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.story_run import StoryCall
from simulator.service.console.shell import COMMANDS, read_line
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def shell(anna: Visitor, sandbox: str) -> str:
    """The path of the shell of the default sandbox."""
    anna.get(f"/console/{sandbox}/shell")
    return f"/console/{sandbox}/shell"


def output_of(visitor: Visitor, shell: str, line: str) -> str:
    """What a command prints."""
    page = visitor.post(shell, {"line": line})
    assert page.status_code == 200, page.text
    return page.text.split('role="status"')[1].split("</pre>")[0]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.words)
def test_each_is_a_command_of_sandgate(command: object) -> None:
    first, *rest = command.words.split()
    assert first in command_line().commands
    if rest:
        group = import_module(f"simulator.commands.control.{first}").app
        assert rest[0] in typer.main.get_command(group).commands


def test_commands_steer_the_sandbox(gateway: Gateway, anna: Visitor, shell: str) -> None:
    assert "frozen" in output_of(anna, shell, "clock set frozen 2030-03-01T09:00:00Z")
    assert "2030-03-01T09:30:00" in output_of(anna, shell, "sandgate clock advance 30m")
    output_of(anna, shell, "script arm insufficient-funds --times 1")
    declined = gateway.post().json
    assert declined["result"]["code"] == "800.100.203"
    assert declined["ndc"] in output_of(anna, shell, "journal tail")
    assert "acquirer" in output_of(anna, shell, f"trace {declined['id']}")
    assert "insufficient-funds" in output_of(anna, shell, "script list")
    assert "acquirer" in output_of(anna, shell, "hold at acquirer risk")
    assert "[]" in output_of(anna, shell, "hold at")
    assert "none" in output_of(anna, shell, "hold list")
    assert "drained" in output_of(anna, shell, "clock drain")


@pytest.mark.parametrize("line", ["help", "webhooks add inbox", "script disarm", "clock 'x"])
def test_a_line_that_is_no_command_is_answered_beside_the_commands(
    anna: Visitor, shell: str, line: str
) -> None:
    page = anna.post(shell, {"line": line})

    assert page.status_code == 400
    assert "expected" in page.text.split('role="status"')[1].split("</pre>")[0]
    assert f'value="{line}"' in unescape(page.text) and "clock advance" in page.text


def test_a_number_of_a_card_is_not_repeated(anna: Visitor, shell: str) -> None:
    assert "4200000000000000" not in anna.post(shell, {"line": "pay 4200000000000000"}).text


@pytest.mark.parametrize("line", ["pay password=Secret12", "script arm password=Secret12"])
def test_a_password_in_a_wrong_place_is_not_repeated(anna: Visitor, shell: str, line: str) -> None:
    assert "Secret12" not in anna.post(shell, {"line": line}).text


def test_what_the_gateway_refuses_is_shown(anna: Visitor, shell: str) -> None:
    assert "nearest: insufficient-funds" in output_of(anna, shell, "script arm insuficient-funds")
    assert "404" in output_of(anna, shell, f"script disarm {'0' * 32}")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("clock advance 1x", "status 400, by: expected a span such as 90s"),
        ("trace 827acd5a", "no payment, checkout or request has the id in the path"),
        ("hold at till", "status 400, parties: expected some of shopper"),
        ("journal show abc", "no exchange has the ndc in the path"),
    ],
)
def test_a_refusal_is_a_sentence_and_no_document(
    anna: Visitor, shell: str, line: str, expected: str
) -> None:
    shown = unescape(output_of(anna, shell, line))
    assert expected in shown and "{" not in shown


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ls",
        "sandbox delete",
        "serve",
        "clock advance",
        "clock show now",
        "trace ../../people",
        "trace a/b",
        "trace ..",
        "trace ١٢",
        "script disarm é",
        "trace 'x",
        "script arm x; ls",
        "trace $(ls)",
        "x" * 501,
    ],
)
def test_nothing_else_is_run(line: str) -> None:
    with pytest.raises(InvalidInputError):
        read_line(line)


def test_what_is_no_latin_text_in_a_path_is_bad_input(gateway: Gateway) -> None:
    calls = InProcessCalls(SimpleNamespace(base=lambda host: "http://gateway.test/"))
    calls.connect(gateway.client.app, gateway.client.app)
    for path in ("v1/payments/١٢", "v1/payments/é", "v1/payments/%D9%A1", "v1/💳"):
        assert calls.ask(StoryCall("http://gateway.test/", "GET", path, {}, None)).status < 500


def test_no_value_of_a_secret_is_shown(gateway: Gateway, anna: Visitor, shell: str) -> None:
    gateway.post()
    for line in ("sandbox show", "journal tail", "webhooks endpoints"):
        assert gateway.merchant.token not in output_of(anna, shell, line)


def test_a_viewer_runs_nothing(gateway: Gateway, anna: Visitor, shell: str) -> None:
    viewer = person_of(gateway, "viewer", "vera")
    assert viewer.get(shell).status_code == 403
