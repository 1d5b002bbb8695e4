"""Pages that read one kind of record: checkouts, registrations, ledger, throttle windows,
merchants, terminals, schedules, risk.
"""

from itertools import islice

from simulator.domain.checkouts.checkouts import Checkout, expires_at
from simulator.domain.core.records import Registration
from simulator.domain.core.slices import with_pauses
from simulator.domain.schedules.schedules import Schedule
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.service.console.lists import (
    FoundRecords,
    as_listed,
    find_newest,
    list_ledger,
    payments_among,
    stages_of,
)
from simulator.service.console.screenings import checks_of, newest_screenings
from simulator.service.settlement.history import runs_behind
from simulator.service.terminals.terminals import counters_of, list_terminals
from simulator.web.console.rendering import ShownPage
from simulator.web.console.views import below_in, describe, merchant_of, number_in
from simulator.web.console.visits import ConsoleVisit

SHOWN, LOOKED = 50, 500
DIFFERENCES_SHOWN = 20
END = "~"


def show_checkouts(visit: ConsoleVisit) -> ShownPage:
    """The checkouts of a merchant, newest first, and where each stands."""
    sandbox, ports = visit.sandbox(), visit.ports()
    merchant = merchant_of(visit, sandbox)
    found = _of_host(visit, Checkout, merchant.id)
    values = {"stages": stages_of(ports, found.records), "expires_at": expires_at}
    known = {"sandbox": sandbox, "merchant": merchant, "found": found, "now": ports.clock.now()}
    return ShownPage("checkouts.html", {**known, **values})


def show_registrations(visit: ConsoleVisit) -> ShownPage:
    """The registrations of a merchant, newest first."""
    sandbox = visit.sandbox()
    merchant = merchant_of(visit, sandbox)
    found = _of_host(visit, Registration, merchant.id)
    values = {"sandbox": sandbox, "merchant": merchant, "found": found, "describe": describe}
    return ShownPage("registrations.html", values)


def show_ledger(visit: ConsoleVisit) -> ShownPage:
    """Ledger entries, newest first, and on request whether the card host has the same: that reads
    all of both.
    """
    ports, page = visit.ports(), number_in(visit.asked("page", "1"))
    found = list_ledger(ports, page)
    compared = reconcile_ledgers(ports) if visit.asked("compare") else None
    differing = [] if compared is None else compared.differences[:DIFFERENCES_SHOWN]
    values = {
        "compared": compared,
        "differing": differing,
        "payments": payments_among(ports, (each.payment for each in (*found.records, *differing))),
        "runs": runs_behind(ports, found.records),
    }
    return ShownPage("ledger.html", {"sandbox": visit.sandbox(), "found": found, **values})


def show_throttles(visit: ConsoleVisit) -> ShownPage:
    """The windows that are open, with what they let through."""
    ports = visit.ports()
    found = ports.throttles.open_windows(ports.clock.now())
    windows = [each for each in found if each.host == visit.host]
    names = {each.id: each.name for each in visit.sandbox().merchants}
    tables = {host: each for host, each in ports.throttles.tables.items() if host == visit.host}
    values = {"tables": tables, "windows": windows, "names": names}
    return ShownPage("throttles.html", {"sandbox": visit.sandbox(), **values})


def show_merchants(visit: ConsoleVisit) -> ShownPage:
    """The merchants of a sandbox and their channels."""
    return ShownPage("merchants.html", {"sandbox": visit.sandbox()})


def show_risk(visit: ConsoleVisit) -> ShownPage:
    """What the risk system decided of late, and which checks each channel has."""
    values = {
        "screenings": newest_screenings(visit.ports(), visit.host),
        "checks": checks_of(visit.console.behaviours),
        "describe": describe,
    }
    return ShownPage("risk.html", {"sandbox": visit.sandbox(), **values})


def show_terminals(visit: ConsoleVisit) -> ShownPage:
    """The terminals of a sandbox, and how often each key was used."""
    ports = visit.ports()
    found = [(each, counters_of(ports, each)) for each in list_terminals(ports)[:SHOWN]]
    return ShownPage("terminals.html", {"sandbox": visit.sandbox(), "terminals": found})


def show_schedules(visit: ConsoleVisit) -> ShownPage:
    """The schedules that will be executed, the next first."""
    ports = visit.ports()
    found, count = ports.store.page(Schedule, "due", ("", END), start=0, most=LOOKED)
    paused = with_pauses(ports, found)
    here = (as_listed(each) for each in paused if each.host == visit.host)
    first = list(islice(here, SHOWN + 1))
    values = {"schedules": first[:SHOWN], "has_more": len(first) > SHOWN or count > LOOKED}
    return ShownPage("schedules.html", {"sandbox": visit.sandbox(), **values})


def _of_host(visit: ConsoleVisit, kind: type, merchant: str) -> FoundRecords:
    """The newest records of a merchant on the host that is shown."""
    return find_newest(visit.ports(), kind, merchant, host=visit.host, below=below_in(visit))
