"""What does not fit a file that people write is said in their words, in whichever file."""

import ast
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from acquirer_mocks.settlement.fault_plan import PlanDocument
from features.target.records import Target
from pos_emulator.ecr.nexo.settings import NexoSettings, SealSettings
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.scripts.acts import Act
from pos_emulator.scripts.stories import ExpectedOutcome, Step, TerminalStory
from scenarios.schema import misfits_of
from scenarios.story import Expected, Request, Story, StoryStep
from simulator.client.shown.misfits import said_of_file
from simulator.tests.kit.trees import nodes_of, sources

TERMINAL = (Act, ConversionRates, ExpectedOutcome, NexoSettings, SealSettings, Step, TerminalStory)
STORIES = (Expected, Request, Story, StoryStep)
FOREIGN = re.compile(r"`|\$|\b(str|int|bool|float|array|decimal|Expected|Invalid|Object|enum)\b")
SECRET = 4200000000000000
WRONG: tuple[Any, ...] = (SECRET, 1.5, True, "fast", [[]], {"": []})
# Those that convert documents themselves: judged before, or of no person.
OTHERS = {"simulator/client/shown/misfits.py", "simulator/domain/documents.py"}


Tried = tuple[type, str, object, msgspec.ValidationError]


def misfits(kinds: tuple[type, ...]) -> Iterator[Tried]:
    """Each member of each record with each value that it cannot have."""
    for kind in kinds:
        fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
        # Texts fit most of what is needed, and lists the rest.
        whole = {each.name: [] if each.name == "steps" else "a" for each in fields if each.required}
        for name, value in [(field.name, each) for field in fields for each in WRONG]:
            yield from misfit(kind, name, {**whole, name: value})


def misfit(kind: type, name: str, document: object) -> Iterator[Tried]:
    try:
        msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        if f"$.{name}" in str(error):
            yield kind, name, document, error


def test_the_files_of_terminals_settings_and_targets_say_place_and_kind() -> None:
    tried = 0
    for kind, name, document, error in misfits((*TERMINAL, Target, PlanDocument)):
        said = said_of_file(error, document, kind)

        assert said.startswith(name) and ": expected " in said, said
        assert ", got " in said, said
        assert not FOREIGN.search(said) and str(SECRET) not in said, said
        tried += 1
    assert tried > 100


def test_the_files_of_stories_do_so_too() -> None:
    tried = 0
    for kind, name, document, _ in misfits(STORIES):
        problem = next(each for each in misfits_of(document, kind) if each.where.startswith(name))

        assert not FOREIGN.search(str(problem)), problem
        assert str(SECRET) not in str(problem) or "a text" not in problem.expected, problem
        tried += 1
    assert tried > 30


@pytest.mark.parametrize("kind", [*TERMINAL, PlanDocument], ids=lambda kind: kind.__name__)
def test_a_name_that_is_unknown_has_the_nearest(kind: type) -> None:
    known = inspect.type_info(kind).fields[0].name  # type: ignore[attr-defined]
    document = {f"{known}s": 1}
    try:
        msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        if "unknown" in str(error):
            assert f"(nearest: {known})" in said_of_file(error, document, kind)


def test_no_module_says_what_the_library_says() -> None:
    """One that shows its error has a row here, with those who read it."""
    shown = {
        # What was judged by a schema before.
        "scenarios/loader.py",
        "simulator/domain/steering/scripts.py",
        # What the control API answers.
        "features/target/reachability.py",
    }
    handlers = [
        (source.path, node)
        for source in sources()
        if not source.is_test and source.path not in OTHERS
        for node in nodes_of(source)
        if isinstance(node, ast.ExceptHandler) and node.name and node.type is not None
    ]
    assert {path for path, node in handlers if repeats_its_error(node)} == shown


def repeats_its_error(handler: ast.ExceptHandler) -> bool:
    text = "\n".join(map(ast.unparse, handler.body))
    says = re.search(rf"\{{{handler.name}\}}|str\({handler.name}\)", text)
    return says is not None and "ValidationError" in ast.unparse(handler.type or handler)
