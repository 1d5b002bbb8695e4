"""The verdict of a test case: its steps, their exchanges, and the reason for the verdict."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_bdd.parser import ScenarioTemplate, Step
from pytest_bdd.scenario import scenario_wrapper_template_registry

from features.conformance.cases import SuiteCase
from features.conformance.failures import failure_of, is_error
from features.conformance.origins import OwnSteps
from features.conformance.recording import cut
from features.conformance.stash import NOT_EVALUATED, OWN_STEPS, RATE_LIMITER, RECORDER, TARGET
from reports import events
from simulator.client.shown.masking import Masking, without_numbers
from simulator.client.shown.step_texts import masked_example, masked_step

# The parameter of an item of pytest that holds the row of its examples.
EXAMPLE = "_pytest_bdd_example"
THROTTLED = (
    "the target throttled a request of this test case; "
    "name its limits in [limits] of the target file"
)


@dataclass
class CaseLog:
    """What has happened in one test case so far."""

    known: SuiteCase
    steps: list[events.StepResult] = field(default_factory=list)
    left: list[Step] = field(default_factory=list)
    exchanges: list[events.RecordedExchange] = field(default_factory=list)
    seconds: float = 0.0
    failed: pytest.CallInfo[None] | None = None
    was_skipped: bool = False
    skipped: str = ""
    server_wrote: str = ""


LOG = pytest.StashKey[CaseLog]()


def result_of(item: pytest.Item) -> events.CaseVerdict:
    """The result of a test case whose phases have ended."""
    log, masking = item.stash[LOG], masking_of(item)
    known = log.known
    verdict, reason = verdict_of(item)
    is_explained = verdict in ("failed", "error")
    own = _own_steps_of(item)
    failure = failure_of(log.failed, log.skipped, masking, own) if is_explained else None
    return events.CaseVerdict(
        id=known.id,
        title=without_numbers(known.title),
        file=known.file,
        line=known.line,
        verdict=verdict,
        reason=masking.text(reason),
        seconds=round(log.seconds, 3),
        requirements=[*known.requirements],
        expectations=[*known.expectations],
        decisions=[*known.decisions],
        needs=[*known.needs],
        example=masked_example(
            {name: cut(masking.value(name, text)) for name, text in known.example.items()}
        ),
        steps=_steps_of(item, verdict),
        failure=failure,
        server_wrote=masking.text(log.server_wrote),
    )


def verdict_of(item: pytest.Item) -> tuple[events.Verdict, str]:
    """The verdict of a test case, and the reason where it has neither passed nor failed.

    The answer to a throttled request decides nothing, whether a step expects it or not. A skip
    that the suite did not make itself is a failure. An error of a step is no verdict on the target.
    """
    log, limiter = item.stash[LOG], item.config.stash.get(RATE_LIMITER, None)
    skipped = item.stash.get(NOT_EVALUATED, None)
    if log.failed is None and skipped is not None:
        return skipped
    if not log.was_skipped and limiter is not None and limiter.was_throttled:
        return "not-checkable", THROTTLED
    if is_error(log.failed, _own_steps_of(item)):
        return "error", ""
    return ("passed" if _went_through(log) else "failed"), ""


def scenario_of(function: Any) -> ScenarioTemplate | None:
    """The scenario that a test function executes; None where it is no scenario."""
    return scenario_wrapper_template_registry.get(function)


def template_of(item: pytest.Item) -> ScenarioTemplate:
    """The scenario that an item of pytest executes."""
    template = scenario_of(getattr(item, "function", None))
    assert template is not None, f"{item.nodeid} is no scenario"
    return template


def step_of(
    step: Step,
    verdict: events.StepVerdict,
    masking: Masking,
    exchanges: list[events.RecordedExchange],
) -> events.StepResult:
    """A step as it went, with what it sent and was answered."""
    rows = step.datatable.raw() if step.datatable is not None else []
    lines = [step.name, *(f"| {' | '.join(map(str, row))} |" for row in rows)]
    return events.StepResult(
        keyword=step.keyword.strip(),
        text=masked_step(masking.text("\n".join(lines))),
        verdict=verdict,
        exchanges=exchanges,
    )


def masking_of(item: pytest.Item) -> Masking:
    """The masking of the target under test."""
    recorder = item.config.stash.get(RECORDER, None)
    return recorder.masking if recorder is not None else Masking()


def _own_steps_of(item: pytest.Item) -> OwnSteps | None:
    """The steps of the user, where such are run; the target is known once a case needed it."""
    stash = item.config.stash
    folder = stash.get(OWN_STEPS, None)
    return None if folder is None else OwnSteps(folder, stash.get(TARGET, None))


def _steps_of(item: pytest.Item, verdict: events.Verdict) -> list[events.StepResult]:
    """The steps of a test case, including those that were not reached."""
    log, masking = item.stash[LOG], masking_of(item)
    if log.known.is_boundary:
        return [_boundary_step(item, verdict)]
    if not log.steps and not log.left:
        log.left = list(template_of(item).render(log.known.example).steps)
    return [*log.steps, *(step_of(step, "not-reached", masking, []) for step in log.left)]


def _boundary_step(item: pytest.Item, verdict: events.Verdict) -> events.StepResult:
    """The step of a boundary case."""
    log = item.stash[LOG]
    example = log.known.example
    ended: dict[str, events.StepVerdict] = {"passed": "passed", "failed": "failed"}
    return events.StepResult(
        keyword="When",
        text=f"a payment has {example['name']} of {len(example['value'])} characters",
        verdict=ended.get(verdict, "not-reached"),
        exchanges=log.exchanges,
    )


def _went_through(log: CaseLog) -> bool:
    """Whether nothing failed or was skipped, and every step was reached and passed."""
    every_step = not log.left and all(step.verdict == "passed" for step in log.steps)
    return log.failed is None and not log.was_skipped and every_step
