"""The pytest plugin of the suite: its tags, its order, and what a target does not offer.

The root conftest loads it; any other folder of features can with `-p features.plugin`.
"""

import random
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd.scenario import get_step_function

from features.conformance.stash import (
    BRAND_GUARD,
    DESCRIPTIONS,
    MEMBER_SPREAD,
    RATE_LIMITER,
    SERVER_FOLDER,
    skip_case,
)
from features.conformance.verdicts import EXAMPLE, scenario_of
from features.gherkin import step_lookup
from features.gherkin.other_accounts import needs_in
from features.gherkin.renamed_steps import current_sentence
from features.gherkin.step_catalogue import FOLDER, nearest
from features.steps import NOUNS
from features.support.browsers import browser_problem
from features.support.preconditions import demand_given_succeeded, given_fixture_of
from features.support.required_tags import BrandGuard
from features.support.sandboxes import has_field_merchant
from simulator.client.processes import stderr_of, stderr_size

pytest_plugins = ("features.support.fixtures", "features.support.parties")
STEP_MODULES = (*pytest_plugins, *NOUNS)

_TAGS = ("req", "needs", "decision", "code", "field", "pattern")
_SEEN = pytest.StashKey[int]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the tags, so that a mistyped one is an error; load the steps, and find them fast."""
    # For each of its `pytest_plugins` pytest reads what every installed distribution offers.
    for name in NOUNS:
        config.pluginmanager.register(import_module(name), name)
    step_lookup.install()
    config.stash[BRAND_GUARD] = BrandGuard()
    config.addinivalue_line("markers", "req(id): the requirement a scenario shows")
    config.addinivalue_line("markers", "needs(offer): what a target must offer for this scenario")
    config.addinivalue_line("markers", "decision(id): run only against a Sandgate gateway")
    config.addinivalue_line("markers", "code(id): elsewhere any result code of a refusal will do")
    config.addinivalue_line("markers", "field(id): shown in a sandbox of the profile field")
    config.addinivalue_line("markers", "pattern(name): one of the seven patterns it follows")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--shuffle SEED` runs everything in an order that depends on the seed alone."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run in the order of this seed")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add what the words of a case need; shuffle what was collected, every worker alike."""
    for item in items:
        for need in _needs_seen(item):
            item.add_marker(pytest.mark.needs(need))
    seed = config.getoption("shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)


@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag: str, function: Callable[..., object]) -> bool | None:
    """`@req:END-01` is `pytest.mark.req("END-01")`; any other tag is an ordinary mark."""
    name, colon, value = tag.partition(":")
    if not colon or name not in _TAGS:
        return None
    getattr(pytest.mark, name)(value)(function)
    return True


def pytest_bdd_before_scenario(request: pytest.FixtureRequest, feature: Any, scenario: Any) -> None:
    """Read a sentence of 0.1.0 in its current wording, where no step has the old one."""
    if Path(feature.filename).is_relative_to(FOLDER):
        return
    for step in scenario.steps:
        if get_step_function(request, step) is None:
            step.name = current_sentence(step.type, step.name)


def pytest_bdd_step_func_lookup_error(step: Any, exception: Exception) -> None:
    """Add the most similar steps to the error about a step without a definition."""
    near = nearest(STEP_MODULES, step.type, step.name)
    # A wording is there once for each kind of what it is about.
    steps = dict.fromkeys(f"'{each.keyword.capitalize()} {each.wording}'" for each in near)
    advice = f"the nearest are {', '.join(steps)}" if near else "no step is similar"
    said = f"{step.keyword} {step.name} (line {step.line_number})"
    exception.args = (f"{said}; {advice}; `sandgate steps` lists all of them",)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Remember how much the server had written before this scenario; reset what watches it."""
    folder = item.config.stash.get(SERVER_FOLDER, None)
    item.stash[_SEEN] = stderr_size(folder) if folder is not None else 0
    item.config.stash[BRAND_GUARD].begin(item)
    checker = item.config.stash.get(DESCRIPTIONS, None)
    if checker is not None:
        checker.begin()
    limiter = item.config.stash.get(RATE_LIMITER, None)
    if limiter is not None:
        needs = {mark.args[0] for mark in item.iter_markers("needs")}
        limiter.begin(prepares=True, is_at_rest="throttling" in needs)
    spread = item.config.stash.get(MEMBER_SPREAD, None)
    if spread is not None:
        # So that a case which is repeated alone meets the same members.
        spread.begin(item.nodeid.rpartition("/")[2])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Any:
    """Fail a scenario that passed, though a response breaks the description of the target."""
    result = yield
    checker = item.config.stash.get(DESCRIPTIONS, None)
    if checker is not None:
        checker.demand_described()
    return result


def pytest_bdd_before_step(request: pytest.FixtureRequest, step: Any) -> None:
    """Let the rate limiter repeat requests of a `Given`: they only prepare the scenario."""
    limiter = request.config.stash.get(RATE_LIMITER, None)
    if limiter is not None:
        limiter.prepares = step.type == "given"


def pytest_bdd_after_step(
    request: pytest.FixtureRequest, step: Any, step_func: Callable[..., Any]
) -> None:
    """Fail a `Given` that the target refused. Raises ConformanceAssertionError."""
    name = given_fixture_of(step_func) if step.type == "given" else None
    if name is not None:
        left, judge = map(request.getfixturevalue, (name, "judge"))
        demand_given_succeeded(step.name, step_func, left, judge)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Add what the server wrote during a failed scenario to its report."""
    report = yield
    folder = item.config.stash.get(SERVER_FOLDER, None)
    if report.failed and folder is not None:
        wrote = stderr_of(folder, since=item.stash.get(_SEEN, 0))
        report.sections.extend([("server stderr", wrote)] if wrote else [])
    return report


def _needs_seen(item: pytest.Item) -> tuple[str, ...]:
    """What a shipped scenario needs beside its tags; nothing for any other test."""
    scenario = scenario_of(getattr(item, "function", None))
    if scenario is None or not Path(scenario.feature.filename).is_relative_to(FOLDER):
        return ()
    call = getattr(item, "callspec", None)
    return needs_in(scenario, call.params.get(EXAMPLE, {}) if call is not None else {})


@pytest.fixture(autouse=True)
def _checkable(request: pytest.FixtureRequest) -> None:
    """Skip a scenario that needs what the target does not offer, with the reason."""
    needs = {mark.args[0] for mark in request.node.iter_markers("needs")}
    decisions = {mark.args[0] for mark in request.node.iter_markers("decision")}
    field = {mark.args[0] for mark in request.node.iter_markers("field")}
    if not needs and not decisions and not field:
        return
    target = request.getfixturevalue("target")
    missing = sorted(needs - target.offers)
    if missing:
        skip_case(request.node, "not-checkable", f"the target does not offer {', '.join(missing)}")
    if "browser" in needs and browser_problem():
        skip_case(request.node, "not-checkable", browser_problem())
    if field and not has_field_merchant(target):
        why = "the target is in another profile, and has neither a control API nor entities.field"
        skip_case(request.node, "not-checkable", why)
    if decisions and not target.profile:
        kind = "a decision" if len(decisions) == 1 else "decisions"
        why = f"{', '.join(sorted(decisions))}: {kind} of Sandgate, not of this gateway"
        skip_case(request.node, "not-judged", why)
