"""The switch in the frame of the console: which host is shown, and whether it may be changed."""

from simulator.domain.console.people import read_host
from simulator.service.console import sign_in as using
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
