"""`sandgate explain` knows the commands and their exit statuses."""

import re

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.cli import command_line
from simulator.commands.explain import EVERY_COMMAND, MORE, exit_statuses
from simulator.grammar.choices import choose
from simulator.tests.kit.trees import ROOT

CHOSEN = choose(CHOICES, "specification")
PAGE = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")


def lines_about(name: str) -> list[str]:
    return [*exit_statuses({"check": "check a gateway"}).explain(name, CHOSEN)]


def test_a_command_shows_its_own_statuses_beside_those_of_every_command() -> None:
    shown = [line.split()[0] for line in lines_about("check") if line.startswith("    ")]

    assert [status for status in shown if status.isdigit()] == ["0", "1", "2", "141", "3", "130"]


def test_all_statuses_are_listed_at_once() -> None:
    text = "\n".join(lines_about("exit-codes"))

    assert all(f"\n  {command}\n" in text for command in MORE)


@pytest.mark.parametrize("secret", ["0123456789ab" * 4, "4539578763621486"])
@pytest.mark.parametrize("output_format", ["text", "json"])
def test_a_token_or_card_number_is_not_repeated(
    capsys: pytest.CaptureFixture, secret: str, output_format: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        command_line()(["explain", secret, "--format", output_format], prog_name="sandgate")
    assert ended.value.code == 2
    printed = "".join(capsys.readouterr())
    assert "*" in printed and secret not in printed


def test_a_word_that_is_no_command_is_not_explained() -> None:
    assert lines_about("nothing") == []


def test_every_command_with_statuses_of_its_own_exists() -> None:
    assert MORE.keys() - command_line().commands.keys() == set()


def test_the_page_of_commands_has_the_same_statuses() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", PAGE, re.MULTILINE)

    assert rows == [*EVERY_COMMAND]
    for command, statuses in MORE.items():
        assert f"\n| `{command}` | " in PAGE
        assert [meaning for _, meaning in statuses[1:] if meaning not in PAGE] == []
