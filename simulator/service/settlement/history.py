"""Which runs there were, and which bank days are open: found by index, however many runs there are.

Choices: D-401, D-402.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Protocol

from simulator.domain.core.ports import HasClock, HasStore, key_of
from simulator.domain.core.records import LedgerEntry
from simulator.domain.core.slices import with_pauses
from simulator.domain.settlement.blocks import place_of
from simulator.domain.settlement.runs import Aggregation, SettlementRun, run_id
from simulator.service.settlement.movements import MovementPorts, first_movement
from simulator.service.settlement.whom import MerchantAccount

LAST = "~"


class HistoryPorts(MovementPorts, HasClock, Protocol):
    """What open bank days are found with."""


class UnknownSettlementError(Exception):
    """No settlement run has the id, or it has not what the path names."""


def last_runs(ports: HasStore, most: int) -> list[SettlementRun]:
    """The last runs of all institutes, by day. Costs what it returns."""
    _, count = ports.store.page(SettlementRun, "history", ("", LAST), start=0, most=0)
    start = max(0, count - most)
    found, _ = ports.store.page(SettlementRun, "history", ("", LAST), start=start, most=most)
    return list(with_pauses(ports, found))


def run_with(ports: HasStore, identity: str) -> SettlementRun:
    """The run with this id. Raises UnknownSettlementError."""
    found = ports.store.get(SettlementRun, identity)
    if found is None:
        raise UnknownSettlementError("no settlement run has the id in the path")
    return found


def run_before(ports: HasStore, institute: str, day: date | None) -> SettlementRun | None:
    """The last run of an institute before a bank day, or of all its days."""
    until = LAST if day is None else day.isoformat()
    bounds = key_of(institute, ""), key_of(institute, until)
    _, count = ports.store.page(SettlementRun, "days", bounds, start=0, most=0)
    if not count:
        return None
    found, _ = ports.store.page(SettlementRun, "days", bounds, start=count - 1, most=1)
    return next(found, None)


def open_days(ports: HistoryPorts, institute: str, last: date | None) -> Iterator[date]:
    """The bank days of an institute that are over and have no finished run, to `last` at most, in
    order: first those of runs that were interrupted. Where no other one is over, the last one whose
    file was refused: it is asked for again.
    """
    before = run_before(ports, institute, None)
    yield from sorted(run.day for run in _open_runs(ports, institute, last))
    at = (
        first_movement(ports) if before is None else ports.clearing.window(institute, before.day)[1]
    )
    again = before.day if before is not None and before.state == "refused" else None
    while at is not None:
        day, at = ports.clearing.next_cut_off(institute, at)
        if at > ports.clock.now() or (last is not None and day > last):
            break
        again = None
        yield day
    if again is not None and last is None:
        yield again


def delivered_names(ports: HasStore, account: MerchantAccount, day: date) -> frozenset[str]:
    """The files that a merchant got of a settlement date."""
    merchant = account.merchant.id
    low, high = (place_of(merchant, day.isoformat() + bound) for bound in ("", LAST))
    runs = {each.run for each in ports.store.between(Aggregation, "history", low, high)}
    found = (ports.store.get(SettlementRun, each) for each in sorted(runs))
    return frozenset(each.name for run in found if run is not None for each in run.delivered)


def runs_behind(ports: HasStore, entries: Iterable[LedgerEntry]) -> dict[str, str]:
    """The run that posted each ledger entry of a settlement, by what the entry is about: a block,
    which names its run.
    """
    named = {each.payment: each.payment.rpartition(".")[0] for each in entries}
    runs = {*named.values()} - {""}
    stored = {run for run in runs if ports.store.get(SettlementRun, run) is not None}
    return {block: run for block, run in named.items() if run in stored}


def _open_runs(ports: HasStore, institute: str, last: date | None) -> Iterator[SettlementRun]:
    """Runs that were interrupted, and the one of `last` where its file was refused."""
    for state in ("written", "booked"):
        bounds = (key_of(institute, state, bound) for bound in ("", LAST))
        yield from ports.store.between(SettlementRun, "states", *bounds)
    asked = None if last is None else ports.store.get(SettlementRun, run_id(institute, last))
    if asked is not None and asked.state == "refused":
        yield asked
