"""`sandgate terminal play`: play a story at a terminal, and say whether it ends as expected."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, Literal, NoReturn

import msgspec
import typer

from pos_emulator.card_numbers import without_card_numbers
from pos_emulator.counter.opening import why_closed
from pos_emulator.scripts.player import StepOutcome
from pos_emulator.scripts.scripted import ScriptedTerminal, scripted_terminal
from pos_emulator.scripts.stories import (
    STORY_BYTES_MAX,
    TerminalStory,
    TerminalStoryError,
    read_story,
    word_of,
)
from pos_emulator.scripts.stories import shipped_stories as shipped
from simulator.client import ControlError, gateway_for
from simulator.client.processes import ServerStartError
from simulator.client.shown.misfits import one_of

COLUMNS = 100
FAILED, WRONG_USE = 1, 2
WRONG = (ServerStartError, ControlError, OSError, HTTPException)


def main(
    *,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="STORY",
            help="Names of shipped stories, or YAML files; else all shipped ones.",
            autocompletion=lambda: [*shipped()],
        ),
    ] = None,
    only_list: Annotated[
        bool, typer.Option("--list", help="List the stories that are shipped, and end.")
    ] = False,
    output_format: Annotated[
        Literal["text", "json"],
        typer.Option(
            "--format", help="Text for people, or one JSON document for each step, or for the list."
        ),
    ] = "text",
) -> None:
    """Play stories at a terminal of a sandbox of their own; exit 1 if one ends otherwise.

    They pay at the gateway that the variables of `sandgate serve` name; with none named, one is
    started.
    """
    as_json = output_format == "json"
    if only_list:
        _list(as_json=as_json)
        return
    stories = _stories(names or [])
    try:
        problems = sum(_play(name, story, as_json=as_json) for name, story in stories.items())
    except WRONG as error:
        _fail(why_closed(error, os.environ))
    if not as_json:
        typer.echo(f"{len(stories)} played, {problems} not as expected")
    raise typer.Exit(FAILED if problems else 0)


def _list(*, as_json: bool) -> None:
    titles = {name: story.title for name, story in shipped().items()}
    if as_json:
        listed = [{"story": name, "title": title} for name, title in titles.items()]
        typer.echo(json.dumps({"stories": listed}, ensure_ascii=False))
        return
    for name, title in titles.items():
        typer.echo(f"{name:<22}{title}")


def _stories(names: Iterable[str]) -> dict[str, TerminalStory]:
    found = shipped()
    return {name: found.get(name) or _read(name, found) for name in names} or found


def _read(name: str, found: Iterable[str]) -> TerminalStory:
    file = Path(name)
    try:
        with file.open("rb") as opened:
            return read_story(opened.read(STORY_BYTES_MAX + 1).decode())
    except FileNotFoundError:
        _fail(f"expected a file or {one_of(found, name)}, got {name}")
    except OSError as error:
        _fail(f"{name}: expected a story to read, got: {error.strerror}")
    except UnicodeDecodeError:
        _fail(f"{name}: expected a text in UTF-8, got another")
    except TerminalStoryError as error:
        _fail(f"{name}: {error}")


def _play(name: str, story: TerminalStory, *, as_json: bool) -> int:
    """How many steps of a story were not as expected."""
    if not as_json:
        typer.echo(typer.style(story.title, bold=True))
    count = 0
    with _terminal_for(story) as terminal:
        for outcome in terminal.play(story):
            count += bool(outcome.problems)
            typer.echo(_document(name, outcome) if as_json else _text(outcome))
    return count


@contextmanager
def _terminal_for(story: TerminalStory) -> Iterator[ScriptedTerminal]:
    with (
        gateway_for(os.environ) as access,
        tempfile.TemporaryDirectory(prefix="sandgate-terminal-") as folder,
    ):
        sandbox = access.create_sandbox()
        try:
            options = {"model": story.model}
            with scripted_terminal(sandbox, Path(folder) / "terminal", **options) as made:
                yield made
        finally:
            access.delete_sandbox(sandbox)


def _text(outcome: StepOutcome) -> str:
    """A step: what a trainer says, what is done, what came of it, what is not as expected."""
    step, entry = outcome.step, outcome.entry
    lines = (
        [fill(step.say, COLUMNS, initial_indent="  ", subsequent_indent="  ")] if step.say else []
    )
    did = f"  {outcome.number}. {_title(outcome)}"
    if entry is not None:
        printed = entry.printed.status if entry.printed else ""
        ending = entry.ending.value if entry.ending else "under way"
        did += f": {ending}" + (f", printed {printed}" if printed else "")
    lines += [did, *(f"     not as expected: {each}" for each in outcome.problems), ""]
    return "\n".join(lines)


def _title(outcome: StepOutcome) -> str:
    step = outcome.step
    if step.kind != "order":
        value = getattr(step, step.kind)
        return step.kind if value is True else f"{step.kind} {value}"
    money = f" {step.amount} {step.currency}" if step.amount is not None else ""
    acts = ", ".join(act.name if act.pin else f"{act.name} {_target(act)}" for act in step.holder)
    return f"{step.order}{money}" + (f" ({acts})" if acts else "")


def _target(act: Any) -> str:
    return str(getattr(act, act.name))


def _document(name: str, outcome: StepOutcome) -> str:
    entry, totals = outcome.entry, outcome.totals
    document = {
        "story": name,
        "step": outcome.number,
        "kind": outcome.step.kind,
        "ending": entry and entry.ending and word_of(entry.ending),
        "stage": entry and word_of(entry.stage),
        "receipt": entry and entry.receipt,
        "payment": entry and entry.payment,
        "differences": list(totals.differences) if totals else None,
        "display": list(outcome.shown),
        "problems": list(outcome.problems),
    }
    shown = {key: value for key, value in document.items() if value is not None}
    return json.dumps(msgspec.to_builtins(shown), ensure_ascii=False)


def _fail(message: str) -> NoReturn:
    typer.echo(f"sandgate: {without_card_numbers(message)}", err=True)
    raise typer.Exit(WRONG_USE)
