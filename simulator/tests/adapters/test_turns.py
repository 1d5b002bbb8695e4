"""Long work pauses so that a request which has just come is served before it goes on."""

from collections import Counter
from collections.abc import Callable

import gevent
import pytest
from gevent.event import Event

from simulator.adapters.acquiring.connections import give_way
from simulator.adapters.turns import LONG_WORK, OwnersTurns, in_turns_of, next_turn, pause
from simulator.tests.kit.event_loop import looks_during

PAUSES = 200


def of_long_work() -> None:
    """The pause of work that goes over many records."""
    pause(0)


@pytest.mark.parametrize("way", (next_turn, of_long_work, give_way))
def test_the_event_loop_looks_at_every_socket_in_each_pause(way: Callable[[], None]) -> None:
    def work() -> None:
        for _ in range(PAUSES):
            way()

    # A pause of nothing comes to four of them.
    assert looks_during(work) > PAUSES // 2


def test_an_owner_with_much_to_do_has_one_turn_at_a_time() -> None:
    turns, order = OwnersTurns(2), list[str]()

    def work(owner: str) -> None:
        with turns.taken(owner):
            order.append(owner)
            gevent.sleep(0)

    gevent.joinall([gevent.spawn(work, owner) for owner in "aaaaaabc"], raise_error=True)

    # Each of the others comes in before the second turn of the first ends.
    assert order[:2] == ["a", "b"] and "c" in order[:4]
    assert order.count("a") == 6


def test_who_ends_a_turn_comes_behind_the_others_that_wait() -> None:
    turns, order = OwnersTurns(1), list[str]()

    def work(name: str) -> None:
        with turns.taken(name[0]):
            order.append(name)
            gevent.sleep(0)

    names = ("a1", "a2", "b1", "a3")
    gevent.joinall([gevent.spawn(work, name) for name in names], raise_error=True)

    assert order == ["a1", "b1", "a2", "a3"]


def test_a_turn_of_one_who_left_is_passed_on() -> None:
    turns, done = OwnersTurns(1), list[str]()
    is_over = Event()

    def hold() -> None:
        with turns.taken("a"):
            is_over.wait()

    def work(owner: str) -> None:
        with turns.taken(owner):
            done.append(owner)

    first, left, last = gevent.spawn(hold), gevent.spawn(work, "b"), gevent.spawn(work, "c")
    gevent.sleep(0)
    left.kill()
    is_over.set()
    gevent.joinall([first, last], timeout=5)
    work("a")

    assert done == ["c", "a"]


def of_long_slices() -> None:
    LONG_WORK.take()


def of_short_pages() -> None:
    list(in_turns_of("a", ["a page"]))


@pytest.mark.parametrize("slice_of", (of_long_slices, of_short_pages))
def test_of_all_long_work_one_slice_is_done_in_each_turn_of_the_loop(
    slice_of: Callable[[], None],
) -> None:
    began: list[int] = []

    def work() -> None:
        for _ in range(5):
            slice_of()
            began.append(looks[0])

    def look() -> None:
        while len(began) < 20:
            looks[0] += 1
            next_turn()

    looks = [0]
    gevent.joinall([gevent.spawn(look), *(gevent.spawn(work) for _ in range(4))], raise_error=True)

    assert max(Counter(began).values()) <= 2
