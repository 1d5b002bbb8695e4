"""/_sandbox/v1/sandboxes/{id}/snapshot and .../restore: a sandbox as one file, and back."""

from falcon import Request, Response
from msgspec import to_builtins

from simulator.domain.core.entities import Sandbox
from simulator.service.sandboxes.snapshots import restore_snapshot, take_snapshot
from simulator.web.control.access import ONE_SANDBOX, PREFIX, ControlAccess
from simulator.web.control.documents.entities import SandboxDocument
from simulator.web.control.entities import places_of, refuse_defaults
from simulator.web.http.answers import send
from simulator.web.http.forms import refuse_coded
from simulator.web.http.route import Route

RESTORE = f"{PREFIX}/sandboxes/restore"
PASSPHRASE = "Sandgate-Passphrase"
FILE = "application/octet-stream"


class SnapshotResource:
    """The snapshot of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Take it, while the sandbox serves."""
        self._access.sandbox(req, identity)
        taken = take_snapshot(self._access.server, identity, req.get_header(PASSPHRASE))
        resp.content_type, resp.content_length = FILE, taken.size
        resp.downloadable_as = f"{identity}.snapshot"
        resp.stream = taken.pieces


class RestoreResource:
    """Where snapshots come back."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response) -> None:
        """Restore one: a new epoch of the sandbox, or the sandbox itself where there is none."""
        self._access.demand_control_key(req)
        refuse_coded(req)
        restored = restore_snapshot(
            self._access.server,
            req.stream,
            req.get_header(PASSPHRASE),
            check=self._refuse_defaults,
        )
        send(resp, 201 if restored.is_new else 200, SandboxDocument.of(restored.sandbox))

    def _refuse_defaults(self, sandbox: Sandbox) -> None:
        for number, merchant in enumerate(sandbox.merchants):
            within = f"sandbox.merchants[{number}]"
            refuse_defaults(self._access, places_of(to_builtins(merchant.channels), within))


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(f"{ONE_SANDBOX}/snapshot", SnapshotResource(access)),
        Route(RESTORE, RestoreResource(access)),
    )
