"""The scripts armed in a sandbox, in the order in which they are asked."""

from simulator.domain.core.ports import Store
from simulator.domain.core.records import Script


def armed_scripts(store: Store) -> list[Script]:
    """Every script, newest first."""
    return store.find(Script, "armed", "yes")[::-1]
