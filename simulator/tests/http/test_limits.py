"""The budgets of bytes that requests and answers on their way may hold (D-260, D-356)."""

import pytest

from simulator.adapters.http.limits import ReceiveBudget, SendBudget
from simulator.domain.core.errors import UnreadableRequestError


class Sender:
    """A connection that remembers how it was refused."""

    def __init__(self) -> None:
        self.refused: list[int] = []

    def end_reading(self, status: int, reason: str) -> None:
        self.refused.append(status)


class Taker:
    """A connection that remembers whether it was cut off."""

    def __init__(self) -> None:
        self.is_cut = False

    def end_sending(self) -> None:
        self.is_cut = True


def at_once(call, *arguments) -> None:
    call(*arguments)


def test_the_request_that_holds_most_is_refused_and_short_ones_are_not() -> None:
    budget, long, short = ReceiveBudget(at_once, bytes_max=100), Sender(), Sender()
    budget.hold(long, 90)
    budget.hold(short, 20)

    assert (long.refused, short.refused) == ([503], [])
    budget.hold(short, 100)


def test_a_request_that_exceeds_the_budget_itself_is_refused_at_once() -> None:
    budget, sender = ReceiveBudget(at_once, bytes_max=100), Sender()
    with pytest.raises(UnreadableRequestError) as refused:
        budget.hold(sender, 101)

    assert refused.value.status == 503


def test_what_is_released_counts_no_more() -> None:
    budget = ReceiveBudget(at_once, bytes_max=100)
    for _ in range(5):
        sender = Sender()
        budget.hold(sender, 60)
        budget.hold(sender, 90)
        budget.release(sender)
        budget.release(sender)

    budget.hold(Sender(), 100)


def test_the_peer_that_lets_the_gateway_wait_longest_is_cut_off() -> None:
    budget, takers = SendBudget(at_once, bytes_max=100), [Taker() for _ in range(5)]
    for taker in takers:
        budget.hold(taker, 40)

    assert [taker.is_cut for taker in takers] == [True, True, True, False, False]
    budget.release(takers[3])
    budget.hold(takers[4], 100)
    assert not takers[4].is_cut


def test_an_answer_alone_may_be_of_any_size_and_what_was_taken_counts_no_more() -> None:
    budget, alone, other = SendBudget(at_once, bytes_max=100), Taker(), Taker()
    budget.hold(alone, 1000)
    budget.hold(alone, 50)
    budget.hold(other, 50)
    assert (alone.is_cut, other.is_cut) == (False, False)

    budget.hold(other, 1000)
    assert (alone.is_cut, other.is_cut) == (True, False)


def test_there_is_no_room_until_the_peer_was_cut_off() -> None:
    called = []
    budget = SendBudget(lambda *call: called.append(call), bytes_max=100)
    first, second = Taker(), Taker()
    budget.hold(first, 60)
    assert not budget.is_full
    budget.hold(second, 60)
    assert budget.is_full

    ((end, taker),) = called
    end(taker)
    assert (first.is_cut, budget.is_full) == (True, False)
