"""Stories: a course of requests that is played on a terminal, one YAML file each.

A step says what happens, does one thing (a request to the gateway, one to the control API, or
receiving what came to the shop), says what has to come of it, keeps pieces of the answer under
names for later steps, and may show what is new in the trace of a payment. `{name}` stands for a
piece, `{brace}` for a brace where it would begin a name.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from scenarios.errors import Problem, nearest, shown
from scenarios.schema import misfits_of
from scenarios.yaml_text import read_file, read_yaml, reason_of

# The same text, by libyaml in an eighth of the time.
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
SHIPPED = Path(__file__).parent / "stories"
ACTIONS = ("call", "control", "received")
SHOPPER, BRACE = "shopper", "brace"
# The brace before a word that a story takes for the name of a piece.
NAMING = re.compile(r"\{(?=(\w+)\})")
# Where the form of a checkout posts to.
FORM_PATH = re.compile(r"v1/checkouts/[^/]+/(payment|registration)")
FORM_PATHS = "v1/checkouts/ID/payment or v1/checkouts/ID/registration"
# Members of stories of 0.1.0 under their new names; both work for one release.
RENAMED = {"heard": "received"}
WHOLE = "document"


class StoryError(ValueError):
    """A story that cannot be played: its file, the step, what was expected and what came."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One request: a path or an address, and a form, a query or a JSON document. With `by`
    "shopper" it is what the form of a checkout posts, without the merchant and its token.
    """

    path: str
    method: str = "POST"
    by: Literal["merchant", "shopper"] = "merchant"
    form: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    document: Mapping[str, Any] = {}


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has to come: a status, a result code, and texts at paths of the answer."""

    status: int
    code: str = ""
    at: Mapping[str, str] = {}


class StoryStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: what is said, and at most one of call, control and received (that many calls)."""

    say: str
    call: Request | None = None
    control: Request | None = None
    received: int = 0
    expect: Expected | None = None
    keep: Mapping[str, str] = {}
    show: str = ""


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A story: its title, what it is about, options of its sandbox, and its steps."""

    title: str
    about: str
    steps: tuple[StoryStep, ...]
    sandbox: Mapping[str, Any] = {}


def stories(folder: Path = SHIPPED) -> dict[str, Path]:
    """The files of the stories by their names, in order."""
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def story_file(name: str) -> Path:
    """The file of a story: a shipped one by its name, any other by its path. Raises StoryError."""
    known = stories()
    if name in known:
        return known[name]
    if name.endswith((".yaml", ".yml")):
        return Path(name)
    close = nearest(name, known)
    hint = f" (nearest: {close})" if close else ""
    raise StoryError(f"expected one of {', '.join(known)}, or a .yaml file{hint}, got {name!r}")


def load_story(path: Path) -> Story:
    """The story of a file. Raises StoryError, which names the file and the step."""
    return read_story(_document(path), path.name)


def read_story(document: Mapping[str, Any], source: str) -> Story:
    """The story of a document that came from `source`. Raises StoryError, which names the step."""
    steps = document.get("steps")
    for step in steps if isinstance(steps, list) else ():
        _rename_members(step)
    for number, step in enumerate(steps if isinstance(steps, list) else (), 1):
        problem = _problem_of(step)
        if problem is not None:
            raise StoryError(f"{source}: step {number}: {problem}")
    try:
        story = msgspec.convert(document, Story)
    except msgspec.ValidationError as error:
        raise StoryError(f"{source}: {_misfit(document, Story, error)}") from None
    if not story.steps:
        raise StoryError(f"{source}: {Problem('steps', 'at least one step', 'none')}")
    return story


def story_text(document: Mapping[str, Any]) -> str:
    """The document of a story as the text of its file."""
    return str(
        yaml.dump(dict(document), Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=100)
    )


def literal_text(text: str, names: Collection[str] = ()) -> str:
    """A text as a step writes it, so that no brace in it begins a name but those of `names`."""
    return NAMING.sub(lambda found: "{" if found[1] in names else f"{{{BRACE}}}", text)


def _document(path: Path) -> Mapping[str, Any]:
    try:
        document = read_yaml(read_file(path))
    except OSError as error:
        raise StoryError(f"{path.name}: expected a file, got: {error.strerror}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise StoryError(f"{path.name}: expected YAML, got: {reason_of(error)}") from None
    if not isinstance(document, dict):
        problem = Problem("document", "a mapping with title, about and steps", shown(document))
        raise StoryError(f"{path.name}: {problem}")
    return document


def _rename_members(step: object) -> None:
    """Give the members that have a new name that name."""
    for old, new in RENAMED.items():
        if isinstance(step, dict) and old in step:
            step[new] = step.pop(old)


def _problem_of(document: object) -> str | None:
    try:
        step = msgspec.convert(document, StoryStep)
    except msgspec.ValidationError as error:
        return _misfit(document, StoryStep, error)
    return next((_said(problem) for problem in _contradictions(step)), None)


def _misfit(document: object, record: type, error: msgspec.ValidationError) -> str:
    """The first thing that is wrong with a document, in words of its file."""
    return next(map(_said, misfits_of(document, record)), str(error))


def _said(problem: Problem) -> str:
    """A problem of a step, or of a story, which are named before it."""
    return str(problem).removeprefix(f"{WHOLE}: ")


def _contradictions(step: StoryStep) -> Iterator[Problem]:
    actions = [name for name in ACTIONS if getattr(step, name)]
    if len(actions) > 1:
        yield Problem(WHOLE, f"one of {', '.join(ACTIONS)}", " and ".join(actions))
    asks = step.call or step.control
    if asks and step.expect is None:
        yield Problem("expect", "what has to come of the request", "nothing")
    if asks and asks.by == SHOPPER and not (step.call and FORM_PATH.fullmatch(asks.path)):
        yield Problem("call.by", f"shopper at a call to {FORM_PATHS}", asks.path)
    if asks is None and (step.expect or step.keep):
        yield Problem(WHOLE, "call or control beside expect and keep", "neither")
