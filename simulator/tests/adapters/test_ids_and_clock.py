"""Chance and time: where they come from, and their twins."""

import re
from datetime import UTC, datetime, timedelta

import gevent
import pytest

from simulator.adapters.clock import RealClock
from simulator.adapters.draws import SeededDraws
from simulator.adapters.ids import RandomIds, random_hex
from simulator.domain.masking.card_numbers import has_card_number
from simulator.tests.kit.twins import HandClock, SeededIds

IDS = [pytest.param(RandomIds(), id="random"), pytest.param(SeededIds(1), id="seeded")]


@pytest.mark.parametrize("ids", IDS)
def test_a_record_id_is_32_hex_digits_and_begins_with_8(ids):
    found = {ids.record() for _ in range(1000)}

    assert len(found) == 1000
    assert all(re.fullmatch("8[0-9a-f]{31}", one) for one in found)


@pytest.mark.parametrize("ids", IDS)
def test_hex_has_the_length_asked_for(ids):
    for count in (0, 1, 2, 31, 32, 64, 4096, 10_000):
        assert re.fullmatch(f"[0-9a-f]{{{count}}}", ids.hex(count))


@pytest.mark.parametrize("ids", IDS)
def test_a_short_id_is_three_times_four_digits(ids):
    found = {ids.short() for _ in range(1000)}

    assert len(found) == 1000
    assert all(re.fullmatch("[0-9]{4}[.][0-9]{4}[.][0-9]{4}", one) for one in found)


@pytest.mark.parametrize("ids", [*IDS, pytest.param(SeededDraws(RandomIds(), 7), id="drawn")])
def test_no_short_id_reads_like_the_number_of_a_card(ids):
    for _ in range(2000):
        shown = f"{ids.short()} Sandgate Channel"
        ids.trace()
        assert not has_card_number(shown), shown


@pytest.mark.parametrize("ids", IDS)
def test_traces_follow_one_another(ids):
    first = ids.trace()

    assert 1 <= first <= 999_999
    assert ids.trace() == first % 999_999 + 1


def test_after_the_last_trace_comes_the_first():
    ids = RandomIds(first_trace=999_998)

    assert [ids.trace() for _ in range(4)] == [999_998, 999_999, 1, 2]


def test_a_seed_gives_the_same_ids_again():
    first, second, other = SeededIds(7), SeededIds(7), SeededIds(8)

    assert [first.record(), first.short(), first.trace()] == [
        second.record(),
        second.short(),
        second.trace(),
    ]
    assert first.record() != other.record()


def test_random_hex_differs_each_time():
    assert len({random_hex(31) for _ in range(100)}) == 100
    assert len(random_hex(31)) == 31


def test_the_real_clock_is_aware_and_in_utc():
    now = RealClock().now()

    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(seconds=5)


def test_the_real_clock_lets_others_run_while_it_waits():
    turns = []
    other = gevent.spawn(turns.append, 1)

    RealClock().wait(timedelta(milliseconds=5))

    assert other.ready()
    assert turns == [1]


def test_a_hand_clock_stands_still():
    clock = HandClock(datetime(2026, 1, 1, tzinfo=UTC))

    assert clock.now() == clock.now() == datetime(2026, 1, 1, tzinfo=UTC)


def test_who_waits_goes_on_when_the_clock_has_been_moved_far_enough():
    clock = HandClock()
    short = gevent.spawn(clock.wait, timedelta(seconds=5))
    long = gevent.spawn(clock.wait, timedelta(seconds=10))
    gevent.sleep(0)

    clock.advance(timedelta(seconds=4))
    gevent.sleep(0)
    assert not short.ready()

    clock.advance(timedelta(seconds=1))
    gevent.joinall([short])
    assert not long.ready()

    clock.advance(timedelta(minutes=1))
    gevent.joinall([long])


def test_waiting_no_time_returns_at_once():
    HandClock().wait(timedelta(0))


def test_a_clock_that_jumps_moves_by_what_is_waited_for():
    clock = HandClock(jumps=True)
    before = clock.now()

    clock.wait(timedelta(seconds=30))

    assert clock.now() - before == timedelta(seconds=30)
