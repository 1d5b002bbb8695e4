"""/_sandbox/v1/sandboxes: make, list, read, reset and delete them."""

from falcon import Request, Response

from simulator.domain.merchants.hierarchy import AskedSandbox
from simulator.grammar.choices import UnknownChoiceError
from simulator.service.sandboxes import sandboxes as using
from simulator.web.control.access import (
    ONE_SANDBOX,
    PREFIX,
    ControlAccess,
    input_error,
    read_document,
)
from simulator.web.control.documents.entities import Deleted, SandboxDocument
from simulator.web.control.entities import places_of, refuse_defaults
from simulator.web.http.answers import send
from simulator.web.http.lists import send_items
from simulator.web.http.route import Route


class SandboxesResource:
    """All of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a sandbox."""
        self._access.demand_control_key(req)
        asked = _asked(req, self._access)
        try:
            send(resp, 201, using.create_sandbox(self._access.server, asked))
        except UnknownChoiceError as error:
            raise input_error(error) from None

    def on_get(self, req: Request, resp: Response) -> None:
        """List the sandboxes."""
        self._access.demand_control_key(req)
        known = self._access.server.registry.sandboxes()
        send_items(resp, "sandboxes", map(SandboxDocument.of, known))


class SandboxResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a sandbox."""
        send(resp, 200, SandboxDocument.of(self._access.sandbox(req, identity)))

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Delete a sandbox with everything in it."""
        self._access.sandbox(req, identity)
        using.delete_sandbox(self._access.server, identity)
        send(resp, 200, Deleted(identity))

    def on_post_reset(self, req: Request, resp: Response, identity: str) -> None:
        """Empty a sandbox: a new epoch, the same entities and credentials."""
        self._access.sandbox(req, identity)
        after = using.reset_sandbox(self._access.server, identity)
        send(resp, 200, SandboxDocument.of(after))


def _asked(req: Request, access: ControlAccess) -> AskedSandbox:
    asked = read_document(req, AskedSandbox)
    for number, merchant in enumerate(asked.merchants):
        refuse_defaults(access, places_of(merchant.channels, f"merchants[{number}]"))
    return asked


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    one = SandboxResource(access)
    return (
        Route(f"{PREFIX}/sandboxes", SandboxesResource(access)),
        Route(ONE_SANDBOX, one),
        Route(f"{ONE_SANDBOX}/reset", one, "reset"),
    )
