"""The scripts armed in a sandbox, in the order in which they are asked, and how many it takes."""

from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.records import Script
from simulator.domain.core.transact import transact

NEAR_MISSES_MAX = 10
# Each payment asks and counts every script that is not used up. Choice: D-298.
ARMED_MAX = 500
USED_UP_KEPT_MAX = 500
# A script that counts the requests that fit it is stored anew with each of them, with its near
# misses. Choice: D-619.
TURNS_MAX, TURNS_BYTES_MAX = 20, 16 * 1024


def armed_scripts(store: Store) -> list[Script]:
    """Every script as it is stored, newest first."""
    return store.find(Script, "armed", "yes")[::-1]


def counted_scripts(store: Store) -> list[Script]:
    """Every script with all that it has counted, newest first."""
    return list(map(store.looks.shown, armed_scripts(store)))


def store_looks(store: Store) -> None:
    """Store what is counted in memory, which is about to be left, or copied. Raises DiskError,
    EpochEndedError.
    """
    transact(store, lambda: _store_looks(store))


def _store_looks(store: Store) -> None:
    if store.looks.is_empty:
        return
    pairs = zip(armed_scripts(store), counted_scripts(store), strict=True)
    changed = [counted for stored, counted in pairs if counted is not stored]
    if not changed:
        return
    taken, is_stored = store.looks.take(), False
    try:
        store.commit(unit_of(*changed))
        is_stored = True
    finally:
        if not is_stored:
            store.looks.give_back(taken)
