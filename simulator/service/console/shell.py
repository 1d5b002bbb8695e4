"""The shell of the console: `sandgate` commands that act on one sandbox. Choice: D-531.

Each is a row: the words of the command, what it takes, and the request of the control API that it
sends, as the command does. Nothing else is run: no program, no file, no other sandbox.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from scenarios.errors import nearest
from simulator.catalogue.console_words import plain
from simulator.client.control_calls import said
from simulator.client.shown.beginnings import beginning_of
from simulator.client.wire import Answer
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.masking.masking import cut_text, mask_url, masked
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.story_run import StoryCall
from simulator.service.console.lessons import facts_of
from simulator.service.console.shell_deeds import RanCommand, note_command

PROGRAM = "sandgate"
# Paths of what changes records.
RESET, HELD, RESEND = "/reset", "/held/{id}", "/notices/{id}/resend"
LINE_LENGTH_MAX, GOT_LENGTH_MAX = 500, 40
# Of what a command prints: to mask all that others wrote could take a minute.
LINES_MAX, CHARACTERS_MAX = 200, 64 * 1024
# A full inbox as JSON: to decode it takes a tenth of a second.
LISTED_BYTES_MAX = 24 << 20
NAMED = {"{id}": "id", "{ndc}": "ndc"}
NUMBERS, ADDRESS = ("times",), "url"
ID = re.compile(r"(?=.*[0-9A-Za-z])[0-9A-Za-z.-]{1,100}")
Arguments = Mapping[str, Any]


class ShellCommand(NamedTuple):
    """A command: its words, the names of its arguments (one that ends with ... takes the rest, one
    in brackets may be left out), the request that it sends, and which members it shows: of each
    document in the list `items`, or of the whole answer.
    """

    words: str
    takes: str
    method: str
    path: str
    shows: str
    items: str = ""

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"{self.words} {self.takes.upper()}".rstrip()


class ShellResult(NamedTuple):
    """What a command printed, and whether the gateway refused it."""

    lines: Sequence[str]
    is_refused: bool


# fmt: off
_C = ShellCommand
COMMANDS: tuple[ShellCommand, ...] = (
    #  words                takes                request
    _C("sandbox show",        "",                  "GET",    "",
       "id profile created_at epoch"),
    _C("sandbox reset",       "",                  "POST",   RESET,                  "id epoch"),
    _C("clock show",          "",                  "GET",    "/clock",
       "mode now next"),
    _C("clock set",           "mode [at]",         "PUT",    "/clock",               "mode now"),
    _C("clock advance",       "by",                "POST",   "/clock/advance",       "mode now"),
    _C("clock drain",         "",                  "POST",   "/drain",               "drained"),
    _C("script list",         "",                  "GET",    "/scripts",
       "id behaviour times", "scripts"),
    _C("script arm",          "behaviour [times]", "POST",   "/scripts",             "id"),
    _C("script disarm",       "id",                "DELETE", "/scripts/{id}",        ""),
    _C("hold at",             "[parties...]",      "PUT",    "/breakpoints",         "parties"),
    _C("hold list",           "",                  "GET",    "/held",
       "id party label", "held"),
    _C("hold release",        "id",                "POST",   HELD,                   "id label"),
    _C("hold drop",           "id",                "POST",   HELD,                   "id label"),
    _C("hold answer",         "id answer",         "POST",   HELD,                   "id label"),
    _C("journal tail",        "",                  "GET",    "/journal",
       "at method path status code ndc", "entries"),
    _C("journal show",        "ndc",               "GET",    "/journal/{ndc}",
       "method path status code request answer"),
    _C("trace",               "id",                "GET",    "/payments/{id}/trace", ""),
    _C("webhooks endpoints",  "",                  "GET",    "/webhooks",
       "id active types url", "webhooks"),
    _C("webhooks list",       "",                  "GET",    "/notices",
       "id type action payment", "notices"),
    _C("webhooks resend",     "id",                "POST",   RESEND,                 "id type"),
    _C("webhooks inbox",      "",                  "GET",    "/inbox",
       "at type action event_id", "messages"),
    _C("settle run",          "",                  "POST",   "/settlements",
       "id day state lines", "runs"),
    _C("settle show",         "",                  "GET",    "/settlements",
       "id day state lines", "runs"),
)
# What a command says in its request, beside what stands in the path.
DOCUMENTS: Mapping[str, Callable[[Arguments], Mapping[str, Any]]] = {
    "clock set":     lambda given: given,
    "clock advance": lambda given: {"until": "next"} if given["by"] == "next" else given,
    "script arm":    lambda given: {**given, **_numbers_in(given)},
    "hold at":       lambda given: {"parties": given.get("parties", [])},
    "hold release":  lambda given: {"action": "release"},
    "hold drop":     lambda given: {"action": "drop"},
    "hold answer":   lambda given: {"action": "answer", "answer": given["answer"]},
}
# fmt: on


def _numbers_in(given: Arguments) -> Mapping[str, int]:
    return {name: int(given[name]) for name in NUMBERS if name in given}


def run_command(
    console: ConsolePorts, sandbox: str, line: str, *, by: str, has_left: Callable[[], bool]
) -> ShellResult:
    """What a command prints, run in a sandbox by a person, who may leave. Raises InvalidInputError
    for a line that is none, UnknownSandboxError.
    """
    command, given = read_line(line)
    facts = facts_of(console, sandbox)
    path = f"sandboxes/{sandbox}{command.path}"
    for place, name in NAMED.items():
        path = path.replace(place, str(given.get(name, "")))
    document = DOCUMENTS[command.words](given) if command.words in DOCUMENTS else {}
    headers = {"Authorization": f"Bearer {facts['control_key']}", "Accept": "application/json"}
    body = None
    if document:
        headers["Content-Type"], body = "application/json", json.dumps(document).encode()
    call = StoryCall(facts["control_url"], command.method, path, headers, body)
    answer = console.ask(call, has_left=has_left, most=LISTED_BYTES_MAX)
    ran = RanCommand(command.words, given, command.method, command.path.lstrip("/"), document)
    if not has_left():
        note_command(console, sandbox, ran, answer, by=by)
    lines = [*_beginning_of(_lines(command, answer))]
    secrets = [facts["token"], facts["control_key"]]
    shown = console.server.aside.of(sandbox)(_masked, lines, secrets)
    return ShellResult(shown, answer.status >= 400)


def _beginning_of(lines: Iterator[str]) -> Iterator[str]:
    left = CHARACTERS_MAX
    for line in islice(lines, LINES_MAX):
        yield cut_text(line, left)
        left -= len(line)
        if left <= 0:
            return


def _masked(lines: Sequence[str], secrets: Sequence[str]) -> list[str]:
    return [str(masked(each, secrets)) for each in lines]


def completions(behaviours: Sequence[str]) -> list[str]:
    """What may be typed, for a field that completes it."""
    known = [each.usage for each in COMMANDS if each.words != "script arm"]
    return sorted([*known, *(f"script arm {name}" for name in behaviours)])


def read_line(line: str) -> tuple[ShellCommand, Arguments]:
    """The command of a line, and its arguments by name. Raises InvalidInputError."""
    try:
        words = shlex.split(line[: LINE_LENGTH_MAX + 1])
    except ValueError as error:
        raise InvalidInputError("command", plain("errors.quotes"), str(error)) from None
    if len(line) > LINE_LENGTH_MAX:
        raise InvalidInputError(
            "command", plain("errors.length", most=LINE_LENGTH_MAX), f"{len(line)}"
        )
    words = words[1:] if words[:1] == [PROGRAM] else words
    for command in COMMANDS:
        named = command.words.split()
        if words[: len(named)] == named:
            return command, _arguments_of(command, words[len(named) :])
    close = nearest(" ".join(words[:2]), [each.words for each in COMMANDS])
    expected = plain("errors.command")
    if close:
        expected = plain("errors.command_near", near=close)
    raise InvalidInputError("command", expected, _got(" ".join(words)) or plain("errors.none"))


def _arguments_of(command: ShellCommand, words: Sequence[str]) -> Arguments:
    given: dict[str, Any] = {}
    left = [each.removeprefix("--") for each in words]
    for name in command.takes.split():
        bare = name.strip("[].")
        if "..." in name:
            given[bare], left = left, []
        elif left:
            # `--times 2` is `2`.
            left = left[1:] if left[0] == bare and len(left) > 1 else left
            given[bare], left = left[0], left[1:]
        elif not name.startswith("["):
            raise InvalidInputError(
                "command", command.usage, plain("errors.argument_missing", name=bare)
            )
    if left:
        raise InvalidInputError(
            "command", command.usage, plain("errors.argument_more", text=_got(left[0]))
        )
    for name in NUMBERS:
        if not given.get(name, "1").isdecimal():
            raise InvalidInputError(name, plain("errors.number"), _got(given[name]))
    for name in NAMED.values():
        if name in given and not ID.fullmatch(given[name]):
            raise InvalidInputError(name, plain("errors.id"), _got(given[name]))
    return given


def _got(text: str) -> str:
    return beginning_of(text, GOT_LENGTH_MAX)


def _lines(command: ShellCommand, answer: Answer) -> Iterator[str]:
    body = answer.body
    if isinstance(body, bytes):
        yield from body.decode("utf-8", "replace").splitlines()
    elif answer.status >= 400:
        yield said(answer)
    elif not isinstance(body, dict):
        yield f"{answer.status} {json.dumps(body)}" if body else str(answer.status)
    elif command.items:
        found = body.get(command.items) or []
        shows = command.shows.split()
        yield from ("  ".join(_shown(each, name) for name in shows) for each in found)
        if not found:
            yield "none"
    else:
        for name in command.shows.split():
            if body.get(name) not in (None, ""):
                yield f"{name}  {_shown(body, name)}"


def _shown(document: Mapping[str, Any], name: str) -> str:
    """A member as it is printed: of an address no more than the pages show."""
    value = document.get(name)
    if isinstance(value, dict) and "name" in value:
        return str(value["name"])
    if isinstance(value, dict | list):
        return json.dumps(value)
    if value is None:
        return ""
    return mask_url(str(value)) if name == ADDRESS else str(value)
