"""The switch in the frame of the console: which host is shown, and whether it may be changed."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from simulator.domain.console.people import read_host
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.hosts import LIVE
from simulator.domain.webhooks.events import host_of_event
from simulator.service.console import sign_in as using
from simulator.service.console.lists import has_payments_on
from simulator.service.console.shell import HELD, RESEND, RESET, Arguments, ShellCommand
from simulator.service.holding import UnknownHeldError, held_with
from simulator.service.webhooks.deliveries import UnknownEventError, read_event
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
    at; one that is held may not be stored yet. Choice: D-632.
    """
    if visit.signed.sign_in.may_change(LIVE):
        # One that cannot be read may be removed.
        return
    ports = visit.console.server.registry.ports(sandbox.id)
    is_held = any(each.host == LIVE for each in ports.holds.held())
    if is_held or has_payments_on(ports, [each.id for each in sandbox.merchants], LIVE):
        visit.refuse_changes(LIVE)


def refuse_to_let_go(visit: ConsoleVisit, held: str) -> None:
    """The same for a held message of a live payment. Raises UnknownHeldError."""
    visit.refuse_changes(held_with(visit.ports(), held).host)


def refuse_to_resend(visit: ConsoleVisit, event: str) -> None:
    """The same for an event of a live payment. Raises UnknownEventError."""
    ports = visit.ports()
    visit.refuse_changes(host_of_event(ports, read_event(ports, event)))


def refuse_command(visit: ConsoleVisit, command: ShellCommand, given: Arguments) -> None:
    """The same for a command of the shell; what it says of an unknown id, it says itself."""
    if command.path == RESET:
        refuse_to_empty(visit, visit.sandbox())
    elif command.path in CHANGES:
        with suppress(UnknownHeldError, UnknownEventError):
            CHANGES[command.path](visit, given["id"])


# Commands that change what is of one payment, by their paths.
CHANGES: Mapping[str, Callable[[ConsoleVisit, str], None]] = {
    HELD: refuse_to_let_go,
    RESEND: refuse_to_resend,
}
