"""The budgets of bytes that requests and answers on their way may hold (D-260, D-356)."""

from contextvars import copy_context

import pytest

from simulator.adapters.http.limits import ReceiveBudget, SendBudget
from simulator.adapters.turns import work_for
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


def hold_for(owner: str, budget: ReceiveBudget | SendBudget, connection, size: int) -> None:
    """What a greenlet does that works for this owner."""

    def hold() -> None:
        work_for(owner)
        budget.hold(connection, size)

    copy_context().run(hold)


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


def test_many_short_requests_of_one_sandbox_do_not_refuse_a_long_one_of_another() -> None:
    budget, long, short = ReceiveBudget(at_once, bytes_max=100), Sender(), Sender()
    hold_for("one", budget, long, 40)
    for _ in range(3):
        hold_for("other", budget, Sender(), 15)
    hold_for("other", budget, short, 14)
    with pytest.raises(UnreadableRequestError):
        hold_for("other", budget, Sender(), 16)

    assert long.refused == [] and short.refused == []


def test_what_a_connection_holds_counts_for_its_owner_once_that_is_known() -> None:
    budget, late, long = ReceiveBudget(at_once, bytes_max=100), Sender(), Sender()
    hold_for("", budget, late, 50)
    hold_for("one", budget, late, 51)
    hold_for("", budget, long, 40)

    hold_for("", budget, Sender(), 9)
    hold_for("", budget, Sender(), 1)

    assert (late.refused, long.refused) == ([503], [])


def test_takers_of_one_sandbox_do_not_cut_off_one_of_another() -> None:
    budget, slow, takers = SendBudget(at_once, bytes_max=100), Taker(), [Taker(), Taker(), Taker()]
    hold_for("one", budget, slow, 30)
    for taker in takers:
        hold_for("other", budget, taker, 30)
    hold_for("other", budget, alone := Taker(), 100)

    assert not slow.is_cut and not alone.is_cut
    assert all(taker.is_cut for taker in takers)


def test_an_answer_each_of_many_sandboxes_is_bounded_too() -> None:
    """Each is longer than those before: it is the one answer of the owner that has most."""
    budget, takers = SendBudget(at_once, bytes_max=100), [Taker() for _ in range(9)]
    for number, taker in enumerate(takers):
        hold_for(f"{number}", budget, taker, 60 + number)

    assert [taker.is_cut for taker in takers] == [True] * 3 + [False] * 6
