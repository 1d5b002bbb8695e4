"""The oracle finds no mismatch in a gateway that keeps its table, and finds those of others."""

from collections import Counter
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from load.ledger.records import FAILED, THROTTLED
from load.oracle.limits import ObservedRequest, ThrottleLimit, limits_for, offset_of
from load.oracle.throttle_oracle import (
    MUST_ADMIT,
    MUST_REFUSE,
    UNDECIDABLE,
    check_throttling,
    mark_requests,
)
from load.tests.oracle.simulated_throttle import (
    SimulatedRequest,
    SimulatedThrottle,
    create_requests,
)
from load.tests.records import create_record

TEN = ThrottleLimit("create_payment", "merchant", 10, 1)
THREE_EACH = ThrottleLimit("create_payment", "object", 3, 1)
T = 1_800_000_000.0

instants = st.floats(0, 4, allow_nan=False)
requests = st.builds(
    lambda sent, wait, rest, of: SimulatedRequest(
        "create_payment", of, T + sent, T + sent + wait, T + sent + wait + rest
    ),
    instants,
    st.floats(0, 1.5),
    st.floats(0, 1.5),
    st.sampled_from("ab"),
)
tables = st.sampled_from([
    (ThrottleLimit("*", "merchant", 1, 1),),
    (ThrottleLimit("create_payment", "merchant", 3, 1),),
    (ThrottleLimit("create_payment", "merchant", 2, 2),),
    (ThrottleLimit("create_payment", "object", 2, 1),),
    (
        ThrottleLimit("create_payment", "merchant", 4, 2),
        ThrottleLimit("create_payment", "object", 2, 1),
    ),
])  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(requests, max_size=30), tables, st.floats(-3, 3))
def test_a_gateway_that_keeps_its_table_has_no_mismatch(simulated, limits, ahead):
    findings = mark_requests(
        SimulatedThrottle(limits, clock_ahead_s=ahead).observe(simulated), limits
    )

    assert findings.mismatches == []
    assert findings.is_clean


@settings(max_examples=100, deadline=None)
@given(st.lists(requests, max_size=20), tables, st.data())
def test_a_request_without_a_response_may_have_counted_or_not(simulated, limits, data):
    lost = data.draw(st.sets(st.sampled_from(range(len(simulated))))) if simulated else set()
    # One that never arrived does not count; one whose response was lost counts like any other.
    observed = [
        without_response(one) if number in lost else one for number, one in enumerate(simulated)
    ]

    assert mark_requests(SimulatedThrottle(limits).observe(observed), limits).mismatches == []


def without_response(one: SimulatedRequest) -> SimulatedRequest:
    return one._replace(responded_at=inf)


@pytest.mark.parametrize("duration_s", [0.001, 0.01, 0.05])
@pytest.mark.parametrize(
    "limits", [(TEN,), (THREE_EACH,), (ThrottleLimit("*", "merchant", 50, 2),)]
)
def test_hardly_any_ordinary_request_is_undecidable(limits, duration_s):
    requests = create_requests(1, seconds=10, rate=150, duration_s=duration_s, objects=4)

    findings = mark_requests(SimulatedThrottle(limits, clock_ahead_s=0.4).observe(requests), limits)

    assert findings.mismatches == []
    assert findings.undecidable_share < max(0.01, 2.5 * duration_s)


DEFECTS = {
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


@pytest.mark.parametrize("defect", DEFECTS)
@pytest.mark.parametrize("duration_s", [0.001, 0.02])
def test_a_defective_gateway_is_found(defect, duration_s):
    limits = (THREE_EACH,) if "objects" in defect else (TEN,)
    requests = create_requests(2, seconds=12, rate=100, duration_s=duration_s, objects=2)

    findings = mark_requests(DEFECTS[defect](SimulatedThrottle(limits)).observe(requests), limits)

    assert len(findings.mismatches) >= 10, defect


def test_a_gateway_that_counts_what_it_throttled_is_found():
    limits = (ThrottleLimit("create_payment", "merchant", 12, 1), THREE_EACH)
    requests = create_requests(3, seconds=20, rate=60, objects=8)

    assert mark_requests(SimulatedThrottle(limits).observe(requests), limits).mismatches == []
    assert (
        mark_requests(
            SimulatedThrottle(limits, counts_throttled=True).observe(requests), limits
        ).mismatches
        != []
    )


def test_even_one_admitted_too_many_is_found():
    requests = create_requests(4, seconds=20, rate=100)
    observed = SimulatedThrottle((TEN,)).observe(requests)
    calm = next(n for n, one in enumerate(observed) if one.is_throttled and one.sent_at % 1 > 0.5)

    observed[calm] = observed[calm]._replace(is_throttled=False)

    assert observed[calm] in [
        mismatch.request for mismatch in mark_requests(observed, (TEN,)).mismatches
    ]


def observe(sent_at: float, took_s: float, *, is_throttled: bool = False) -> ObservedRequest:
    sent_at += T
    return ObservedRequest(
        "create_payment", "", sent_at, sent_at + took_s, is_throttled, int(sent_at)
    )


ONE = (ThrottleLimit("create_payment", "merchant", 1, 1),)
# Reads, which nothing limits here, that show both clocks to be the same within two milliseconds.
CLOCK = [observe(at, 0.001)._replace(operation="read_payment") for at in (1.0, 1.9985)]


def marks_of(some: list[ObservedRequest]) -> Counter[str]:
    """The marks of some requests between clocks that are known well."""
    return Counter(mark_requests([*CLOCK, *some], ONE).marks) - Counter({MUST_ADMIT: len(CLOCK)})


def test_two_requests_at_once_may_be_admitted_in_either_order():
    first, second = observe(0.1, 0.2), observe(0.1, 0.2, is_throttled=True)

    assert marks_of([first, second]) == {MUST_ADMIT: 1, MUST_REFUSE: 1}
    assert mark_requests([*CLOCK, first, second._replace(is_throttled=False)], ONE).mismatches != []


def test_a_request_in_flight_across_an_edge_is_undecidable_where_it_matters():
    before, across = observe(0.2, 0.1), observe(0.9, 0.2)

    assert marks_of([before, across]) == {MUST_ADMIT: 1, UNDECIDABLE: 1}
    assert mark_requests([*CLOCK, before, across._replace(is_throttled=True)], ONE).mismatches == []


def test_an_operation_without_a_limit_must_be_admitted():
    assert mark_requests(
        [observe(0.1, 0.1)], [ThrottleLimit("read_payment", "object", 1, 1)]
    ).marks == {MUST_ADMIT: 1}


def test_a_row_of_its_own_stands_in_place_of_the_row_for_every_operation():
    every = ThrottleLimit("*", "merchant", 5, 60)

    assert limits_for("create_payment", [every, TEN]) == (TEN,)
    assert limits_for("read_payment", [every, TEN]) == (every,)


def test_the_clocks_differ_by_what_all_timestamps_allow():
    ahead = [
        ObservedRequest("read_payment", "", T + at, T + at + 0.01, False, int(T + at + 0.305))
        for at in (0.69, 0.71)
    ]

    found = offset_of(ahead)

    assert found is not None
    assert found.low <= 0.305 <= found.high
    assert found.high - found.low < 0.05


def test_timestamps_that_contradict_each_other_are_not_clean():
    findings = mark_requests(
        [observe(0.1, 0.1), observe(0.2, 0.1)._replace(server_second=int(T) + 7)], ONE
    )

    assert findings.offset is None
    assert (findings.marked, findings.mismatches) == (0, ())
    assert not findings.is_clean


@pytest.mark.parametrize("status", [500, 0])
def test_a_request_with_a_wrong_response_has_no_mark(status):
    one = ThrottleLimit("create_payment", "merchant", 1, 1)
    wrong = create_record("", verdict=FAILED, status=status, at=0.2)
    refused = create_record("", verdict=THROTTLED, status=429, at=0.4)

    for after in (create_record("d", at=0.4), refused):
        found = check_throttling([wrong, after], [one])
        assert found is not None
        assert (found.mismatches, found.marked) == ([], 1)
