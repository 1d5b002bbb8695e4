"""One run: load by Locust's own processes, then drain, closing check, and results."""

import dataclasses
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from load.closing.check import check_ledger, select_movements
from load.closing.counters import read_counters
from load.closing.reading import drain_target, raise_closing_errors, read_evidence
from load.closing.settlement import read_settled
from load.gateway.target import LoadTarget
from load.gateway.webhook_receiver import WebhookRecorder, start_webhook_receiver
from load.ledger.records import ProcessSample, RequestRecord, read_ledger
from load.oracle.throttle_oracle import check_throttling
from load.plan.plan import RECEIVER, REPORTER, TERMINAL, LoadPlan
from load.progress import Progress
from load.results.knee import find_knee
from load.results.outcome import RunOutcome
from load.results.summary import summarize
from load.results.thresholds import Thresholds, check_thresholds
from load.run.locust_process import LocustRunError, run_locust
from load.traffic.shown import shown_texts
from load.traffic.terminals import planned_terminal
from reports.machine import describe_run
from simulator.client.addresses import LOOPBACK

PlanFactory = Callable[[LoadTarget, Path], LoadPlan]


def run_load(
    target: LoadTarget, create_plan: PlanFactory, thresholds: Thresholds,
    *, options: Sequence[str] = (), progress: Progress,
) -> RunOutcome:  # fmt: skip
    """Make the load, wait until nothing is in progress, check the ledger, compute the results.

    Raises LocustRunError, ClosingCheckError.
    """
    run = describe_run("sandgate load")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sandgate-load-")))
        plan = _with_offered_users(create_plan(target, folder / "ledger.jsonl"), target, progress)
        plan = _with_terminals(plan, target)
        recorder = _register_receiver(target, plan, stack)
        plan = _with_secrets(plan, target, recorder)
        shown = shown_texts(plan)
        before = read_counters(target)
        interrupted_at = run_locust(plan, folder, options=options, progress=progress)
        with raise_closing_errors(shown):
            drain_target(target, recorder)
            after = read_counters(target)
            lines = list(map(shown.record, read_ledger(Path(plan.ledger))))
            records = [line for line in lines if isinstance(line, RequestRecord)]
            counted = after.since(before) if before and after else None
            evidence = read_evidence(target, records, recorder, counted, progress=progress)
            moved = len(select_movements(records))
            settled = read_settled(target, moved, progress=progress)
            evidence = dataclasses.replace(evidence, settled=settled)
            closing_check = check_ledger(records, evidence, shown)
    samples = [line for line in lines if isinstance(line, ProcessSample)]
    events = () if recorder is None else recorder.events
    summary = summarize(plan, records, samples, events, interrupted_at=interrupted_at)
    return RunOutcome(
        plan=plan,
        target=target,
        records=records,
        summary=summary,
        closing_check=closing_check,
        findings=check_throttling(records, target.limits),
        checks=check_thresholds(thresholds, summary),
        knee=find_knee(summary.steps, thresholds.knee_p95_ms) if plan.shape == "step" else None,
        run=run,
    )


def _with_secrets(plan: LoadPlan, target: LoadTarget, recorder: WebhookRecorder | None) -> LoadPlan:
    """The plan with what its processes have to hide."""
    own = [recorder.secret] if recorder else []
    return replace(plan, secrets=(*target.target.secrets, *own))


def _with_offered_users(plan: LoadPlan, target: LoadTarget, progress: Progress) -> LoadPlan:
    """The plan without the reporter, where the target has no reports.

    Raises LocustRunError if no other user sends requests.
    """
    if REPORTER not in plan.virtual_users or target.has_reports:
        return plan
    others = tuple(name for name in plan.virtual_users if name != REPORTER)
    if not set(others) - {RECEIVER}:
        raise LocustRunError("expected a target that offers `reports`, got one without")
    progress("without reporter: the target does not offer `reports`")
    return replace(plan, virtual_users=others)


def _with_terminals(plan: LoadPlan, target: LoadTarget) -> LoadPlan:
    """The plan with a terminal for each user, where users of terminals take part.

    Raises LocustRunError without a control API, which creates them.
    """
    if TERMINAL not in plan.virtual_users:
        return plan
    if target.control is None:
        raise LocustRunError("expected a target with a control API for terminals, got one without")
    made = (target.control.create_terminal(target.sandbox) for _ in range(plan.users))
    return replace(plan, terminals=tuple(planned_terminal(each) for each in made))


def _register_receiver(
    target: LoadTarget, plan: LoadPlan, stack: ExitStack
) -> WebhookRecorder | None:
    """Start a webhook receiver and register it, if the gateway can reach it and be configured."""
    is_near = urlsplit(target.target.base_url).hostname in LOOPBACK
    is_wanted = RECEIVER in plan.virtual_users and "webhooks" in target.target.offers
    if not is_wanted or target.control is None or not is_near:
        return None
    recorder = stack.enter_context(start_webhook_receiver())
    webhook = target.control.create_webhook(target.sandbox, recorder.url, skip_activation=True)
    recorder.secret = webhook["secret"]
    return recorder
