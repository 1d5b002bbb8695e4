"""Record what people do in a sandbox, and make a story of it. Choice: D-530."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast
from urllib.parse import parse_qsl

from msgspec.structs import replace

from scenarios.story import SHIPPED, Story, StoryError, load_story, read_story, stories
from simulator.catalogue.console_words import plain, say
from simulator.client.merchant import FORM
from simulator.client.wire import Answer
from simulator.domain.console.limits import refuse_one_more
from simulator.domain.console.recorded_story import story_of
from simulator.domain.console.recording import (
    SHOP,
    STORIES_MAX,
    Deed,
    KeptStory,
    Recording,
    found_in,
    read_title,
    record,
    refuse_long_stories,
    remember,
    storable_deed,
)
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import TEST
from simulator.domain.holding import STOPS, Stop
from simulator.domain.masking.openings import cut_openings
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.story_run import StoryCall
from simulator.service.console.patterns import options_of
from simulator.service.holding import script_of
from simulator.service.sandboxes.sandboxes import sandbox_with

ENTITY = "entityId"
SHOP_PATH = "lessons/shop"
STORY_ID_DIGITS = 8


class UnknownStoryError(Exception):
    """No story was kept under the name."""


def set_recording(console: ConsolePorts, sandbox: str, *, is_on: bool) -> None:
    """Begin a recording, which forgets the one before, or end it. Raises UnknownSandboxError."""
    sandbox_with(console.server, sandbox)

    def change(before: Recording) -> Recording:
        deeds = () if is_on and not before.is_on else before.deeds
        return replace(before, is_on=is_on, deeds=deeds)

    console.recordings.change(sandbox, change)
    console.stages.notify(sandbox)


def note_deed(console: ConsolePorts, sandbox: str, deed: Deed) -> None:
    """Record a deed where a recording is on; a request of the workbench is remembered anyway. No
    secret in it is kept.
    """
    deed = console.server.aside.of(sandbox)(storable_deed, deed)
    if deed.operation:
        console.recordings.change_history(sandbox, lambda before: remember(before, deed))
    before = console.recordings.recording(sandbox)
    if console.recordings.change(sandbox, lambda each: record(each, deed)) is not before:
        console.stages.notify(sandbox)


def note_control(
    console: ConsolePorts,
    sandbox: str,
    *,
    by: str,
    say: str,
    method: str,
    path: str,
    document: Mapping[str, Any],
    status: int,
    found: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Record what was done by a button, as the request of the control API that does the same;
    `found` are texts of its answer that later requests name.
    """
    deed = Deed(
        at=console.server.registry.ports(sandbox).clock.now(),
        by=by,
        say=say,
        method=method,
        path=path,
        document=document,
        is_control=True,
        status=status,
        found=found,
    )
    note_deed(console, sandbox, deed)


def note_disarmed(console: ConsolePorts, sandbox: str, script: str, *, by: str) -> None:
    """Record that a script was disarmed, if the recording has how it was armed: in the sandbox of
    the story no other is.
    """
    deeds = console.recordings.recording(sandbox).deeds
    armed = next((each for each in deeds if script in each.found.values()), None)
    if armed is None:
        return
    behaviour = armed.document.get("behaviour", "")
    note_control(
        console,
        sandbox,
        by=by,
        say=str(say("recording.disarmed", behaviour=behaviour)),
        method="DELETE",
        path=f"scripts/{script}",
        document={},
        status=200,
    )


def note_settled(console: ConsolePorts, sandbox: str, *, by: str) -> None:
    """Record that the bank days that are over were settled."""
    note_control(
        console,
        sandbox,
        by=by,
        say=str(say("recording.settled")),
        method="POST",
        path="settlements",
        document={},
        status=200,
    )


def note_answered(console: ConsolePorts, sandbox: str, stop: Stop, answer: str, *, by: str) -> None:
    """Record that a held message was answered: as the script that answers so, if there is one."""
    script = script_of(stop, answer, console.behaviours)
    if script is None:
        return
    note_control(
        console,
        sandbox,
        by=by,
        say=str(say("recording.answered", party=STOPS[stop].receiver, answer=answer)),
        method="POST",
        path="scripts",
        document={"behaviour": script, "times": 1},
        status=201,
    )


def note_call(
    console: ConsolePorts,
    sandbox: str,
    call: StoryCall,
    answer: Answer,
    *,
    by: str,
    say: str,
    operation: str = "",
    about: str = "",
) -> None:
    """Record a request that was sent, and what came."""
    path, _, query = call.target.partition("?")
    below = f"sandboxes/{sandbox}/"
    is_control = path.startswith(below)
    shop = f"{console.server.registry.ports(sandbox).addresses.base(TEST)}{SHOP_PATH}"
    form = _parameters(call.body, shop) if call.headers.get("Content-Type") == FORM else {}
    document = json.loads(call.body) if call.body and is_control else {}
    deed = Deed(
        at=console.server.registry.ports(sandbox).clock.now(),
        by=by,
        say=say,
        method=call.method,
        path=path.removeprefix(below),
        form=form,
        query=_parameters(query.encode(), shop),
        document=document,
        is_control=is_control,
        is_of_shopper=call.is_of_shopper,
        status=answer.status,
        code=answer.code,
        found=console.server.aside.of(sandbox)(found_in, answer.body),
        operation=operation,
        about=about,
    )
    note_deed(console, sandbox, deed)


def forget_after(console: ConsolePorts, sandbox: str, count: int) -> None:
    """Take back what was recorded after so many deeds, with the steps that were taken back."""
    console.recordings.change(sandbox, lambda before: replace(before, deeds=before.deeds[:count]))


def recorded_story(console: ConsolePorts, sandbox: str, title: str, about: str) -> dict[str, Any]:
    """The document of the story of a recording. Raises InvalidInputError where nothing was
    recorded, UnknownSandboxError.
    """
    found, deeds = (
        sandbox_with(console.server, sandbox),
        console.recordings.recording(sandbox).deeds,
    )
    if not deeds:
        raise InvalidInputError("recording", plain("errors.recorded"), plain("errors.nothing"))
    lesson = console.stages.lesson(sandbox)
    options = options_of(found) if lesson is None else lesson.story.sandbox
    read = read_title(title)
    return console.server.aside.of(sandbox)(
        lambda: story_of(deeds, title=read, about=about, sandbox=options)
    )


def keep_story(console: ConsolePorts, by: str, document: Mapping[str, Any]) -> KeptStory:
    """Keep a story, so that lessons can play it, also for those who may only read the sandbox that
    it is of: what opens something there is cut. Raises InvalidInputError for one that cannot be
    played, or one too many. Choice: D-493.
    """
    document = console.server.aside(_cut, document)
    try:
        console.server.aside(read_story, document, "recording")
    except StoryError as error:
        raise InvalidInputError("story", plain("errors.playable"), str(error)) from None
    ids, now = console.server.ids, console.server.clock.now()
    story = KeptStory(id=f"recorded-{ids.hex(STORY_ID_DIGITS)}", by=by, at=now, document=document)
    with console.recordings.keeping():
        kept, said = console.recordings.stories(), plain("errors.stories", most=STORIES_MAX)
        refuse_one_more("stories", len(kept), STORIES_MAX, said)
        refuse_long_stories(kept, story)
        console.recordings.keep_story(story)
    return story


def _cut(document: Mapping[str, Any]) -> dict[str, Any]:
    found = cut_openings(json.dumps(document, ensure_ascii=False))
    return cast(dict[str, Any], json.loads(found))


def kept_story(console: ConsolePorts, identity: str) -> KeptStory:
    """The story that was kept under this name. Raises UnknownStoryError."""
    for each in console.recordings.stories():
        if each.id == identity:
            return each
    raise UnknownStoryError("no story was kept under the name in the path")


def remove_story(console: ConsolePorts, identity: str) -> None:
    """Forget a story. Raises UnknownStoryError."""
    console.recordings.remove_story(kept_story(console, identity).id)


def known_stories(console: ConsolePorts) -> dict[str, Story]:
    """The stories that can be played, by name: the shipped ones, then those that people kept."""
    return console.server.aside(_read_all, console.recordings.stories())


def _read_all(kept: Sequence[KeptStory]) -> dict[str, Story]:
    shipped = {name: load_story(path) for name, path in stories(SHIPPED).items()}
    return shipped | {each.id: read_story(each.document, each.id) for each in kept}


def _parameters(raw: bytes | None, shop: str) -> dict[str, str]:
    sent = dict(parse_qsl((raw or b"").decode(), keep_blank_values=True))
    sent.pop(ENTITY, None)
    return {name: value.replace(shop, f"{{{SHOP}}}") for name, value in sent.items()}
