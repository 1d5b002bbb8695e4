"""Pages that read one kind of record: checkouts, registrations, ledger, throttle windows,
merchants, terminals, schedules.
"""

from simulator.domain.checkouts.checkouts import Checkout, expires_at
from simulator.domain.core.records import Registration
from simulator.domain.schedules.schedules import Schedule
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.service.console.lists import list_ledger, list_of_merchant, stages_of
from simulator.service.terminals.terminals import counters_of, list_terminals
from simulator.web.console.rendering import ShownPage
from simulator.web.console.views import describe, merchant_of, number_in
from simulator.web.console.visits import ConsoleVisit

SHOWN = 50
END = "~"


def show_checkouts(visit: ConsoleVisit) -> ShownPage:
    """The checkouts of a merchant, newest first, and where each stands."""
    sandbox, ports = visit.sandbox(), visit.ports()
    merchant, page = merchant_of(visit, sandbox), number_in(visit.asked("page", "1"))
    found = list_of_merchant(ports, Checkout, merchant.id, page)
    values = {"stages": stages_of(ports, found.records), "expires_at": expires_at}
    known = {"sandbox": sandbox, "merchant": merchant, "found": found, "now": ports.clock.now()}
    return ShownPage("checkouts.html", {**known, **values})


def show_registrations(visit: ConsoleVisit) -> ShownPage:
    """The registrations of a merchant, newest first."""
    sandbox = visit.sandbox()
    merchant, page = merchant_of(visit, sandbox), number_in(visit.asked("page", "1"))
    found = list_of_merchant(visit.ports(), Registration, merchant.id, page)
    values = {"sandbox": sandbox, "merchant": merchant, "found": found, "describe": describe}
    return ShownPage("registrations.html", values)


def show_ledger(visit: ConsoleVisit) -> ShownPage:
    """Ledger entries, newest first, and on request whether the card host has the same: that reads
    all of both.
    """
    page = number_in(visit.asked("page", "1"))
    found = list_ledger(visit.ports(), page)
    compared = reconcile_ledgers(visit.ports()) if visit.asked("compare") else None
    values = {"sandbox": visit.sandbox(), "found": found, "compared": compared}
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
