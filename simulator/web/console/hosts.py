"""The switch in the frame of the console: which host is shown, and whether it may be changed."""

from simulator.domain.console.people import read_host
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.hosts import LIVE
from simulator.service.console import sign_in as using
from simulator.service.console.lists import has_payments_on
from simulator.web.console.rendering import Moved
from simulator.web.console.sign_in import inside
from simulator.web.console.visits import ConsoleVisit


def choose_host(visit: ConsoleVisit) -> Moved:
    """Show the records of a host from now on; those of the live one are only looked at until
    the person allows changes. Choice: D-632.
    """
    host = read_host(visit.form.get("host", ""))
    # Who may act at all, the right of each page says.
    using.choose_host(
        visit.console, visit.signed.sign_in, host, changes_live="changes" in visit.form
    )
    return Moved(inside(visit.form.get("onward", "")))


def refuse_to_empty(visit: ConsoleVisit, sandbox: Sandbox) -> None:
    """Raise ReadOnlyHostError where live payments of a sandbox would be gone that are only looked
    at. Choice: D-632.
    """
    ports = visit.console.server.registry.ports(sandbox.id)
    if has_payments_on(ports, [each.id for each in sandbox.merchants], LIVE):
        visit.refuse_changes(LIVE)
