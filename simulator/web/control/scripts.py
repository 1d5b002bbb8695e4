"""/_sandbox/v1/sandboxes/{id}/scripts: arm, list, read and disarm them."""

import msgspec
from falcon import Request, Response

from scenarios.errors import ScriptError
from simulator.domain.core.records import Script
from simulator.domain.scripts import counted_scripts
from simulator.domain.steering.scripts import show_script
from simulator.service.scripts import arm_script, counted_script, disarm_script
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, document_of, input_error
from simulator.web.control.documents.entities import Deleted, ScriptDocument, ScriptList
from simulator.web.http.answers import send
from simulator.web.http.route import Route

# A sandbox may have hundreds of them, and each that fits a payment is stored anew with it.
SCRIPT_BYTES_MAX = 4 * 1024


class ScriptsResource:
    """The scripts of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Arm a script."""
        ports = self._access.ports(req, identity)
        try:
            document = document_of(req, bytes_max=SCRIPT_BYTES_MAX)
            script = arm_script(ports, document, self._access.behaviours)
        except ScriptError as error:
            raise input_error(error) from None
        send(resp, 201, _document_of(script))

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List the scripts, newest first."""
        ports = self._access.ports(req, identity)
        send(resp, 200, ScriptList(tuple(map(_document_of, counted_scripts(ports.store)))))


class ScriptResource:
    """One of them."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, script: str) -> None:
        """Read a script: what it matched, and what it nearly matched."""
        send(resp, 200, _document_of(counted_script(self._access.ports(req, identity), script)))

    def on_delete(self, req: Request, resp: Response, identity: str, script: str) -> None:
        """Disarm a script."""
        disarm_script(self._access.ports(req, identity), script)
        send(resp, 200, Deleted(script))


def _document_of(script: Script) -> ScriptDocument:
    """A script as a document: what arms it again, what it has counted, and its state."""
    return msgspec.convert(show_script(script), ScriptDocument)


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    return (
        Route(f"{ONE_SANDBOX}/scripts", ScriptsResource(access)),
        Route(f"{ONE_SANDBOX}/scripts/{{script}}", ScriptResource(access)),
    )
