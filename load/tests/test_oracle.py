"""The oracle holds nothing against a gateway that keeps its table, and catches the others."""

from collections import Counter
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from load.oracle import (
    MUST_ADMIT,
    MUST_REFUSE,
    UNDECIDABLE,
    Limit,
    Seen,
    judge,
    offset_of,
    rows_of,
)
from load.tests.throttled import Coming, Gateway, crowd

TEN = Limit("create_payment", "merchant", 10, 1)
THREE_EACH = Limit("create_payment", "object", 3, 1)
T = 1_800_000_000.0

instants = st.floats(0, 4, allow_nan=False)
comings = st.builds(
    lambda sent, wait, rest, of: Coming(
        "create_payment", of, T + sent, T + sent + wait, T + sent + wait + rest
    ),
    instants,
    st.floats(0, 1.5),
    st.floats(0, 1.5),
    st.sampled_from("ab"),
)
tables = st.sampled_from([
    (Limit("*", "merchant", 1, 1),),
    (Limit("create_payment", "merchant", 3, 1),),
    (Limit("create_payment", "merchant", 2, 2),),
    (Limit("create_payment", "object", 2, 1),),
    (Limit("create_payment", "merchant", 4, 2), Limit("create_payment", "object", 2, 1)),
])  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(comings, max_size=30), tables, st.floats(-3, 3))
def test_nothing_is_held_against_a_gateway_that_keeps_its_table(coming, limits, ahead):
    findings = judge(Gateway(limits, clock_ahead_s=ahead).answer(coming), limits)

    assert findings.wrong == []
    assert findings.is_clean


@settings(max_examples=100, deadline=None)
@given(st.lists(comings, max_size=20), tables, st.data())
def test_a_request_without_an_answer_may_have_counted_or_not(coming, limits, data):
    lost = data.draw(st.sets(st.sampled_from(range(len(coming))))) if coming else set()
    # One that never came counts nowhere; one whose answer was lost counts as any other.
    cut = [replaced(one) if number in lost else one for number, one in enumerate(coming)]

    assert judge(Gateway(limits).answer(cut), limits).wrong == []


def replaced(one: Coming) -> Coming:
    return one._replace(answered=inf)


@pytest.mark.parametrize("took_s", [0.001, 0.01, 0.05])
@pytest.mark.parametrize("limits", [(TEN,), (THREE_EACH,), (Limit("*", "merchant", 50, 2),)])
def test_an_ordinary_crowd_is_decided_almost_wholly(limits, took_s):
    crowded = crowd(1, seconds=10, rate=150, took_s=took_s, objects=4)

    findings = judge(Gateway(limits, clock_ahead_s=0.4).answer(crowded), limits)

    assert findings.wrong == []
    assert findings.undecidable_share < max(0.01, 2.5 * took_s)


BROKEN = {
    "admits one too many": lambda gateway: replace(gateway, more=1),
    "admits one too few": lambda gateway: replace(gateway, more=-1),
    "begins its windows late": lambda gateway: replace(gateway, late_s=0.3),
    "begins its windows early": lambda gateway: replace(gateway, late_s=-0.1),
    "never resets": lambda gateway: replace(gateway, limits=(TEN._replace(window_s=3600),)),
    "has no limit": lambda gateway: replace(gateway, limits=()),
    "counts for all objects together": lambda gateway: replace(
        gateway, limits=(THREE_EACH._replace(scope="merchant"),)
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("took_s", [0.001, 0.02])
def test_a_broken_gateway_is_caught(broken, took_s):
    limits = (THREE_EACH,) if "objects" in broken else (TEN,)
    crowded = crowd(2, seconds=12, rate=100, took_s=took_s, objects=2)

    findings = judge(BROKEN[broken](Gateway(limits)).answer(crowded), limits)

    assert len(findings.wrong) >= 10, broken


def test_a_gateway_that_counts_what_it_refused_is_caught():
    limits = (Limit("create_payment", "merchant", 12, 1), THREE_EACH)
    crowded = crowd(3, seconds=20, rate=60, objects=8)

    assert judge(Gateway(limits).answer(crowded), limits).wrong == []
    assert judge(Gateway(limits, counts_refused=True).answer(crowded), limits).wrong != []


def test_even_one_too_many_within_a_run_is_caught():
    crowded = crowd(4, seconds=20, rate=100)
    answered = Gateway((TEN,)).answer(crowded)
    calm = next(n for n, one in enumerate(answered) if one.refused and one.sent % 1 > 0.5)

    answered[calm] = answered[calm]._replace(refused=False)

    assert answered[calm] in [wrong.seen for wrong in judge(answered, (TEN,)).wrong]


def seen(sent: float, took: float, *, refused: bool = False) -> Seen:
    return Seen("create_payment", "", T + sent, T + sent + took, refused, int(T + sent))


ONE = (Limit("create_payment", "merchant", 1, 1),)
# Reads, which nothing limits here, that show both clocks to be the same within two milliseconds.
CLOCK = [seen(at, 0.001)._replace(operation="read_payment") for at in (1.0, 1.9985)]


def marks_of(some: list[Seen]) -> Counter[str]:
    """The marks of some requests between clocks that are known well."""
    return Counter(judge([*CLOCK, *some], ONE).marks) - Counter({MUST_ADMIT: len(CLOCK)})


def test_two_at_once_may_be_admitted_in_either_order():
    first, second = seen(0.1, 0.2), seen(0.1, 0.2, refused=True)

    assert marks_of([first, second]) == {MUST_ADMIT: 1, MUST_REFUSE: 1}
    assert judge([*CLOCK, first, second._replace(refused=False)], ONE).wrong != []


def test_a_request_under_way_across_an_edge_is_undecidable_where_it_matters():
    before, across = seen(0.2, 0.1), seen(0.9, 0.2)

    assert marks_of([before, across]) == {MUST_ADMIT: 1, UNDECIDABLE: 1}
    assert judge([*CLOCK, before, across._replace(refused=True)], ONE).wrong == []


def test_what_no_row_limits_must_be_admitted():
    assert judge([seen(0.1, 0.1)], [Limit("read_payment", "object", 1, 1)]).marks == {MUST_ADMIT: 1}


def test_a_row_of_its_own_stands_in_place_of_the_row_for_every_operation():
    every = Limit("*", "merchant", 5, 60)

    assert rows_of("create_payment", [every, TEN]) == (TEN,)
    assert rows_of("read_payment", [every, TEN]) == (every,)


def test_the_clocks_differ_by_what_all_timestamps_allow():
    ahead = [
        Seen("read_payment", "", T + at, T + at + 0.01, False, int(T + at + 0.305))
        for at in (0.69, 0.71)
    ]

    found = offset_of(ahead)

    assert found is not None
    assert found.low <= 0.305 <= found.high
    assert found.high - found.low < 0.05


def test_timestamps_that_contradict_each_other_are_not_clean():
    findings = judge([seen(0.1, 0.1), seen(0.2, 0.1)._replace(stamp=int(T) + 7)], ONE)

    assert findings.offset is None
    assert (findings.judged, findings.wrong) == (0, ())
    assert not findings.is_clean
