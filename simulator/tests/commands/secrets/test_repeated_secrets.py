"""Secrets given to each command, in the place of each argument and option: none is repeated."""

import io
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from simulator.cli import command_line, run
from simulator.commands.surface.spellings import CONNECTION_OPTIONS
from simulator.settings import ROWS
from simulator.tests.kit.running import serving
from simulator.variables import variables_of

OWN_KEY, SECRET = "kx7-wolf.quartz-93+5/", "Hush, hush: sweet!"
KINDS = ("key", "own key", "password", "card number")
# Of a card number the first six digits are shown, and the last four.
PART = 9
# They run until they are stopped, or for long: options are given to them beside an argument that
# they do not take.
ENDED = frozenset({
    "serve", "run", "shop", "wait", "demo", "check", "check-merchant", "load", "coverage", "report",
    "webhooks listen", "webhooks inbox", "journal tail", "terminal run", "terminal play",
    "terminal fleet", "console open", "steps",
})  # fmt: skip


def commands_of(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Each command with its words."""
    for name in group.commands:
        found = group.loaders[name]() if name in group.loaders else group.commands[name]
        if hasattr(found, "commands"):
            yield from commands_of(found, (*words, name))
        else:
            yield " ".join((*words, name)), found


SHARED = (*CONNECTION_OPTIONS, *(row.option for row in ROWS))
# What is found by its form is masked by one rule, and so is what the command knows.
WITH_OPTIONS = ("own key", "card number")
COMMANDS = dict(commands_of(command_line()))


def calls_of(words: str, kind: str, secret: str) -> Iterator[list[str]]:
    """The command with a secret in each place."""
    named, command = words.split(), COMMANDS[words]
    for place in range(3):
        yield [*named, *["x"] * place, secret]
    yield [*named, *[secret] * 4]
    yield [*named, f"--no-such-option={secret}"]
    takes = [each for each in command.params if each.param_type_name == "argument"]
    others = ["x"] * len(takes) + (["nothing", "here", "at", "all"] if words in ENDED else [])
    for option in _options_of(words) if kind in WITH_OPTIONS else ():
        yield [*named, option, secret, *others]


def _options_of(words: str) -> list[str]:
    """The options of a command that have a value. Those of the connection and of the gateway's
    settings, which many have, are tried at one.
    """
    options = [
        each.opts[0]
        for each in COMMANDS[words].params
        if each.param_type_name == "option" and not each.is_flag
    ]
    many = [] if words in ("clock show", "doctor") else SHARED
    return [each for each in options if each not in many]


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    with serving(tmp_path_factory.mktemp("masked") / "data", "--control-key", OWN_KEY) as gateway:
        yield gateway.facts


@pytest.fixture
def secrets(facts: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """Each kind of secret, and an environment that has those of this gateway."""
    for name, text in variables_of(facts).items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("SANDGATE_STORE", f"postgresql://sandgate:{quote(SECRET)}@127.0.0.1:1/none")
    return dict(zip(KINDS, (
        "84b44f140aa3a3bcff885150de67ae89a6e5d74872685b0d", OWN_KEY, SECRET, "5454-5454-5454-5454",
    ), strict=True))  # fmt: skip


@pytest.fixture
def printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Runs a command and returns what it printed."""
    monkeypatch.chdir(tmp_path)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    yield lambda arguments: _printed(arguments, tmp_path / "printed", monkeypatch)
    for each, handler in handlers.items():
        signal.signal(each, handler)


def _printed(arguments: list[str], kept: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    errors = kept.with_suffix(".err")
    with kept.open("w") as out, errors.open("w") as err, monkeypatch.context() as patch:
        patch.setattr(sys, "excepthook", sys.excepthook)
        patch.setattr(sys, "stdin", io.StringIO("{}"))
        patch.setattr(sys, "argv", ["sandgate", *arguments])
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit):
            run()
        sys.stdout.flush()
        sys.stderr.flush()
    return kept.read_text() + errors.read_text()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_repeats_a_secret(
    words: str, kind: str, secrets: Mapping[str, str], printed: Any
) -> None:
    secret = secrets[kind]
    for call in calls_of(words, kind, secret):
        shown = printed(call)
        parts = (secret[at : at + PART] for at in range(len(secret) - PART + 1))
        assert not [part for part in parts if part in shown], (call, shown)
