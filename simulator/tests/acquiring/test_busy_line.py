"""How long the gateway waits for the card host before it watches the clock of the sandbox."""

import pytest

from simulator.adapters.acquiring.link import PATIENCES_MAX, is_answered_soon


class Line:
    """A line, and a request on it, with no time but turns of patience: in so many of them the line
    carries something, and the answer comes in the one called `answered`.
    """

    def __init__(self, *, busy: int, answered: int):
        self.last_at = 0.0
        self.turns = 0
        self._busy = busy
        self._answered = answered

    def wait(self, timeout: float) -> None:
        self.turns += 1
        if self.turns <= self._busy:
            self.last_at += timeout

    def ready(self) -> bool:
        return self.turns >= self._answered


@pytest.mark.parametrize(
    ("busy", "answered", "is_soon", "turns"),
    [
        (0, 1, True, 1),  # at once
        (0, 2, False, 1),  # nothing comes on the line: the host may be slow on purpose
        (3, 3, True, 3),  # the host works through what is before it
        (3, 9, False, 4),  # it rests after that
        (9, 9, False, PATIENCES_MAX),  # it never rests
    ],
)
def test_a_busy_line_is_given_more_time(busy: int, answered: int, is_soon: bool, turns: int):
    line = Line(busy=busy, answered=answered)
    assert is_answered_soon(line, line) is is_soon
    assert line.turns == turns
