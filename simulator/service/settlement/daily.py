"""Runs by the calendar: as soon as a bank day of an institute is over on the sandbox's clock."""

from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.transact import transact
from simulator.domain.settlement.runs import SettlementDue
from simulator.service.settlement.runs import SettlementPorts, settle_open_days


def start_daily_runs(ports: SettlementPorts, institute: str) -> None:
    """Settle every bank day of an institute from now on, when it is over."""
    if ports.store.get(SettlementDue, institute) is None:
        _, due = ports.clearing.next_cut_off(institute, ports.clock.now())
        with suppress(ConflictError):
            ports.store.commit(unit_of(SettlementDue(id=institute, due=due)))
    ports.scheduler.wake()


def stop_daily_runs(ports: SettlementPorts, institute: str) -> None:
    """Settle the bank days of an institute when it is asked for alone."""

    def stop() -> None:
        standing = ports.store.get(SettlementDue, institute)
        if standing is not None:
            ports.store.commit(unit_of(removes=(standing,)))

    transact(ports.store, stop)


def settle_due(ports: SettlementPorts, coming: SettlementDue) -> None:
    """Run what is over, and come again at the next cut-off. Where the process ends in between, or
    more is over than one look takes, it is due still.
    """
    if not transact(ports.store, partial(settle_open_days, ports, coming.id)):
        return
    _, due = ports.clearing.next_cut_off(coming.id, ports.clock.now())
    with suppress(ConflictError):
        ports.store.commit(unit_of(replace(coming, due=due)))
