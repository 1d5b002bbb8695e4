"""Long work pauses so that a request which has just come is served before it goes on."""

from collections.abc import Callable

import pytest

from simulator.adapters.acquiring.connections import give_way
from simulator.adapters.store.pauses import pause
from simulator.adapters.turns import next_turn
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
