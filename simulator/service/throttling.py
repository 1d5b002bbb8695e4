"""Giving a sandbox other throttle tables."""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.core.ports import HasStore, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.merchants.hierarchy import known_tables
from simulator.domain.ports.sandbox import HasThrottles
from simulator.domain.ports.server import ServerPorts
from simulator.domain.throttling.tables import asked_table
from simulator.domain.throttling.windows import ThrottleSetting


class ThrottlingPorts(HasStore, HasThrottles, Protocol):
    """What a change of throttle tables needs."""


def set_throttles(server: ServerPorts, ports: ThrottlingPorts, asked: Mapping[str, object]) -> None:
    """Throttle a sandbox by other tables: `throttle`, `live_throttle` or both. Raises
    InvalidInputError.

    None gives back the table the sandbox was made with. A host whose table changes counts anew;
    a reset gives back both.
    """
    known = known_tables(server)
    tables = {
        host: None if each is None else asked_table(each, host, known)
        for host, each in asked.items()
    }

    def change() -> None:
        before = ports.store.get(ThrottleSetting, "throttle") or ThrottleSetting()
        unit = unit_of(replace(before, **tables))
        ports.store.commit(unit)
        ports.throttles.put(unit.puts[0])

    transact(ports.store, change)
