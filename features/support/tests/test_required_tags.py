"""Public calls only in untagged scenarios: what a scenario uses beyond them, its tags say.

Read from the fixtures and the source of every step that a scenario executes. At run time a fixture
refuses besides: see `demand_tag`.
"""

import ast
import importlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pytest_bdd.parser import ScenarioTemplate

from features import plugin
from features.gherkin import step_catalogue as catalogue
from features.support.required_tags import (
    ANY_OTHER_CALL,
    CALLS,
    FIXTURES,
    BrandGuard,
    MissingTagError,
    demand_tag,
)
from features.target.records import OFFERS
from simulator.client import Answer, Control, OutgoingRequest

Function = Callable[..., Any]

MODULES = [plugin, *map(importlib.import_module, plugin.STEP_MODULES)]
# Fixtures of the judge itself, which may ask for anything.
OURS = ("features.plugin", "features.support.fixtures", "features.support.parties")
DEFINITIONS = catalogue.definitions(plugin.STEP_MODULES)
# Opens the scenario's sandbox where there is a control API, and needs none where there is not.
EXCEPTED = {"merchant", "request", "client", "operator", "sandboxes"}


def fixtures() -> dict[str, Function]:
    found = {}
    for module in MODULES:
        for name, value in vars(module).items():
            if type(value).__name__ == "FixtureFunctionDefinition":
                found[name] = value._get_wrapped_function()
    return found


KNOWN = fixtures()


def scenarios() -> list[ScenarioTemplate]:
    found = [feature.scenarios.values() for feature in catalogue.shipped_features()]
    return [scenario for each in found for scenario in each]


def tags_of(scenario: ScenarioTemplate) -> set[str]:
    tags = scenario.tags | scenario.feature.tags
    return {tag.removeprefix("needs:") for tag in tags if tag.startswith("needs:")}


def functions_of(scenario: ScenarioTemplate) -> set[Function]:
    """The functions of every step that the scenario executes, whatever its examples."""
    steps = set(catalogue.steps_of(scenario))
    keys = {key for kind, text in steps for key in catalogue.matching(DEFINITIONS, kind, text)}
    return {DEFINITIONS[key].step_func for key in keys}


def fixtures_of(function: Function, *, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Every fixture a function asks for, and what those ask for."""
    for name in inspect.signature(function).parameters:
        if name in KNOWN and name not in EXCEPTED and name not in seen:
            yield name
            yield from fixtures_of(KNOWN[name], seen=seen | {name})


def calls_of(function: Function, *, seen: frozenset[Function] = frozenset()) -> Iterator[str]:
    """Every call of Control that a function makes, itself or by a function it hands control to."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute) and getattr(called.value, "id", "") == "control":
            yield called.attr
        helper = getattr(called, "id", None)
        if any(getattr(each, "id", "") == "control" for each in node.args):
            handed = function.__globals__[helper]
            if handed not in seen:
                yield from calls_of(handed, seen=seen | {handed})


def wanted_of(function: Function) -> Iterator[tuple[str, frozenset[str]]]:
    """What a step uses beyond public calls, and the tags of which one has to be there."""
    asked = [function, *(KNOWN[name] for name in fixtures_of(function))]
    for name in fixtures_of(function):
        if name in FIXTURES:
            yield name, FIXTURES[name]
    for each in asked:
        for call in calls_of(each):
            yield f"control.{call}", CALLS.get(call, ANY_OTHER_CALL)


@cache
def wanted() -> dict[Function, dict[str, frozenset[str]]]:
    """What each step uses: read when a test asks for it, not by every worker that collects."""
    steps = {definition.step_func for definition in DEFINITIONS.values()}
    return {function: dict(wanted_of(function)) for function in steps}


def parameters() -> dict[str, set[str]]:
    """What each step, and each fixture but the judge's own, asks for."""
    asking = [*wanted(), *(each for each in KNOWN.values() if each.__module__ not in OURS)]
    return {
        f"{each.__module__}.{each.__name__}": set(inspect.signature(each).parameters)
        for each in asking
    }


def missing_of(scenario: ScenarioTemplate) -> dict[str, list[str]]:
    """What a scenario uses without one of the tags that entitle to it."""
    tags = tags_of(scenario)
    used = {what: entitling for each in functions_of(scenario)
            for what, entitling in wanted()[each].items()}  # fmt: skip
    return {what: sorted(of) for what, of in used.items() if not of & tags}


def test_a_scenario_says_what_it_needs_beyond_public_calls() -> None:
    assert {each.name: missing for each in scenarios() if (missing := missing_of(each))} == {}


def test_no_step_asks_for_what_only_the_judge_may_have() -> None:
    asked = parameters()
    assert len(asked) > 500
    assert [name for name in asked if {"operator", "sandboxes"} & asked[name]] == []


def test_the_walk_sees_fixtures_behind_fixtures_and_calls_behind_helpers() -> None:
    from features.steps.merchants import hosts
    from features.steps.webhooks import notifications, receivers

    assert "live_client" in set(fixtures_of(hosts.pay_live))
    assert set(calls_of(receivers.register_receiver)) == {"create_webhook"}
    assert set(calls_of(notifications.replay_notification)) == {
        "drain", "notices", "resend_notice",
    }  # fmt: skip
    assert wanted()[receivers.receiver_is_endpoint].keys() == {"notified", "receiver"}
    assert wanted()[receivers.register_receiver].keys() == {
        "control", "receiver", "control.create_webhook",
    }  # fmt: skip


def test_every_call_that_is_named_exists_and_every_tag_is_an_offer() -> None:
    assert [name for name in CALLS if not hasattr(Control, name)] == []
    assert [name for name in FIXTURES if name not in KNOWN] == []
    named = frozenset().union(*FIXTURES.values(), *CALLS.values())
    assert named <= set(OFFERS)


@pytest.mark.needs("clock")
def test_a_fixture_is_given_to_who_has_a_tag_for_it(request: pytest.FixtureRequest) -> None:
    demand_tag(request.node, "control")


def test_a_fixture_is_refused_to_who_has_none(request: pytest.FixtureRequest) -> None:
    with pytest.raises(
        MissingTagError, match="uses control and has none of the tags @needs:clock, "
    ):
        demand_tag(request.node, "control")


BY_EPS = OutgoingRequest("http://x/", "POST", "v1/payments", {}, b"amount=1&paymentBrand=EPS")
BY_CARD = OutgoingRequest("http://x/", "POST", "v1/payments", {}, b"paymentBrand=VISA")
SENT = Answer(200, {}, {})


def test_a_brand_that_is_no_card_is_refused_to_a_case_without_the_need(
    request: pytest.FixtureRequest,
) -> None:
    guard = BrandGuard()
    guard.begin(request.node)
    assert guard.around(BY_CARD, lambda: SENT) is SENT
    with pytest.raises(MissingTagError, match="pays by EPS and has no tag @needs:brands"):
        guard.around(BY_EPS, lambda: SENT)


@pytest.mark.needs("brands")
def test_a_brand_that_is_no_card_is_sent_by_a_case_with_the_need(
    request: pytest.FixtureRequest,
) -> None:
    guard = BrandGuard()
    guard.begin(request.node)
    assert guard.around(BY_EPS, lambda: SENT) is SENT


def test_cases_of_users_may_send_any_brand(tmp_path: Path) -> None:
    guard = BrandGuard()
    own = SimpleNamespace(name="own", path=tmp_path, iter_markers=lambda _: iter(()))
    guard.begin(cast(pytest.Item, own))
    assert guard.around(BY_EPS, lambda: SENT) is SENT
