"""The judge is judged: the good merchant passes every check, and each bad one fails its own."""

import pytest

from features.merchant_side.checks.table import CHECKS
from features.merchant_side.execution import run_checks
from features.merchant_side.tests.merchants import context_for
from features.merchant_side.tests.mutant_merchants import BOX, Bad
from reports.events import CaseVerdict

ROWS = {check.id: check for check in CHECKS}


def verdicts(bad: Bad | None, ids: tuple[str, ...]) -> dict[str, str]:
    edits, limit_s = (bad.edits, bad.time_limit_s) if bad else ((), 10.0)
    with context_for(*edits, time_limit_s=limit_s) as context:
        events = run_checks(context, [ROWS[each] for each in ids], "http://a/", "sandgate")
        return {event.id: event.verdict for event in events if isinstance(event, CaseVerdict)}


def test_the_example_passes_every_check() -> None:
    came = verdicts(None, tuple(ROWS))

    assert {key: verdict for key, verdict in came.items() if verdict != "passed"} == {}
    assert len(came) == len(CHECKS) >= 50


@pytest.mark.parametrize("bad", BOX, ids=lambda bad: bad.name)
def test_a_receiver_with_one_mistake_fails_the_checks_made_for_it(bad: Bad) -> None:
    assert verdicts(bad, bad.caught_by) == dict.fromkeys(bad.caught_by, "failed")


@pytest.mark.proof
@pytest.mark.parametrize("bad", BOX, ids=lambda bad: bad.name)
def test_every_receiver_with_a_mistake_is_judged_to_the_end(bad: Bad) -> None:
    came = verdicts(bad, tuple(ROWS))

    assert set(came) == set(ROWS)
    assert [came[each] for each in bad.caught_by] == ["failed"] * len(bad.caught_by)


def test_every_check_has_a_receiver_that_fails_it() -> None:
    assert {each for bad in BOX for each in bad.caught_by} == set(ROWS)
