"""/_sandbox/v1/sandboxes/{id}/snapshot and .../restore: a sandbox as one file, and back."""

from falcon import Request, Response

from simulator.service.sandboxes.snapshots import restore_snapshot, take_snapshot
from simulator.web.control.base import ONE_SANDBOX, PREFIX, Desk
from simulator.web.control.sandboxes import shown
from simulator.web.http.answers import send
from simulator.web.http.forms import refuse_coded
from simulator.web.http.route import Route

RESTORE = f"{PREFIX}/sandboxes/restore"
PASSPHRASE = "Sandgate-Passphrase"
FILE = "application/octet-stream"


class Snapshot:
    """The snapshot of a sandbox."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Take it, while the sandbox serves."""
        self._desk.sandbox(req, identity)
        taken = take_snapshot(self._desk.server, identity, req.get_header(PASSPHRASE))
        resp.content_type, resp.content_length = FILE, taken.size
        resp.downloadable_as = f"{identity}.snapshot"
        resp.stream = taken.pieces


class Restore:
    """Where snapshots come back."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def on_post(self, req: Request, resp: Response) -> None:
        """Restore one: a new epoch of the sandbox, or the sandbox itself where there is none."""
        self._desk.admit(req)
        refuse_coded(req)
        restored = restore_snapshot(self._desk.server, req.stream, req.get_header(PASSPHRASE))
        send(resp, 201 if restored.is_new else 200, shown(restored.sandbox))


def routes(desk: Desk) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(f"{ONE_SANDBOX}/snapshot", Snapshot(desk)),
        Route(RESTORE, Restore(desk)),
    )
