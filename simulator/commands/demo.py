"""`sandgate demo NAME`: a story played on the terminal, with a gateway of its own."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console

from scenarios.story import Story, StoryError, load_story, stories, story_file
from simulator.client import Control, ControlError
from simulator.client.processes import ServerStartError
from simulator.commands.gateway import gateway, without_records
from simulator.commands.signals import InterruptedByUserError, Relay
from simulator.commands.story_player import StoryPlayer
from simulator.domain.masking.masking import mask_text
from simulator.domain.story_run import StoryExpectationError

STORY_FAILED, WRONG_STORY, GATEWAY_FAILED = 1, 2, 125
# Stories break lines on purpose: the gateway need not warn of it.
OPTIONS = ("--port=0", "--durability=os", "--log-level=error")
CLOCK = {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}


def main(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="STORY",
            help="A story, or a .yaml file; without it the stories are listed.",
            autocompletion=lambda: list(stories()),
        ),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Do not wait for Enter.")] = False,
) -> None:
    """Present a payment story: start a gateway, take each step, and show its messages.

    Exit status 1: a step ended differently than the story says; 2: the story is invalid.
    """
    try:
        if name is None:
            _list()
            return
        story = load_story(story_file(name))
    except StoryError as error:
        raise _end(mask_text(str(error)), WRONG_STORY) from error
    _tell(name, story, _pause if sys.stdin.isatty() and not fast else _go_on)


def _list() -> None:
    found = {name: load_story(path) for name, path in stories().items()}
    width = max(map(len, found))
    for name, story in found.items():
        typer.echo(f"{name:<{width}}  {story.title}")


def _tell(name: str, story: Story, pause: Callable[[], None]) -> None:
    relay = Relay()
    relay.listen()
    console = Console(highlight=False, markup=False)
    try:
        with (
            _folder() as folder,
            gateway([*OPTIONS, f"--data={folder}"], without_records({})) as facts,
        ):
            StoryPlayer(facts | _sandbox(facts, story), console, pause).play(story)
    except InterruptedByUserError as interrupted:
        raise typer.Exit(128 + interrupted.number) from interrupted
    except ServerStartError as error:
        raise _end(str(error), GATEWAY_FAILED) from error
    except ControlError as error:
        raise _end(f"{name}: sandbox: {error}", WRONG_STORY) from error
    except StoryExpectationError as error:
        raise _end(f"{name}: {error}", STORY_FAILED) from error


@contextmanager
def _folder() -> Iterator[str]:
    folder = tempfile.mkdtemp(prefix="sandgate-")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sandbox(facts: dict[str, str], story: Story) -> dict[str, str]:
    """A sandbox of the story's own, with the specification's rules and a clock that stands."""
    control = Control(facts["control_url"], facts["control_key"])
    options = {"profile": "specification", "clock": CLOCK, **story.sandbox}
    try:
        made = control.create_sandbox(**options)
    finally:
        control.close()
    named = {name: made[name] for name in ("token", "live_token", "entity_id") if name in made}
    return {"sandbox_id": made["id"], "sandbox_key": made["control_key"], **named}


def _pause() -> None:
    try:
        input("\n[Enter] ")
    except EOFError:
        return


def _go_on() -> None:
    return


def _end(message: str, status: int) -> typer.Exit:
    typer.echo(f"sandgate: {message}", err=True)
    return typer.Exit(status)
