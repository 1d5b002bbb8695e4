"""The catalogue of steps: every wording a feature may use, with an example of each."""

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from pytest_bdd import parsers
from pytest_bdd.feature import get_features
from pytest_bdd.parser import Feature, ScenarioTemplate, render_string
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

from features.steps import NOUNS

FOLDER = Path(__file__).parents[1]
KEYWORDS = ("given", "when", "then")
NEAREST = 3
# Below this, two sentences have little more in common than their language.
LIKENESS_MIN = 0.5


@dataclass(frozen=True)
class StepLine:
    """One step as it is executed, with its examples filled in."""

    where: str
    kind: str
    text: str


@dataclass(frozen=True)
class StepWording:
    """One wording of a step, with `<name>` for each value; `noun` is what the step is about."""

    noun: str
    keyword: str
    wording: str
    example: str
    module: str


def catalogue(modules: Sequence[str], words: Sequence[str] = ()) -> list[StepWording]:
    """Every wording that the shipped features use, by noun, keyword and alphabet.

    With `words`, only those that have all of them in noun, keyword, wording, example or module.
    """
    found: dict[tuple[str, str], StepWording] = {}
    for key, each in _examples(tuple(modules)):
        searched = " ".join(astuple(each)).lower()
        if all(word.lower() in searched for word in words):
            # Singular and plural are one wording.
            found.setdefault((key, re.sub(r"s\b", "", each.wording)), each)
    return sorted(found.values(), key=_order)


@cache
def _examples(modules: Sequence[str]) -> tuple[tuple[str, StepWording], ...]:
    """Every sentence of the shipped features as an example of each definition that takes it. Kept:
    to find them takes a second, and a run asks for them at each step that it does not know.
    """
    known = definitions(modules)
    sentences = dict.fromkeys((line.kind, line.text) for line in lines_of(shipped_features()))
    return tuple(
        (key, StepWording(NOUNS[module], kind, worded(known[key], text), text, module))
        for kind, text in sentences
        for key in matching(known, kind, text)
        for module in (key.partition(":")[0],)
    )


def _order(each: StepWording) -> tuple[int, int, str]:
    nouns = list(dict.fromkeys(NOUNS.values()))
    return nouns.index(each.noun), KEYWORDS.index(each.keyword), each.wording


def nearest(modules: Sequence[str], kind: str, text: str) -> list[StepWording]:
    """The wordings of this keyword that are most like a sentence, the most alike first."""
    alike = [
        (max(_likeness(text, each.wording), _likeness(text, each.example)), each)
        for each in catalogue(modules)
        if each.keyword == kind
    ]
    alike.sort(key=lambda pair: pair[0], reverse=True)
    return [each for likeness, each in alike[:NEAREST] if likeness >= LIKENESS_MIN]


def definitions(modules: Sequence[str]) -> dict[str, StepFunctionContext]:
    """Every step definition by module and order, whatever its wording."""
    found = {}
    for name in modules:
        for attribute, value in vars(importlib.import_module(name)).items():
            if attribute.startswith("pytestbdd_stepdef"):
                marker = getattr(value, "_get_wrapped_function", lambda value=value: value)()
                found[f"{name}:{attribute}"] = step_function_context_registry[marker]
    return found


def matching(known: Mapping[str, StepFunctionContext], kind: str, text: str) -> list[str]:
    """The keys of the definitions that take a step."""
    return [
        key
        for key, definition in known.items()
        if definition.type in (kind, None) and definition.parser.is_matching(text)
    ]


@cache
def shipped_features() -> tuple[Feature, ...]:
    """Every feature of the suite."""
    return tuple(get_features([str(FOLDER)]))


def lines_of(features: Iterable[Feature]) -> Iterator[StepLine]:
    """Every step of these features as it is executed."""
    for feature in features:
        for scenario in feature.scenarios.values():
            where = f"{feature.rel_filename}: {scenario.name}"
            yield from (StepLine(where, kind, text) for kind, text in steps_of(scenario))


def steps_of(scenario: ScenarioTemplate) -> Iterator[tuple[str, str]]:
    """The keyword and the text of each step of a scenario, once for each row of its examples.

    Whole steps are not rendered: to copy their tables takes most of the time.
    """
    for context in [c for table in scenario.examples for c in table.as_contexts()] or [{}]:
        yield from ((step.type, render_string(step.name, context)) for step in scenario.steps)


def worded(definition: StepFunctionContext, text: str) -> str:
    """A step with the names of its parts in their places: `a debit of <amount> <currency>`."""
    for start, end, name in sorted(_parts_of(definition, text), reverse=True):
        text = f"{text[:start]}<{name}>{text[end:]}"
    return text


def _parts_of(definition: StepFunctionContext, text: str) -> Iterator[tuple[int, int, str]]:
    parser = definition.parser
    if isinstance(parser, parsers.re):
        match = parser.regex.fullmatch(text)
        assert match is not None, f"{text!r} is no step of {parser.name!r}"
        for name in match.groupdict():
            if match.group(name) is not None:
                yield *match.span(name), name
    elif isinstance(parser, parsers.parse):
        for name, (start, end) in parser.parser.parse(text).spans.items():
            yield start, end, str(name)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio()
