"""New connections take turns in rounds over the addresses of their clients."""

from itertools import count

import gevent
import pytest
from gevent.hub import GreenletExit, get_hub

from simulator.adapters.http.address_turns import WAITING_IN_ORDER, AddressTurns
from simulator.adapters.turns import next_turn


@pytest.fixture
def turns():
    """Turns of which each takes a whole slice of time."""
    made = AddressTurns(clock=count().__next__)
    yield made
    made.close()


def order_of(turns: AddressTurns, waiting: list[tuple[str, str, bool]]) -> list[str]:
    order = list[str]()

    def work(name: str, address: str, is_begun: bool) -> None:
        turns.take(address, is_begun=is_begun)
        order.append(name)

    made = [gevent.Greenlet(work, *each) for each in waiting]
    # The event loop learns how late it is.
    next_turn()
    # All of them wait before a turn is given.
    get_hub().loop.run_callback(lambda: [each.switch() for each in made])
    gevent.joinall(made, raise_error=True, timeout=5)
    return order


def test_an_address_of_which_many_wait_has_one_turn_in_a_round(turns):
    waiting = [(f"a{number}", "a", False) for number in range(3)]

    order = order_of(turns, [*waiting, ("b0", "b", False), ("b1", "b", False)])

    assert order == ["a0", "b0", "a1", "b1", "a2"]


def test_what_was_begun_has_turns_beside_what_begins(turns):
    waiting = [(f"new{number}", "a", False) for number in range(3)]

    order = order_of(turns, [*waiting, ("begun", "a", True)])

    assert order.index("begun") == 1


def test_where_many_of_an_address_wait_the_last_one_comes_first(turns):
    names = [str(number) for number in range(WAITING_IN_ORDER + 2)]

    order = order_of(turns, [(name, "a", False) for name in names])

    assert order[:3] == [names[-1], names[-2], names[0]]


def test_what_goes_on_comes_in_its_order_however_many_wait(turns):
    names = [str(number) for number in range(WAITING_IN_ORDER + 2)]

    assert order_of(turns, [(name, "a", True) for name in names]) == names


def test_everything_else_goes_on_between_two_slices(turns):
    passed = list[int]()

    def other() -> None:
        while True:
            next_turn()
            passed.append(1)

    beside = gevent.spawn(other)
    order_of(turns, [(str(number), "a", False) for number in range(20)])
    beside.kill()

    assert len(passed) >= 15


def test_one_that_is_ended_while_it_waits_takes_no_turn(turns):
    ended = gevent.spawn(turns.take, "a")
    gevent.sleep(0)
    ended.kill(GreenletExit)

    assert order_of(turns, [("b", "b", False)]) == ["b"]
    assert not turns.is_crowded("a")
