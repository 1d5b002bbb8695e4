"""How long the gateway waits for the card host before it watches the clock of the sandbox."""

import gevent
import pytest

from acquirer_mocks.tests.test_card_host import End, link_of
from simulator.adapters.acquiring.connections import LinkConnection, pair_to
from simulator.adapters.acquiring.link import PATIENCES_MAX, is_answered_soon
from simulator.tests.kit.gateway import Gateway


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


def test_what_a_line_takes_to_be_opened_is_no_time_of_the_answer(gateway: Gateway) -> None:
    end = End(gateway)
    path = f"/sandboxes/{end.sandbox}"
    wait = {"acquirer": {"latency": {"fixed": {"seconds": 20}}, "approve": {}}}
    gateway.control("PUT", f"{path}/clock", {"mode": "frozen"})
    gateway.control("POST", f"{path}/scripts", {"behaviour": {"steps": wait}})

    def slow() -> LinkConnection:
        gateway.control("POST", f"{path}/clock/advance", {"by": "25s"})
        return pair_to(gateway.card_host.serve)

    link = link_of(end, slow)
    asked = gevent.spawn(link.exchange, end.payment())
    gevent.sleep(0.5)
    gateway.control("POST", f"{path}/clock/advance", {"by": "20s"})

    assert asked.get(timeout=5)["39"] == "00"
    link.close()
