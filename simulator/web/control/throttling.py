"""/_sandbox/v1/sandboxes/{id}/throttle: the throttle tables of a sandbox, one for each host."""

import msgspec
from falcon import Request, Response

from simulator.domain.core.hosts import LIVE, TEST
from simulator.domain.core.shapes import Table
from simulator.domain.ports.sandbox import Ports
from simulator.domain.throttling.tables import document_of
from simulator.service.throttling import set_throttles
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import ThrottlesDocument
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class AskedThrottles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table a host: its name, the table itself, or null for the one the sandbox was made with."""

    throttle: Table | msgspec.UnsetType = msgspec.UNSET
    live_throttle: Table | msgspec.UnsetType = msgspec.UNSET


class ThrottleResource:
    """The tables of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read them."""
        send(resp, 200, _shown(self._access.ports(req, identity)))

    def on_put(self, req: Request, resp: Response, identity: str) -> None:
        """Change them."""
        ports = self._access.ports(req, identity)
        asked = msgspec.structs.asdict(read_document(req, AskedThrottles))
        given = {host: each for host, each in asked.items() if each is not msgspec.UNSET}
        set_throttles(self._access.server, ports, given)
        send(resp, 200, _shown(ports))


def _shown(ports: Ports) -> ThrottlesDocument:
    tables = ports.throttles.tables
    return ThrottlesDocument(document_of(tables[TEST]), document_of(tables[LIVE]))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (Route(f"{ONE_SANDBOX}/throttle", ThrottleResource(access)),)
