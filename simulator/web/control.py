"""The control API: sandboxes and scripts, as JSON, on a key and a prefix of its own.

The server's key opens everything; a sandbox's own key opens that sandbox.
"""

from collections.abc import Mapping
from hmac import compare_digest

import msgspec
from falcon import Request, Response

from scenarios.errors import ScriptError
from scenarios.records import Behaviour
from scenarios.scripts import read_default, show_script
from simulator.domain.hierarchy import AskedSandbox, token_hash
from simulator.domain.ports import Ports, ServerPorts
from simulator.domain.records import Sandbox
from simulator.domain.scripts import armed_scripts
from simulator.grammar.choices import UnknownChoice
from simulator.service import sandboxes as using
from simulator.service.scripts import arm_script, disarm_script, script_with
from simulator.web.answers import send
from simulator.web.door import bearer_token
from simulator.web.errors import BadDocument, TooLarge, Unauthenticated

PREFIX = "/_sandbox/v1"
DOCUMENT_BYTES_MAX = 1024 * 1024


class Keys:
    """Who may use the control API."""

    def __init__(self, server: ServerPorts, control_key: str):
        self._server = server
        self._key_hash = token_hash(control_key)

    def admit(self, req: Request) -> None:
        """Admit the holder of the server's key. Raises Unauthenticated."""
        if not compare_digest(token_hash(bearer_token(req)), self._key_hash):
            raise Unauthenticated("Authorization: expected Bearer and the control key")

    def admit_to(self, req: Request, identity: str) -> Sandbox:
        """The sandbox, for a holder of its key or of the server's. Raises Unauthenticated, UnknownSandbox."""
        sent = token_hash(bearer_token(req))
        if compare_digest(sent, self._key_hash):
            return using.sandbox_with(self._server, identity)
        sandbox = self._server.registry.sandbox(identity)
        if sandbox is None or not compare_digest(sent, sandbox.control_key_hash):
            raise Unauthenticated("Authorization: expected Bearer and the control key")
        return sandbox


class Sandboxes:
    """/_sandbox/v1/sandboxes"""

    def __init__(self, keys: Keys, server: ServerPorts, behaviours: Mapping[str, Behaviour]):
        self._keys, self._server, self._behaviours = keys, server, behaviours

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a sandbox."""
        self._keys.admit(req)
        asked = _asked(req, self._behaviours)
        try:
            send(resp, 201, using.create_sandbox(self._server, asked))
        except UnknownChoice as error:
            raise BadDocument("profile or overrides", "what DECISIONS.md lists", str(error)) from None

    def on_get(self, req: Request, resp: Response) -> None:
        """List the sandboxes."""
        self._keys.admit(req)
        send(resp, 200, {"sandboxes": [_shown(each) for each in self._server.registry.sandboxes()]})


class SandboxById:
    """/_sandbox/v1/sandboxes/{id}"""

    def __init__(self, keys: Keys, server: ServerPorts):
        self._keys, self._server = keys, server

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """Read a sandbox."""
        send(resp, 200, _shown(self._keys.admit_to(req, identity)))

    def on_delete(self, req: Request, resp: Response, identity: str) -> None:
        """Delete a sandbox with everything in it."""
        self._keys.admit_to(req, identity)
        using.delete_sandbox(self._server, identity)
        send(resp, 200, {"id": identity, "deleted": True})

    def on_post_reset(self, req: Request, resp: Response, identity: str) -> None:
        """Empty a sandbox: a new epoch, the same entities and credentials."""
        self._keys.admit_to(req, identity)
        send(resp, 200, _shown(using.reset_sandbox(self._server, identity)))


class Scripts:
    """/_sandbox/v1/sandboxes/{id}/scripts and .../{script}"""

    def __init__(self, keys: Keys, server: ServerPorts, behaviours: Mapping[str, Behaviour]):
        self._keys, self._server, self._behaviours = keys, server, behaviours

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Arm a script."""
        ports = self._ports(req, identity)
        try:
            script = arm_script(ports, _document(req), self._behaviours)
        except ScriptError as error:
            raise BadDocument(error.where, error.expected, error.got) from None
        send(resp, 201, show_script(script))

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """List the scripts, newest first: the order in which they are asked."""
        ports = self._ports(req, identity)
        send(resp, 200, {"scripts": [show_script(script) for script in armed_scripts(ports.store)]})

    def on_get_one(self, req: Request, resp: Response, identity: str, script: str) -> None:
        """Read a script: what it matched, and what it nearly matched."""
        send(resp, 200, show_script(script_with(self._ports(req, identity), script)))

    def on_delete_one(self, req: Request, resp: Response, identity: str, script: str) -> None:
        """Disarm a script."""
        disarm_script(self._ports(req, identity), script)
        send(resp, 200, {"id": script, "deleted": True})

    def _ports(self, req: Request, identity: str) -> Ports:
        self._keys.admit_to(req, identity)
        return self._server.registry.ports(identity)


def _asked(req: Request, behaviours: Mapping[str, Behaviour]) -> AskedSandbox:
    try:
        asked = msgspec.convert(_document(req), AskedSandbox)
        for channel in (channel for merchant in asked.merchants for channel in merchant.channels):
            read_default(channel.get("default_behaviour", "approve"), behaviours)
    except ScriptError as error:
        raise BadDocument(error.where, error.expected, error.got) from None
    return asked


def _document(req: Request) -> object:
    """The JSON body; no body is an empty document. Raises BadDocument, TooLarge."""
    raw = req.bounded_stream.read(DOCUMENT_BYTES_MAX + 1)
    if len(raw) > DOCUMENT_BYTES_MAX:
        raise TooLarge("body", DOCUMENT_BYTES_MAX, len(raw))
    try:
        return msgspec.json.decode(raw) if raw else {}
    except msgspec.DecodeError as error:
        raise BadDocument("body", "a JSON document", str(error)) from None


def _shown(sandbox: Sandbox) -> dict:
    return {
        "id": sandbox.id,
        "epoch": sandbox.epoch,
        "created_at": sandbox.created_at,
        "profile": sandbox.profile,
        "overrides": sandbox.overrides,
        "psp": sandbox.psp,
        "division": sandbox.division,
        "merchants": [
            {"id": merchant.id, "name": merchant.name, "channels": merchant.channels}
            for merchant in sandbox.merchants
        ],
    }
