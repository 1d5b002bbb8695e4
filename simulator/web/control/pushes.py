"""/_sandbox/v1/sandboxes/{id}/merchants/{merchant}/sftp-push: the server that the settlement files
of a merchant are pushed to, and how far the pushes of a run got. Choice: D-620.
"""

from falcon import Request, Response

from simulator.domain.settlement.pushing import AskedPushTarget
from simulator.service.merchants.entities import one_of
from simulator.service.settlement.history import run_with
from simulator.service.settlement.pushing import (
    push_again,
    push_target_of,
    remove_push_target,
    set_push_target,
)
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.entities import Deleted
from simulator.web.control.documents.settlement import FilePushList, PushTargetDocument
from simulator.web.control.entities import ONE_MERCHANT
from simulator.web.http.answers import send
from simulator.web.http.route import Route


class PushTargetResource:
    """Where the files of a merchant are pushed to."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Read it, without its secrets."""
        found = push_target_of(self._access.ports(req, identity), merchant)
        send(resp, 200, PushTargetDocument.of(found))

    def on_put(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Push to this server from now on."""
        ports = self._access.ports(req, identity)
        known = one_of(ports.sandbox.merchants, merchant)
        asked = read_document(req, AskedPushTarget)
        aside = self._access.server.aside.of(identity)
        send(resp, 200, PushTargetDocument.of(set_push_target(ports, known.id, asked, aside)))

    def on_delete(self, req: Request, resp: Response, identity: str, merchant: str) -> None:
        """Push no more."""
        remove_push_target(self._access.ports(req, identity), merchant)
        send(resp, 200, Deleted(merchant))


class PushesResource:
    """The pushes of a run."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str, run: str) -> None:
        """Push now what is not pushed yet."""
        ports = self._access.ports(req, identity)
        send(resp, 200, FilePushList.of(push_again(ports, run_with(ports, run))))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(f"{ONE_MERCHANT}/sftp-push", PushTargetResource(access)),
        Route(f"{ONE_SANDBOX}/settlements/{{run}}/pushes", PushesResource(access)),
    )
