"""Reading `.feature` files strictly: each is readable, and nothing in it is lost.

pytest-bdd takes what it can: of two scenarios with one title the last, of an outline without rows
the bare words, of a scenario without steps that it passed, of a file without scenarios nothing.
Here they are refused, with the line. So is a scenario without a Then: only a Then asserts anything.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from glob import glob
from pathlib import Path

from pytest_bdd.exceptions import GherkinParseError
from pytest_bdd.feature import get_features
from pytest_bdd.gherkin_parser import Feature as Parsed
from pytest_bdd.gherkin_parser import GherkinDocument, Scenario, Tag, get_gherkin_document
from pytest_bdd.parser import Feature

from simulator.client.shown.writable import writable

# What pytest and its plugins read in a mark: by such a tag they would skip, let fail, or break.
OF_PYTEST = frozenset({
    "filterwarnings", "parametrize", "skip", "skipif", "timeout", "usefixtures", "xfail",
})  # fmt: skip
# Where a step of an outline has the text of a column.
PLACE = re.compile(r"<([^<>/\s](?:[^<>/]*[^<>/\s])?)>")
# What the parser calls a Then, in whatever language it is written.
THEN = "Outcome"


class FeatureFileError(ValueError):
    """Features that do not exist, or cannot be read or loaded; the message says where."""


def read_features(folder: Path) -> list[Feature]:
    """The features below a folder, except hidden ones. Raises FeatureFileError."""
    # Unlike Path.rglob it follows links, as pytest does.
    found = glob("**/*.feature", root_dir=folder, recursive=True)  # noqa: PTH207
    features = [read_feature(folder / name) for name in sorted(found)]
    return sorted(features, key=lambda feature: feature.name or feature.filename)


def read_feature(path: Path) -> Feature:
    """The feature of a file, if every scenario of it can run. Raises FeatureFileError."""
    if writable(str(path)) != str(path):
        # The workers of a run get it as text.
        raise FeatureFileError(f"{path}: expected a path in UTF-8, got another; rename it")
    try:
        _refuse_mark(path)
        document = get_gherkin_document(str(path))
        _refuse_what_gets_lost(path, document)
        _refuse_tags_of_pytest(path, document)
        (feature,) = get_features([str(path)])
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise FeatureFileError(f"{path}:{line}: expected UTF-8, got: {error.reason}") from None
    except GherkinParseError as error:
        came = f"{error.message} ({error.line_content.strip()})"
        raise FeatureFileError(f"{path}:{error.line}: expected Gherkin, got: {came}") from None
    except KeyError:
        # What pytest-bdd makes of a file that is empty or holds comments alone.
        raise FeatureFileError(f"{path}:1: expected a feature, got none") from None
    except OSError as error:
        raise FeatureFileError(f"{path}: expected a file to read, got: {error.strerror}") from None
    return feature


def _refuse_mark(path: Path) -> None:
    with path.open("rb") as file:
        if file.read(len(BOM_UTF8)) == BOM_UTF8:
            expected = "expected UTF-8 without a byte order mark"
            raise FeatureFileError(f"{path}:1: {expected}, got: one; save it without")


def _refuse_what_gets_lost(path: Path, document: GherkinDocument) -> None:
    lines: dict[str, int] = {}
    for scenario in _scenarios_of(document.feature):
        line = scenario.location.line
        if scenario.name in lines:
            came = f"{scenario.name!r}, which line {lines[scenario.name]} has"
            raise FeatureFileError(f"{path}:{line}: expected a title of its own, got: {came}")
        lines[scenario.name] = line
        if not scenario.steps:
            raise FeatureFileError(
                f"{path}:{line}: expected a step, got: none in {scenario.name!r}"
            )
        if not any(step.keyword_type == THEN for step in scenario.steps):
            came = f"none in {scenario.name!r}, which asserts nothing"
            raise FeatureFileError(f"{path}:{line}: expected a Then, got: {came}")
        if _is_outline(scenario) and not any(table.table_body for table in scenario.examples):
            came = f"none in {scenario.name!r}"
            raise FeatureFileError(f"{path}:{line}: expected a row of examples, got: {came}")
        _refuse_empty_places(path, scenario)
    if not lines:
        came = "none; it begins with `Scenario:`"
        raise FeatureFileError(
            f"{path}:{document.feature.location.line}: expected a scenario, got: {came}"
        )


def _refuse_empty_places(path: Path, scenario: Scenario) -> None:
    """Refuse a place for a column that a table of examples lacks: the step would hold its name."""
    for table in scenario.examples:
        columns = {cell.value for cell in table.table_header.cells} if table.table_header else set()
        for step in scenario.steps:
            for name in set(_places_in(step.text)) - columns:
                came = f"only {', '.join(sorted(columns))}"
                expected = f"expected a column {name!r} in the Examples of {scenario.name!r}"
                raise FeatureFileError(f"{path}:{step.location.line}: {expected}, got: {came}")


def _places_in(text: str) -> Iterator[str]:
    """The names between angle brackets, but for those of markup that is closed again."""
    return (each for each in PLACE.findall(text) if f"</{each}>" not in text)


def _refuse_tags_of_pytest(path: Path, document: GherkinDocument) -> None:
    for tag in _tags_of(document.feature):
        name = tag.name.removeprefix("@")
        # A mark of pytest has no name that begins with an underscore.
        if name in OF_PYTEST or name.startswith("_"):
            expected = "expected a tag that pytest gives no meaning"
            raise FeatureFileError(f"{path}:{tag.location.line}: {expected}, got: {tag.name}")


def _tags_of(feature: Parsed) -> Iterator[Tag]:
    """Every tag of a file, wherever it stands."""
    yield from feature.tags
    for child in feature.children:
        yield from child.rule.tags if child.rule else ()
    for scenario in _scenarios_of(feature):
        yield from scenario.tags
        for table in scenario.examples:
            yield from table.tags


def _scenarios_of(feature: Parsed) -> Iterator[Scenario]:
    """Every scenario in the order of the file, those of rules among them."""
    for child in feature.children:
        within = child.rule.children if child.rule else [child]
        yield from (each.scenario for each in within if each.scenario)


def _is_outline(scenario: Scenario) -> bool:
    return bool(scenario.examples) or "Outline" in scenario.keyword
