"""What every feature file keeps: tags, titles, vocabulary, and steps that are there, once."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from pytest_bdd.parser import Feature, ScenarioTemplate

from features import plugin
from features.gherkin import step_catalogue as catalogue
from features.gherkin.step_catalogue import StepLine
from features.patterns.recognition import PATTERNS
from features.spec.tables import expectations, requirements
from features.steps.phrases import TYPES
from features.target.records import OFFERS

FOLDER = Path(__file__).parents[1]
FEATURES = catalogue.shipped_features()
# What makes a gateway answer with a code of the tester's choice.
MEANS = {"declines", "scripts"}
OPINIONS = re.compile(r"\b(should|must|ought|verify|ensure)\b|^(Test|Check|When|Given|Then)\b")
WIRE = re.compile(
    r"/v\d|\b(GET|POST|PUT|DELETE|HTTP|Authorization|Content-Type)\b"
    r"|(?<![\d.])(?<!D-)(200|307|40[0-9]|413|429|500)(?![\d.])"
)
# The features that are about the wire.
OF_THE_WIRE = {"transport.feature", "field_paths.feature"}
# The one word of the wire that the feature about credentials cannot do without.
ALLOWED_WIRE = {"authentication.feature": {"Authorization"}}


def scenarios() -> list[ScenarioTemplate]:
    return [scenario for feature in FEATURES for scenario in feature.scenarios.values()]


def tags_of(scenario: ScenarioTemplate) -> set[tuple[str, str]]:
    """The kind and value of every tag of a scenario and of its feature."""
    tags = scenario.tags | scenario.feature.tags
    return {(tag.partition(":")[0], tag.partition(":")[2]) for tag in tags}


def matching(line: StepLine) -> list[str]:
    return catalogue.matching(DEFINITIONS, line.kind, line.text)


DEFINITIONS = catalogue.definitions(plugin.STEP_MODULES)


@cache
def lines() -> list[StepLine]:
    """Every step of every feature as it is executed: to fill in all examples takes a second."""
    return list(catalogue.lines_of(FEATURES))


def test_there_are_features_and_steps() -> None:
    assert len(FEATURES) >= 8
    assert len(DEFINITIONS) >= 60


def test_a_scenario_names_requirements_that_exist() -> None:
    for scenario in scenarios():
        named = {value for kind, value in tags_of(scenario) if kind in {"req", "field"}}
        assert named, scenario.name
        assert named <= {*requirements(), *expectations()}, scenario.name


def test_every_expectation_of_the_field_is_shown() -> None:
    tags = {tag for scenario in scenarios() for tag in tags_of(scenario)}
    shown = {value for kind, value in tags if kind == "field"}
    assert len(expectations()) == 75
    assert set(expectations()) - shown == set()


def test_a_scenario_has_only_tags_that_mean_something() -> None:
    for scenario in scenarios():
        for kind, value in tags_of(scenario):
            assert kind in {"req", "needs", "decision", "code", "field", "pattern"}, scenario.name
            assert kind != "pattern" or value in PATTERNS, scenario.name
            assert kind != "needs" or value in OFFERS, scenario.name
            assert kind not in {"decision", "code"} or re.fullmatch(r"D-\d{2,3}", value), (
                scenario.name
            )


def test_a_result_code_is_demanded_where_a_decision_or_a_means_gives_it() -> None:
    for scenario in scenarios():
        kinds = tags_of(scenario)
        given = {kind for kind, _ in kinds} & {"decision", "code", "field"}
        given |= {value for _, value in kinds} & MEANS
        wanted = [step.name for step in scenario.steps if step.type == "then"]
        wanted += [value for table in scenario.examples for row in table.examples for value in row]
        assert given or not re.search(r"\d{3}\.\d{3}\.\d{3}", " ".join(wanted)), scenario.name


def test_a_decision_is_written_down() -> None:
    text = (FOLDER.parent / "DECISIONS.md").read_text("utf-8")
    tags = {tag for scenario in scenarios() for tag in tags_of(scenario)}
    named = {value.lower() for kind, value in tags if kind in {"decision", "code"}}
    assert named - set(re.findall(r'<a id="(d-\d+)">', text)) == set()


def test_a_title_states_a_fact() -> None:
    for scenario in scenarios():
        assert not OPINIONS.search(scenario.name), scenario.name
        assert scenario.name[0].isupper(), scenario.name
        assert not scenario.name.endswith("."), scenario.name


def test_a_scenario_has_one_when_and_ends_in_a_then() -> None:
    for scenario in scenarios():
        kinds = [step.type for step in scenario.steps]
        assert kinds.count("when") == 1, scenario.name
        assert kinds[-1] == "then", scenario.name
        assert kinds == sorted(kinds, key=["given", "when", "then"].index), scenario.name


def test_a_table_of_examples_says_why_each_row_is_there() -> None:
    for scenario in scenarios():
        for table in scenario.examples:
            assert "why" in table.example_params, scenario.name
            assert all(context["why"] for context in table.as_contexts()), scenario.name


def test_no_two_scenarios_have_one_title() -> None:
    titles = [scenario.name for scenario in scenarios()]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.rel_filename)
def test_paths_headers_and_status_codes_appear_in_the_feature_about_transport_alone(
    feature: Feature,
) -> None:
    name = Path(feature.filename).name
    found = {match[0] for match in WIRE.finditer(Path(feature.filename).read_text("utf-8"))}
    assert name in OF_THE_WIRE or found <= ALLOWED_WIRE.get(name, set())


def test_every_step_is_defined_once() -> None:
    ambiguous = {(line.text, len(matching(line))) for line in lines() if len(matching(line)) != 1}
    assert not ambiguous


def test_every_definition_is_used() -> None:
    used = {key for line in lines() for key in matching(line)}
    assert set(DEFINITIONS) - used == set()


def test_money_in_a_step_carries_its_currency() -> None:
    bare = re.compile(rf"\b(?:{'|'.join(TYPES)}) [0-9]\S*(?!\S)(?! (?!of\b|on\b|with\b)\w+)")
    assert not [line for line in lines() if bare.search(line.text)]


def test_pairs_of_definitions_are_worded_apart() -> None:
    wordings = [(definition.type, definition.parser.name) for definition in DEFINITIONS.values()]
    twins = [a for (i, a), (j, b) in product(enumerate(wordings), repeat=2) if i < j and a == b]
    assert not twins
