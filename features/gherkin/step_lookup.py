"""Finds the definition of a step at once.

pytest-bdd looks for it in every fixture of the session, twice a step, and asks pytest about each
whether the scenario sees it: half the processor time of a run. What the scenarios of one file see
is the same for all of them, so here pytest is asked once a file, and sentences are compared once.
"""

from importlib import import_module
from typing import Any

import pytest
from _pytest.fixtures import FixtureManager
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepNamePrefix, step_function_context_registry

DEFINITION = StepNamePrefix.step_def.value


class StepLookup:
    """The step definitions that the scenarios of each file see, and those that match a sentence."""

    def __init__(self) -> None:
        self._seen: dict[Any, list[tuple[Any, Any]]] = {}
        self._matching: dict[tuple[Any, str, str], list[Any]] = {}

    def find(self, step: Step, fixturemanager: FixtureManager, node: pytest.Item) -> list[Any]:
        """As `pytest_bdd.scenario.find_fixturedefs_for_step`."""
        key = node.parent, step.type, step.name
        if key not in self._matching:
            self._matching[key] = [
                definition
                for context, definition in self._definitions_for(fixturemanager, node)
                if context.type in (None, step.type) and context.parser.is_matching(step.name)
            ]
        return self._matching[key]

    def _definitions_for(
        self, fixturemanager: FixtureManager, node: pytest.Item
    ) -> list[tuple[Any, Any]]:
        if node.parent not in self._seen:
            names = [name for name in get_fixture_names(fixturemanager=fixturemanager)
                     if name.startswith(DEFINITION)]  # fmt: skip
            found = [each for name in names
                     for each in getfixturedefs(fixturemanager, name, node) or ()]  # fmt: skip
            contexts = [(step_function_context_registry.get(each.func), each) for each in found]
            self._seen[node.parent] = [each for each in contexts if each[0] is not None]
        return self._seen[node.parent]


def install() -> None:
    """Let pytest-bdd find the definitions of steps so."""
    # The package has a function of the name of this module.
    module: Any = import_module("pytest_bdd.scenario")
    module.find_fixturedefs_for_step = StepLookup().find
