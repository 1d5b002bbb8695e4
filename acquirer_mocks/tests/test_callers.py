"""Who may speak for a sandbox: AReqs without its key use up nothing of it."""

import pytest
from msgspec.structs import replace

from acquirer_mocks.tests.bench import (
    CHALLENGE_CARD,
    FRICTIONLESS_CARD,
    KEY,
    SANDBOX,
    Bench,
    areq_of,
    minutes,
    steps,
)
from acquirer_mocks.three_d_secure.challenges import Challenges

STRANGE = (None, "", "Bearer", "Bearer ", "Bearer other-key", f"Basic {KEY}", "Bearer \x80")


def count_of(bench: Bench) -> int:
    return sum(script.matched for script in bench.scripts())


@pytest.mark.parametrize("sent", STRANGE)
def test_an_areq_without_the_key_counts_no_script(sent: str | None) -> None:
    bench = Bench(steps("reject", times=1))

    for _ in range(3):
        ares = bench.post("ds/areq", areq_of(FRICTIONLESS_CARD), Authorization=sent).json
        assert ares["transStatus"] == "Y"

    assert count_of(bench) == 0
    assert bench.areq(FRICTIONLESS_CARD)["transStatus"] == "R"
    assert count_of(bench) == 1


@pytest.mark.parametrize("sent", STRANGE)
def test_a_lookup_without_the_key_matches_no_script(sent: str | None) -> None:
    bench = Bench(steps("frictionless", times=1))
    document = {"acctNumber": "4200000000000000", "messageExtension": areq_of()["messageExtension"]}

    assert not bench.post("ds/lookup", document, Authorization=sent).json["enrolled"]
    assert bench.post("ds/lookup", document).json["enrolled"]


def test_areqs_without_the_key_push_out_no_challenge_of_a_sandbox() -> None:
    bench = Bench(most=3)
    mine = bench.challenge(CHALLENGE_CARD)

    for _ in range(20):
        bench.post("ds/areq", areq_of(CHALLENGE_CARD), Authorization=None)

    assert bench.act(mine.path, "approve")["transStatus"] == "Y"


def test_a_flood_in_one_sandbox_pushes_out_no_challenge_of_another() -> None:
    bench = Bench()
    bench.areq(CHALLENGE_CARD)
    ((acs_id,),) = bench.kept.unfinished().values()
    one = bench.kept.get(acs_id)
    assert one is not None
    kept = Challenges(5, most_in_none=2)
    rows = [(f"{place:032x}", place) for place in range(50)]
    kept.keep(replace(one, acs_id="mine", sandbox="b" * 32))
    for identity, place in rows:
        kept.keep(replace(one, acs_id=identity, sandbox=SANDBOX if place % 2 else ""))

    found = {sandbox: len(acs_ids) for sandbox, acs_ids in kept.unfinished().items()}
    assert found == {"b" * 32: 1, SANDBOX: 5, "": 2}
    assert kept.get("mine") is not None


def test_what_is_forgotten_leaves_nothing_behind() -> None:
    bench = Bench()
    for _ in range(5):
        bench.areq(CHALLENGE_CARD)
    bench.real.advance(minutes(61))
    bench.kept.forget(bench.real.now())

    assert len(bench.kept) == 0
    assert not bench.kept._kept_in
