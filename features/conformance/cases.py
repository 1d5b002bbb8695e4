"""Every test case of the suite: each scenario, each row of its examples, each boundary of a field.

A test case has an id, which `--only` takes and every report shows.
"""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from pytest_bdd.feature import get_features
from pytest_bdd.parser import ScenarioTemplate

from features.boundaries import cases as boundaries
from features.gherkin.files import FeatureFileError, read_features
from features.gherkin.other_accounts import needs_in
from features.spec.tables import expectations, requirements
from features.target.records import OFFERS
from simulator.client.shown.masking import without_numbers

FOLDER = Path(__file__).parents[1]
BOUNDARIES = "boundaries/test_fields.py"
OF_A_BOUNDARY = "LIM-04"
ADDRESS, TAG = "FIELD:", "@"
# What an outline has in its name for a value of a row.
PLACE = re.compile(r"<([^<>]+)>")
NEAREST = 3
ONE_DIGIT = re.compile(r"([A-Z]+-|E)([0-9])", re.IGNORECASE)
TITLES_SHOWN = 6


class CaseKey(NamedTuple):
    """Where a test case is defined: file, title, and the row of its examples from 1."""

    file: str
    title: str
    row: int = 0


@dataclass(frozen=True)
class SuiteCase:
    """A test case before it has run."""

    id: str
    key: CaseKey
    title: str
    file: str
    line: int = 0
    requirements: Sequence[str] = ()
    expectations: Sequence[str] = ()
    decisions: Sequence[str] = ()
    needs: Sequence[str] = ()
    tags: Sequence[str] = ()
    example: dict[str, str] = field(default_factory=dict)

    @property
    def is_boundary(self) -> bool:
        """Whether it is a boundary of a field; a title may begin like the address of one."""
        return self.key.file == BOUNDARIES

    @property
    def ids(self) -> set[str]:
        """The requirements, expectations and decisions it shows."""
        return {*self.requirements, *self.expectations, *self.decisions}


class UnknownCaseError(ValueError):
    """A word that names no test case, with the most similar ones."""


def load_cases(folder: Path | None = None) -> list[SuiteCase]:
    """The test cases of a folder of features, or of the shipped suite. Raises FeatureFileError."""
    scenarios = list(_scenarios_in(folder or FOLDER))
    titles = [scenario.name for scenario in scenarios]
    found = [
        known
        for scenario in scenarios
        for known in _cases_of(scenario, folder or FOLDER, is_alone=titles.count(scenario.name) < 2)
    ]
    return found if folder else [*found, *map(boundary_case, boundaries.all_cases())]


def select_cases(
    known: Sequence[SuiteCase], wanted: Iterable[str], *, folder: Path | None = None
) -> list[SuiteCase]:
    """The test cases that these words name, in the order of the suite. Raises UnknownCaseError.

    A word is an address or the beginning of one, a requirement, an expectation, a decision, a tag
    with its @, a title or as much of one as no other title has. `folder` is where they are from.
    """
    named = {each.id for word in wanted for each in _named(known, word, folder)}
    return [each for each in known if each.id in named]


def boundary_case(case: boundaries.BoundaryCase) -> SuiteCase:
    """The case of one boundary."""
    return SuiteCase(
        id=case.address,
        key=CaseKey(BOUNDARIES, case.address),
        title=f"{case.field} {'takes' if case.taken else 'refuses'}: {case.kind.replace('-', ' ')}",
        file=f"features/{BOUNDARIES}",
        requirements=(OF_A_BOUNDARY,),
        decisions=case.decisions,
        needs=case.needs,
        example={"name": case.name, "value": case.value},
    )


def _scenarios_in(folder: Path) -> Iterator[ScenarioTemplate]:
    if not folder.is_dir():
        raise FeatureFileError(f"{folder}: expected a folder of .feature files, got none")
    # The shipped features are valid, and reading them twice takes time.
    features = get_features([str(FOLDER)]) if folder == FOLDER else read_features(folder.resolve())
    if not features:
        raise FeatureFileError(f"{folder}: expected at least one .feature file, got none")
    for feature in features:
        yield from feature.scenarios.values()


def _cases_of(scenario: ScenarioTemplate, folder: Path, *, is_alone: bool) -> Iterator[SuiteCase]:
    path = Path(scenario.feature.filename)
    inside = path.relative_to(folder.resolve()).as_posix()
    given = scenario.name if is_alone else f"{inside}: {scenario.name}"
    rows = [row for table in scenario.examples for row in table.as_contexts()]
    is_shipped = folder == FOLDER
    for number, example in enumerate(rows or [{}], start=1):
        # The words of users mean what users say.
        seen = needs_in(scenario, example) if is_shipped else ()
        name, title = (_with_values(each, example) for each in (given, scenario.name))
        yield SuiteCase(
            # As every report shows it, so that an id of a report can be passed to --only.
            id=without_numbers(f"{name} #{number}" if rows else name),
            key=CaseKey(str(path), scenario.name, number if rows else 0),
            title=without_numbers(title),
            file=f"features/{inside}" if is_shipped else inside,
            line=scenario.line_number,
            example=dict(example),
            **_tags_of(scenario, seen),
        )


def _with_values(name: str, example: Mapping[str, str]) -> str:
    """The name of a scenario with the values of a row of examples in the places it names."""
    return PLACE.sub(lambda found: str(example.get(found[1], found[0])), name)


def _tags_of(scenario: ScenarioTemplate, seen: Iterable[str]) -> dict[str, list[str]]:
    """The values of the tags of a scenario, its rule and its feature, and of the needs that were
    seen from its words. Raises FeatureFileError.
    """
    rule = scenario.rule.tags if scenario.rule else set()
    every = scenario.tags | scenario.feature.tags | rule | {f"needs:{need}" for need in seen}
    found: dict[str, list[str]] = {
        kind: [] for kind in ("req", "field", "decision", "code", "needs")
    }
    for tag in sorted(every):
        kind, _, value = tag.partition(":")
        if kind in found and value:
            found[kind].append(value)
    for need in set(found["needs"]) - set(OFFERS):
        near = get_close_matches(need, OFFERS, 1)
        advice = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(OFFERS)}"
        where = f"{scenario.feature.filename}:{scenario.line_number}"
        raise FeatureFileError(f"{where}: @needs:{need} is unknown; {advice}")
    return {
        "requirements": found["req"],
        "expectations": found["field"],
        "decisions": sorted({*found["decision"], *found["code"]}),
        "needs": found["needs"],
        "tags": sorted(every),
    }


def _named(known: Sequence[SuiteCase], word: str, folder: Path | None) -> list[SuiteCase]:
    if word.upper().startswith(ADDRESS):
        begins = re.compile(rf"{re.escape(word.rstrip(':.'))}(?![\w-])", re.IGNORECASE)
        found = [each for each in known if begins.match(each.id)]
    elif word.startswith(TAG):
        found = [each for each in known if word.removeprefix(TAG) in each.tags]
    else:
        found = [each for each in known if word in (each.id, each.title, each.key.title)]
        found = found or [each for each in known if word.upper() in each.ids]
        found = found or _by_part(known, word)
    if not found:
        raise UnknownCaseError(_no_such_case(known, word, folder))
    return found


def _by_part(known: Sequence[SuiteCase], word: str) -> list[SuiteCase]:
    """The cases of the one title that has `word` in it; several are refused by name."""
    found = [each for each in known
             if word.lower() in each.title.lower() and not each.is_boundary]  # fmt: skip
    titles = list(dict.fromkeys(each.title for each in found))
    if len(titles) > 1:
        shown = "".join(f"\n  {title}" for title in titles[:TITLES_SHOWN])
        left = len(titles) - TITLES_SHOWN
        more = f"\n  and {left} more" if left > 0 else ""
        message = f"{word!r} is part of {len(titles)} titles; write more of it"
        raise UnknownCaseError(f"{message}:{shown}{more}")
    return found


def _in_full(word: str) -> str:
    """The word; the number of an id in two digits, as they are written."""
    found = ONE_DIGIT.fullmatch(word)
    return f"{found[1]}0{found[2]}".upper() if found else word


def _no_such_case(known: Sequence[SuiteCase], word: str, folder: Path | None) -> str:
    stated = {**requirements(), **expectations()}
    if word.upper() in stated:
        return f"no case is about {word.upper()} ({stated[word.upper()]})"
    pool = dict.fromkeys(name for each in known for name in (*each.ids, each.title, each.id))
    if word.startswith(TAG):
        pool = dict.fromkeys(f"{TAG}{tag}" for each in known for tag in each.tags)
    near = get_close_matches(_in_full(word), pool, NEAREST, 0.5)
    of_folder = f" --features {shlex.quote(str(folder))}" if folder else ""
    every = f"`sandgate check{of_folder} --list` shows all"
    advice = f"the nearest are: {', '.join(near)}" if near else every
    return f"no case is called {word!r}; {advice}"
