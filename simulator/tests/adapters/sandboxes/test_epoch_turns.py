"""What is read of one epoch is read again where the epoch ends, and then none can end."""

import pytest

from simulator.adapters.sandboxes.epoch_turns import TRIES_MAX, EpochTurns
from simulator.domain.core.errors import EpochEndedError, ReplacedEpochError


def test_no_epoch_ends_while_it_is_read_again() -> None:
    turns, held = EpochTurns(), []

    def read() -> str:
        held.append(turns.of("a").locked())
        if len(held) == 1:
            raise EpochEndedError("it is over")
        return "read"

    assert turns.in_one("a", read) == "read"
    assert held == [False, True]
    assert not turns.of("a").locked()


def test_what_ends_all_the_same_is_an_error_and_the_turn_is_given_back() -> None:
    turns = EpochTurns()

    def read() -> None:
        raise EpochEndedError("it is over")

    with pytest.raises(EpochEndedError):
        turns.in_one("a", read)
    assert not turns.of("a").locked()


def test_what_only_reads_is_called_again_in_the_newest_epoch() -> None:
    renewed: list[str] = []

    def read() -> int:
        if len(renewed) < 2:
            raise EpochEndedError("it is over")
        return len(renewed)

    assert EpochTurns.newest(read, lambda: renewed.append("once more")) == 2


def test_it_is_called_so_often_at_most() -> None:
    tries: list[str] = []

    def read() -> None:
        tries.append("one")
        raise EpochEndedError("it is over")

    with pytest.raises(ReplacedEpochError):
        EpochTurns.newest(read, lambda: None)
    assert len(tries) == TRIES_MAX
