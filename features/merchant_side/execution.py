"""Makes the checks in order, and yields each verdict as an event of the stream."""

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from features.merchant_side.checks.table import GROUPS, MerchantCheck, fix_of
from features.merchant_side.context import (
    CheckContext,
    CheckFinding,
    NotCheckableError,
    NotRequestedError,
)
from features.merchant_side.shop import NoCheckoutError
from reports.events import (
    CaseFailure,
    CaseVerdict,
    Event,
    RecordedExchange,
    RunEnded,
    RunStarted,
    StepResult,
    Verdict,
    exit_status_of,
)  # fmt: skip

EXCHANGES_MAX = 12


def run_checks(
    context: CheckContext, checks: Sequence[MerchantCheck], receiver: str, call: str
) -> Iterator[Event]:
    """The events of a run. `receiver` is its address as it may be shown, and `call` the command of
    this run, to which `--only CHECK` is added to repeat one check.
    """
    began = time.monotonic()
    counts: dict[str, int] = {}
    offers = _offers(context)
    yield RunStarted(
        _now(), receiver, "check-merchant", _version(), len(checks), offers=offers,
        command="sandgate check-merchant",
    )  # fmt: skip
    for check in checks:
        case = _case(context, check, call)
        counts[case.verdict] = counts.get(case.verdict, 0) + 1
        yield case
    yield RunEnded(_now(), time.monotonic() - began, counts, exit_status_of(counts))


def _case(context: CheckContext, check: MerchantCheck, call: str) -> CaseVerdict:
    began = time.monotonic()
    context.exchanges()
    verdict, reason, finding = _verdict(context, check)
    exchanges = context.exchanges()
    return CaseVerdict(
        check.id,
        f"{GROUPS[check.group]}: {check.title}",
        f"check-merchant/{check.group}",
        verdict,
        time.monotonic() - began,
        requirements=[each for each in check.rules if "-" in each and not each.startswith("D-")],
        expectations=[each for each in check.rules if "-" not in each],
        decisions=[each for each in check.rules if each.startswith("D-")],
        reason=reason,
        steps=[_step(check, finding, exchanges)] if finding else [],
        failure=_failure(check, finding) if verdict == "failed" and finding else None,
        repeat=f"{call} --only {check.id}",
    )


def _verdict(
    context: CheckContext, check: MerchantCheck
) -> tuple[Verdict, str, CheckFinding | None]:
    try:
        finding = check.run(context)
    except (NotCheckableError, NoCheckoutError) as error:
        return "not-checkable", str(error), None
    except NotRequestedError as error:
        return "not-judged", str(error), None
    return ("passed" if finding.holds else "failed"), "", finding


def _step(
    check: MerchantCheck, finding: CheckFinding, exchanges: list[RecordedExchange]
) -> StepResult:
    text = f"{check.title}: {finding.expected}"
    return StepResult(
        "Then", text, "passed" if finding.holds else "failed", exchanges[:EXCHANGES_MAX]
    )


def _failure(check: MerchantCheck, finding: CheckFinding) -> CaseFailure:
    fix = fix_of(check, finding.came)
    text = "\n".join((
        check.title,
        f"  expected: {finding.expected}",
        f"  came:     {finding.came}",
        f"  fix:      {fix}",
        f"  rules:    {', '.join(check.rules)}",
    ))  # fmt: skip
    return CaseFailure(f"{check.title}. To fix it: {fix}", finding.expected, finding.came, text)


def _offers(context: CheckContext) -> list[str]:
    shop = ["shop"] if context.shop else []
    return [*context.forms, *(["state"] if context.read_state else []), *shop]


def _version() -> str:
    try:
        return version("sandgate")
    except PackageNotFoundError:
        return "not installed"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
