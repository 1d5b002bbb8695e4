"""/_sandbox/v1/sandboxes/{id}/terminals: terminals at the point of sale, and the keys they load."""

from falcon import Request, Response
from msgspec import UNSET, UnsetType

from simulator.domain.ports.sandbox import Ports
from simulator.domain.terminals.loading import AskedCertificate, AskedKeys, AskedRollover
from simulator.domain.terminals.terminals import AskedTerminal, KeyLoad, Terminal
from simulator.service.terminals.loading import certify_terminal, load_keys, roll_over_keys
from simulator.service.terminals.terminals import (
    counters_of,
    create_terminal,
    list_terminals,
    read_terminal,
    remove_terminal,
)
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import (
    Deleted,
    TerminalDocument,
    TerminalKey,
    TerminalList,
)
from simulator.web.http.answers import send
from simulator.web.http.route import Route

TERMINALS = f"{ONE_SANDBOX}/terminals"


class TerminalsResource:
    """The terminals of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Create one; its keys are in this answer alone."""
        ports = self._access.ports(req, identity)
        made = create_terminal(ports, read_document(req, AskedTerminal))
        send(resp, 201, render_terminal(ports, made.terminal, made.load))

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List them."""
        ports = self._access.ports(req, identity)
        listed = tuple(render_terminal(ports, each) for each in list_terminals(ports))
        send(resp, 200, TerminalList(listed))


class TerminalResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, terminal: str) -> None:
        """Read it."""
        ports = self._access.ports(req, identity)
        send(resp, 200, render_terminal(ports, read_terminal(ports, terminal)))

    def on_delete(self, req: Request, resp: Response, identity: str, terminal: str) -> None:
        """Remove it with its keys."""
        remove_terminal(self._access.ports(req, identity), terminal)
        send(resp, 200, Deleted(terminal))


class CertificateResource:
    """The certificate of a terminal's key."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, terminal: str) -> None:
        """Certify a key."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedCertificate)
        send(resp, 201, certify_terminal(ports, terminal, asked))


class KeysResource:
    """The keys of a terminal."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, terminal: str) -> None:
        """Load new ones remotely; they are in this answer alone."""
        ports = self._access.ports(req, identity)
        send(resp, 201, load_keys(ports, terminal, read_document(req, AskedKeys)))


class RolloverResource:
    """The keys of a terminal after those that it has."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, terminal: str) -> None:
        """Send the next ones, under the update keys of those that it has."""
        ports = self._access.ports(req, identity)
        send(resp, 201, roll_over_keys(ports, terminal, read_document(req, AskedRollover)))


def render_terminal(
    ports: Ports, terminal: Terminal, load: KeyLoad | UnsetType | None = UNSET
) -> TerminalDocument:
    """A terminal as a document; its keys only in the answer that creates it."""
    return TerminalDocument(
        id=terminal.id,
        device=terminal.device,
        model=terminal.model,
        channel=terminal.channel,
        method=terminal.method,
        keys=tuple(
            TerminalKey(each.usage, each.id, each.counter) for each in counters_of(ports, terminal)
        ),
        created_at=terminal.created_at,
        load=load,
    )


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(TERMINALS, TerminalsResource(access)),
        Route(f"{TERMINALS}/{{terminal}}", TerminalResource(access)),
        Route(f"{TERMINALS}/{{terminal}}/certificate", CertificateResource(access)),
        Route(f"{TERMINALS}/{{terminal}}/keys", KeysResource(access)),
        Route(f"{TERMINALS}/{{terminal}}/rollover", RolloverResource(access)),
    )
