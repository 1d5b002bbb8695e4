"""Pages that read one kind of record: ledger, throttle windows, merchants, terminals, schedules."""

from collections.abc import Sequence
from typing import Any

from simulator.domain.core.records import LedgerEntry
from simulator.domain.schedules.schedules import Schedule
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.service.terminals.terminals import counters_of, list_terminals
from simulator.web.console.rendering import ShownPage
from simulator.web.console.visits import ConsoleVisit

SHOWN = 50
END = "~"


def show_ledger(visit: ConsoleVisit) -> ShownPage:
    """The newest ledger entries, and on request whether the card host has the same: that reads all
    of both.
    """
    entries = _newest(visit, LedgerEntry, "date")
    compared = reconcile_ledgers(visit.ports()) if visit.asked("compare") else None
    values = {"sandbox": visit.sandbox(), "entries": entries, "compared": compared}
    return ShownPage("ledger.html", values)


def show_throttles(visit: ConsoleVisit) -> ShownPage:
    """The windows that are open, with what they let through."""
    ports = visit.ports()
    windows = ports.throttles.open_windows(ports.clock.now())
    names = {each.id: each.name for each in visit.sandbox().merchants}
    values = {"tables": ports.throttles.tables, "windows": windows, "names": names}
    return ShownPage("throttles.html", {"sandbox": visit.sandbox(), **values})


def show_merchants(visit: ConsoleVisit) -> ShownPage:
    """The merchants of a sandbox and their channels."""
    return ShownPage("merchants.html", {"sandbox": visit.sandbox()})


def show_terminals(visit: ConsoleVisit) -> ShownPage:
    """The terminals of a sandbox, and how often each key was used."""
    ports = visit.ports()
    found = [(each, counters_of(ports, each)) for each in list_terminals(ports)[:SHOWN]]
    return ShownPage("terminals.html", {"sandbox": visit.sandbox(), "terminals": found})


def show_schedules(visit: ConsoleVisit) -> ShownPage:
    """The schedules that will be executed, the next first."""
    page, count = visit.ports().store.page(Schedule, "due", ("", END), start=0, most=SHOWN)
    values = {"schedules": list(page), "count": count, "shown": SHOWN}
    return ShownPage("schedules.html", {"sandbox": visit.sandbox(), **values})


def _newest(visit: ConsoleVisit, kind: type[Any], index: str) -> Sequence[Any]:
    """The newest records of a kind by an index of instants, the newest first."""
    store = visit.ports().store
    _, count = store.page(kind, index, ("", END), start=0, most=0)
    page, _ = store.page(kind, index, ("", END), start=max(0, count - SHOWN), most=SHOWN)
    return list(page)[::-1]
