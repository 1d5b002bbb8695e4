"""The sandbox that a form names: by its id, or by as many of its first digits as name it alone."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from simulator.catalogue.console_words import plain
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import Registry

# So many digits of an id stand in the bar of each page.
DIGITS_SHOWN = 8
OFFERED = 100
SHOWN_LENGTH = 40


class OfferedSandbox(NamedTuple):
    """A sandbox as a form offers it: the name of its merchant, and of its lesson if it has one."""

    id: str
    name: str


def sandbox_named(registry: Registry, text: str, *, where: str) -> Sandbox:
    """The sandbox that was typed into a field. Raises InvalidInputError where there is none, or
    where several begin so.
    """
    typed = text.strip().lower()
    exact = registry.sandbox(typed)
    if exact is not None:
        return exact
    is_beginning = len(typed) >= DIGITS_SHOWN
    found = [each for each in registry.sandboxes() if is_beginning and each.id.startswith(typed)]
    if len(found) == 1:
        return found[0]
    shown = beginning_of(text, SHOWN_LENGTH)
    got = plain("errors.sandboxes", text=shown, count=len(found)) if found else shown
    raise InvalidInputError(where, plain("errors.sandbox", digits=DIGITS_SHOWN), got)


def offered_sandboxes(console: ConsolePorts) -> Sequence[OfferedSandbox]:
    """The newest sandboxes, for a field that names one."""
    registry = console.server.registry
    newest = list(islice(registry.sandboxes(), max(0, registry.count() - OFFERED), None))
    return [OfferedSandbox(each.id, _name_of(console, each)) for each in reversed(newest)]


def _name_of(console: ConsolePorts, sandbox: Sandbox) -> str:
    lesson = console.stages.lesson(sandbox.id)
    names = (sandbox.merchants[0].name, "" if lesson is None else lesson.story.title)
    return ", ".join(filter(None, names))
