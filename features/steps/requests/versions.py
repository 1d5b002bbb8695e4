"""Steps about recorded responses of earlier releases."""

from pytest_bdd import parsers, then, when

from features.recorded.recording import Recorded, differences, play, recording_of
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer

Pairs = list[tuple[Recorded, Answer]]


@when(
    parsers.parse("the merchant repeats the recorded requests of release {release}: {flow}"),
    target_fixture="pairs",
)
def repeat_recording(merchant: Merchant, release: str, flow: str) -> Pairs:
    recorded = recording_of(release)[flow]
    answers = play(merchant.client, [each.request for each in recorded])
    return list(zip(recorded, answers, strict=True))


@then("each response still has the recorded status and members")
def has_recorded_members(pairs: Pairs, judge: Judge) -> None:
    for recorded, answer in pairs:
        method, path, _ = recorded.request
        judge.same(f"status of {method} {path}", answer,
                   expected=recorded.status, came=answer.status)  # fmt: skip
        missing = list(differences(recorded.body, answer.body))
        judge.same(f"members of {method} {path}", answer, expected=[], came=missing)
