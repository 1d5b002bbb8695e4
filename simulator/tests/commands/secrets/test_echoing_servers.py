"""Every command at a server that repeats the secrets of the command: none is shown or written."""

import io
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.cli import run
from simulator.tests.commands.secrets.echoing import (
    KINDS,
    echoing,
    parts_in,
    variables_for,
)
from simulator.tests.commands.secrets.test_repeated_secrets import COMMANDS

KEY, TOKEN = "kx7-wolf.quartz-93+5/", "tok~live/81+zebra-quince=="
SECRETS = (KEY, TOKEN)
# They serve by themselves, or play at a gateway of their own, or have such a test of their own.
OF_THEIR_OWN = {"serve", "run", "demo", "steps", "load", "check", "check-merchant"}
# They ask no server: a secret that they are given is in test_repeated_secrets.
ASKING_NONE = {
    "behaviours check", "behaviours list", "behaviours magic-values", "behaviours show",
    "catalogue", "completion", "config", "coverage", "decisions", "doctor", "explain", "member",
    "openapi", "reconcile check", "reconcile file", "reference", "report", "states",
    "throttles list", "throttles show", "version", "webhooks decrypt", "webhooks events",
}  # fmt: skip
# Each way to ask a server; all others ask as the first does.
WAYS = ("sandbox list", "journal tail", "webhooks listen", "wait", "shop", "terminal run",
        "terminal fleet", "terminal play", "target")  # fmt: skip
LONGEST = ("unknown names", "documents", "text")
# What has to be named for a command to ask its server anything.
GIVEN = {
    "wait": "{url} --timeout 0.3",
    "shop": "--port 0",
    "terminal run": "--port 0",
    "terminal fleet": "1",
    "terminal play": "dip",
    "clock set": "frozen",
    "sandbox restore": "sent",
    "settle fault": "sent",
    "webhooks add": "inbox",
    "webhooks trigger": "payment.updated --payment a",
}
# A file of this name is there, and the same is typed.
SENT = "{}"
# With an answer of 200 these wait for more.
FOLLOWING = {"journal tail", "webhooks listen", "webhooks inbox", "shop", "terminal run"}
CALLS = [
    (words, kind)
    for words in sorted(COMMANDS.keys() - OF_THEIR_OWN - ASKING_NONE)
    for kind in (KINDS if words in WAYS else LONGEST)
    if words not in FOLLOWING or KINDS[kind].status != 200
]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with a file, and the handlers of signals that commands set as they were."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sent").write_text(SENT)
    handlers = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGINT)}
    yield
    for each, handler in handlers.items():
        signal.signal(each, handler)


def arguments_of(words: str, url: str) -> list[str]:
    """A call of a command that asks the server."""
    if words in GIVEN:
        return [*words.split(), *GIVEN[words].format(url=url).split()]
    takes = [each for each in COMMANDS[words].params if each.param_type_name == "argument"]
    return [*words.split(), *["a"] * len(takes)]


def shown_by(arguments: list[str], folder: Path, patch: pytest.MonkeyPatch) -> str:
    """What a command prints, and writes into the folder."""
    out, err = folder / "out.printed", folder / "err.printed"
    with out.open("w") as printed, err.open("w") as errors, patch.context() as at:
        at.setattr(sys, "excepthook", sys.excepthook)
        at.setattr(sys, "stdin", io.StringIO(SENT))
        at.setattr(sys, "argv", ["sandgate", *arguments])
        at.setattr(sys, "stdout", printed)
        at.setattr(sys, "stderr", errors)
        with pytest.raises(SystemExit):
            run()
        sys.stdout.flush()
        sys.stderr.flush()
    written = (each for each in folder.rglob("*") if each.is_file())
    return "\n".join(each.read_text(errors="replace") for each in written)


@pytest.mark.parametrize(("words", "kind"), CALLS)
def test_no_command_shows_what_a_server_repeats(
    words: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    with echoing(KINDS[kind], SECRETS, asked) as url:
        for name, text in variables_for(url, KEY, TOKEN).items():
            monkeypatch.setenv(name, text)
        shown = shown_by(arguments_of(words, url), tmp_path, monkeypatch)

    assert asked, shown[:2000]
    assert parts_in(shown, SECRETS) == [], shown[:2000]
