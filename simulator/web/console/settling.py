"""Settlement in the console: runs, what one of them paid, and its picture."""

from simulator.domain.ports.sandbox import Ports
from simulator.domain.settlement.picture import settlement_svg
from simulator.domain.settlement.runs import SettlementRun
from simulator.domain.settlement.sums import AccountSums
from simulator.service.console.recording import note_settled
from simulator.service.settlement.history import last_runs, run_with
from simulator.service.settlement.proof import sums_of
from simulator.service.settlement.pushing import pushes_of
from simulator.service.settlement.settling import settle_institutes
from simulator.service.settlement.whom import accounts_of
from simulator.web.console.rendering import Drawing, Moved, ShownPage
from simulator.web.console.visits import ConsoleVisit

RUNS_SHOWN = 100


def show_settlements(visit: ConsoleVisit) -> ShownPage:
    """The last runs, the newest first."""
    ports = visit.ports()
    runs = last_runs(ports, RUNS_SHOWN)[::-1]
    values = {"sandbox": visit.sandbox(), "runs": runs, "now": ports.clock.now()}
    return ShownPage("settlements.html", values)


def settle(visit: ConsoleVisit) -> Moved:
    """Settle the bank days of every institute that are over, the first 400 of each."""
    ports = visit.ports()
    settle_institutes(ports, ports.clearing.names, None)
    note_settled(visit.console, visit.sandbox().id, by=visit.name)
    return Moved(f"/console/{visit.ids['sandbox']}/settlements")


def show_settlement(visit: ConsoleVisit) -> ShownPage:
    """A run: its files, and whether lines, payouts and ledger agree."""
    ports = visit.ports()
    run = run_with(ports, visit.ids["run"])
    values = {"sandbox": visit.sandbox(), "run": run, "accounts": _accounts(ports, run)}
    values["pushes"] = pushes_of(ports, run)
    return ShownPage("settlement.html", values)


def draw_settlement(visit: ConsoleVisit) -> Drawing:
    """The way of the money of a run."""
    ports = visit.ports()
    run = run_with(ports, visit.ids["run"])
    return Drawing(settlement_svg(run, _accounts(ports, run)))


def _accounts(ports: Ports, run: SettlementRun) -> list[AccountSums]:
    found = (sums_of(ports, run, name) for name in accounts_of(ports.sandbox))
    return [each for each in found if each.lines]
