"""Throttling by itself: windows, scopes, tables in force. Nothing here waits or is served."""

import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.throttles import FIELD, FORM, OFF, SANDBOX, THROTTLES
from simulator.domain.core.clock import ClockSetting, world_time
from simulator.domain.core.hosts import LIVE, TEST
from simulator.domain.throttling.windows import (
    END_OF_TIME,
    Room,
    Throttle,
    Throttles,
    ThrottleSetting,
    retry_after_s,
    window_end,
)
from simulator.grammar.throttles import EVERY, MERCHANT, OBJECT, Limit, ThrottleTable
from simulator.tests.kit.twins import HandClock

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SECOND, TICK = timedelta(seconds=1), timedelta(microseconds=1)
READ, PAY = "read_payment", "create_payment"

# Source: the public descriptions of the platform's limits, by endpoint that is served.
FIELD_LIMITS = {
    #  operation                 endpoint                             limit   window
    "read_payment":             ("GET /v1/payments/{id}",               2,     60),
    "refer_payment":            ("POST /v1/payments/{id}",            200,     60),
    "read_checkout_payment":    ("GET /v1/checkouts/{id}/payment",      2,     60),
    "update_checkout":          ("POST /v1/checkouts/{id}",           200,     60),
    "pay_registration":         ("POST /v1/registrations/{id}/payments", 200,  60),
    "query_payment":            ("GET /v1/query/{id}",                  2,     60),
    "query_payments":           ("GET /v1/query",                       2,     60),
}  # fmt: skip


def a_throttle(*limits: Limit) -> Throttle:
    return Throttle(ThrottleTable("of a test", limits), Room())


def admitted(throttle: Throttle, count: int, now: datetime, *, of: str | None = None) -> int:
    """How many of so many payment requests at one instant are let in."""
    return sum(throttle.admit(PAY, of, now) is None for _ in range(count))


def test_a_window_takes_exactly_its_limit():
    assert admitted(a_throttle(Limit(PAY, MERCHANT, 5, 60)), 50, NOON) == 5


def test_a_window_ends_at_the_edge_and_not_a_microsecond_before():
    throttle = a_throttle(Limit(PAY, MERCHANT, 2, 60))
    clock = HandClock(NOON + 59 * SECOND)

    assert admitted(throttle, 3, clock.now()) == 2
    clock.advance(SECOND - TICK)
    assert throttle.admit(PAY, None, clock.now()) == NOON + 60 * SECOND
    clock.advance(TICK)
    assert admitted(throttle, 3, clock.now()) == 2


@pytest.mark.parametrize(
    ("now", "window_s", "end"),
    [
        (NOON,                       60,    NOON + timedelta(minutes=1)),
        (NOON + 17 * SECOND,         60,    NOON + timedelta(minutes=1)),
        (NOON + 60 * SECOND - TICK,  60,    NOON + timedelta(minutes=1)),
        (NOON + timedelta(hours=.5), 3600,  NOON + timedelta(hours=1)),
        (NOON,                       86400, NOON + timedelta(hours=12)),
        (NOON + TICK,                1,     NOON + SECOND),
        (datetime(1, 1, 1, tzinfo=UTC), 60, datetime(1, 1, 1, 0, 1, tzinfo=UTC)),
        (END_OF_TIME,                60,    END_OF_TIME),
    ],
)  # fmt: skip
def test_windows_are_aligned_to_the_minute_the_hour_and_the_day(now, window_s, end):
    assert window_end(now, timedelta(seconds=window_s)) == end


def test_a_clock_that_steps_back_opens_no_window_twice():
    throttle = a_throttle(Limit(PAY, MERCHANT, 2, 60))

    assert admitted(throttle, 3, NOON) == 2
    assert admitted(throttle, 3, NOON - 5 * SECOND) == 0
    assert admitted(throttle, 3, NOON + 5 * SECOND) == 0


def test_each_object_has_a_count_of_its_own():
    throttle = a_throttle(Limit(PAY, OBJECT, 2, 60))

    assert [admitted(throttle, 3, NOON, of=name) for name in ("a", "b", "x" * 8000)] == [2, 2, 2]


def test_a_request_has_to_pass_every_row_and_counts_nowhere_if_one_refuses():
    throttle = a_throttle(Limit(PAY, OBJECT, 2, 60), Limit(PAY, MERCHANT, 5, 60))

    assert [admitted(throttle, 9, NOON, of=name) for name in ("a", "b", "c")] == [2, 2, 1]


def test_two_windows_of_an_operation_hold_both_and_the_longer_says_when_to_return():
    throttle = a_throttle(Limit(PAY, MERCHANT, 2, 60), Limit(PAY, MERCHANT, 3, 3600))

    assert admitted(throttle, 9, NOON) == 2
    assert throttle.admit(PAY, None, NOON) == NOON + timedelta(minutes=1)
    assert admitted(throttle, 9, NOON + timedelta(minutes=1)) == 1
    assert throttle.admit(PAY, None, NOON + timedelta(minutes=1)) == NOON + timedelta(hours=1)


def test_the_row_for_every_operation_counts_each_apart_and_gives_way_to_its_own_row():
    throttle = a_throttle(Limit(EVERY, MERCHANT, 1, 60), Limit(READ, MERCHANT, 3, 60))

    reads = sum(throttle.admit(READ, None, NOON) is None for _ in range(9))
    refers = sum(throttle.admit("refer_payment", None, NOON) is None for _ in range(9))

    assert (admitted(throttle, 9, NOON), refers, reads) == (1, 1, 3)


def test_a_limit_of_none_lets_nothing_in_and_no_row_lets_everything_in():
    assert admitted(a_throttle(Limit(PAY, MERCHANT, 0, 60)), 3, NOON) == 0
    assert admitted(Throttle(OFF, Room()), 1000, NOON) == 1000


def test_what_has_been_counted_is_forgotten_with_its_window():
    throttle = a_throttle(Limit(PAY, OBJECT, 2, 60))
    tracemalloc.start()
    try:
        for minute in range(200):
            now = NOON + timedelta(minutes=minute)
            for number in range(100):
                throttle.admit(PAY, f"{minute}-{number}", now)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert held < 100_000, "20,000 objects were counted, 100 of them in the present window"


def test_a_window_that_has_seen_too_many_objects_takes_no_others():
    table = ThrottleTable("of a test", (Limit(PAY, OBJECT, 2, 60),))
    throttle = Throttle(table, Room(3))

    assert [admitted(throttle, 1, NOON, of=name) for name in "abcd"] == [1, 1, 1, 0]
    assert [admitted(throttle, 2, NOON, of=name) for name in "abcd"] == [1, 1, 1, 0]
    assert admitted(throttle, 3, NOON + timedelta(minutes=1), of="d") == 2


LONG = (Limit(PAY, OBJECT, 2, 60), Limit(PAY, OBJECT, 2, 3600), Limit(READ, OBJECT, 2, 60))


def test_all_windows_of_a_sandbox_share_what_they_may_count():
    """Of an object that two windows count there are two; room comes back with a window that ends,
    or with another table, also where no client asks for that operation again.
    """
    table, room = ThrottleTable("of a test", LONG), Room(6)
    one, other = Throttle(table, room), Throttle(table, room)

    assert [admitted(one, 1, NOON, of=name) for name in "ab"] == [1, 1]
    assert [other.admit(READ, name, NOON) is None for name in "abc"] == [True, True, False]
    minute = NOON + timedelta(minutes=1)
    assert [other.admit(READ, name, minute) is None for name in "abcde"] == [True] * 4 + [False]
    one.put(table)
    assert [other.admit(READ, name, minute) is None for name in "efg"] == [True, True, False]


def test_a_full_room_stops_no_window_that_counts_no_objects():
    table = ThrottleTable("of a test", (Limit(PAY, OBJECT, 2, 60), Limit(READ, MERCHANT, 2, 60)))
    throttle = Throttle(table, Room(1))

    assert [admitted(throttle, 1, NOON, of=name) for name in "ab"] == [1, 0]
    assert throttle.admit(READ, None, NOON) is None


STEPS = st.lists(
    st.tuples(st.integers(0, 45_000_000), st.sampled_from([PAY, READ]), st.sampled_from("ab")),
    max_size=60,
)


@given(steps=STEPS, limit=st.integers(0, 4), window_s=st.sampled_from([1, 7, 60]))
def test_never_more_than_the_limit_in_a_window_and_never_fewer_when_asked(steps, limit, window_s):
    throttle = a_throttle(
        Limit(PAY, MERCHANT, limit, window_s), Limit(READ, OBJECT, limit, window_s)
    )
    clock, let_in = HandClock(NOON), {}

    for pause_us, operation, identity in steps:
        clock.advance(timedelta(microseconds=pause_us))
        window = int(clock.now().timestamp()) // window_s
        key = (window, operation, identity if operation == READ else "")
        is_in = throttle.admit(operation, identity, clock.now()) is None

        assert is_in == (let_in.get(key, 0) < limit)
        let_in[key] = let_in.get(key, 0) + is_in


def test_a_table_that_changes_counts_anew_and_the_other_host_goes_on():
    one = ThrottleTable("one", (Limit(PAY, MERCHANT, 1, 60),))
    two = ThrottleTable("two", (Limit(PAY, MERCHANT, 2, 60),))
    throttles = Throttles(None, ThrottleSetting(throttle=one, live_throttle=one))
    test, live = throttles.of(TEST, "merchant"), throttles.of(LIVE, "merchant")
    assert [admitted(each, 9, NOON) for each in (test, live)] == [1, 1]

    throttles.put(ThrottleSetting(throttle=two))

    assert [admitted(each, 9, NOON) for each in (test, live)] == [2, 0]
    throttles.put(ThrottleSetting())
    assert (admitted(test, 9, NOON), throttles.tables) == (1, {TEST: one, LIVE: one})


def test_counts_are_worth_keeping_until_their_last_window_ends():
    one = ThrottleTable("one", (Limit(PAY, MERCHANT, 1, 60), Limit(PAY, MERCHANT, 9, 3600)))
    throttles = Throttles(None, ThrottleSetting(throttle=one, live_throttle=OFF))
    throttle = throttles.of(TEST, "merchant")
    assert not throttles.is_counting(NOON)

    throttle.admit(PAY, None, NOON)

    assert throttles.is_counting(NOON + timedelta(hours=1) - TICK)
    assert not throttles.is_counting(NOON + timedelta(hours=1))


def test_merchants_and_hosts_are_counted_apart():
    one = ThrottleTable("one", (Limit(PAY, MERCHANT, 1, 60),))
    throttles = Throttles(None, ThrottleSetting(throttle=one, live_throttle=OFF))

    counted = [admitted(throttles.of(TEST, name), 9, NOON) for name in ("a", "b", "a")]

    assert [*counted, admitted(throttles.of(LIVE, "a"), 9, NOON)] == [1, 1, 0, 9]


UNTIL = NOON + timedelta(seconds=40)
CLOCKS = [
    (ClockSetting(),                                                         40),
    (ClockSetting(mode="frozen", world=NOON, real=NOON, rate=0),             40),
    (ClockSetting(mode="scaled", world=NOON, real=NOON, rate=2),             20),
    (ClockSetting(mode="scaled", world=NOON, real=NOON, rate=60),             1),
    (ClockSetting(mode="scaled", world=NOON, real=NOON, rate=0.5),           80),
    (ClockSetting(mode="scaled", world=NOON, real=NOON, rate=1e-300),        40),
    (ClockSetting(mode="offset", world=NOON + 39 * SECOND, real=NOON),        1),
    (ClockSetting(mode="offset", world=UNTIL + SECOND, real=NOON),            1),
    (ClockSetting(mode="offset", world=NOON + TICK, real=NOON),              40),
]  # fmt: skip


@pytest.mark.parametrize(("setting", "seconds"), CLOCKS)
def test_retry_after_is_whole_seconds_of_wire_time_and_never_too_soon(setting, seconds):
    assert retry_after_s(UNTIL, world_time(setting, NOON), setting.rate) == seconds


def test_the_field_table_holds_the_published_numbers_per_object():
    written = {row.operation: (row.limit, row.window_s) for row in FIELD.limits if row not in FORM}
    scopes = {row.operation: row.scope for row in FIELD.limits}

    assert written == {name: tuple(numbers) for name, (_, *numbers) in FIELD_LIMITS.items()}
    for name, (endpoint, *_) in FIELD_LIMITS.items():
        assert scopes[name] == (OBJECT if "{id}" in endpoint else MERCHANT)


def test_a_served_endpoint_has_the_operation_id_the_field_table_gives_it():
    served = {f"{row.method} {row.path}": row.id for row in OPERATIONS.values()}

    for name, (endpoint, *_) in FIELD_LIMITS.items():
        assert served.get(endpoint) == name


@pytest.mark.parametrize("table", THROTTLES.values(), ids=lambda table: table.name)
def test_every_row_of_a_shipped_table_limits_an_operation_that_is_served(table: ThrottleTable):
    served = {*OPERATIONS, EVERY, *(row.operation for row in FORM)}
    assert {row.operation for row in table.limits} <= served


def test_the_default_table_is_out_of_reach_of_a_suite_and_of_a_load_test():
    requests_a_second = min(row.limit / row.window_s for row in SANDBOX.limits if row not in FORM)

    assert {row.scope for row in FORM} == {OBJECT}

    assert requests_a_second > 15_000
    assert list(THROTTLES) == ["off", "sandbox", "field"]
