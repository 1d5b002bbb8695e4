"""Pauses between the tries of a change that conflicted: others get their turn, at random times."""

import random

import gevent

from simulator.adapters.turns import give_way

# A conflict is mostly over as soon as the other change is stored.
AT_ONCE = 3
FIRST_S, LONGEST_S = 0.001, 0.05


def pause(failures: int) -> None:
    """Give the hub to others: without a failure until the requests under way are answered, as long
    work does; at first without a timer, then for a random time that grows.
    """
    if not failures:
        give_way()
        return
    if failures <= AT_ONCE:
        gevent.sleep(0)
        return
    longest = min(LONGEST_S, FIRST_S * 2 ** (failures - AT_ONCE))
    gevent.sleep(random.uniform(0, longest))
