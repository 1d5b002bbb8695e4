"""What every resource of the control API stands on: who may use it, and reading documents.

The server's key opens everything; a sandbox's own key opens that sandbox.
"""

from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple, TypeVar

from falcon import Request

from scenarios.errors import ScriptError
from scenarios.records import Behaviour
from simulator.client.files.bounded import values_at_most
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.documents import WHOLE, as_record, joined, json_in
from simulator.domain.masking.masking import mask_text
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import ServerPorts
from simulator.domain.transport import HOLDER_KEY
from simulator.grammar.choices import UnknownChoiceError
from simulator.service.sandboxes.sandboxes import sandbox_with
from simulator.web.http.context import Admission, exchange_of
from simulator.web.http.errors import TooLargeError, UnauthenticatedError
from simulator.web.http.forms import read_body, refuse_coded
from simulator.web.http.validation import bearer_token

PREFIX = "/_sandbox/v1"
ONE_SANDBOX = f"{PREFIX}/sandboxes/{{identity}}"
# The longest settings of a sandbox have fewer values. Choice: D-669.
DOCUMENT_BYTES_MAX, VALUES_MAX = 1024 * 1024, 100_000

Document = TypeVar("Document")


class ControlAccess(NamedTuple):
    """The server's ports, the behaviours scripts may name, and the hash of the control key."""

    server: ServerPorts
    behaviours: Mapping[str, Behaviour]
    key_hash: str

    def demand_control_key(self, req: Request) -> None:
        """Admit the holder of the server's key. Raises UnauthenticatedError."""
        if not compare_digest(token_hash(bearer_token(req)), self.key_hash):
            raise UnauthenticatedError("Authorization: expected Bearer and the control key")

    def sandbox(self, req: Request, identity: str) -> Sandbox:
        """The sandbox, for a holder of its key or of the server's. Raises UnauthenticatedError,
        UnknownSandboxError.
        """
        sent = token_hash(bearer_token(req))
        if compare_digest(sent, self.key_hash):
            return sandbox_with(self.server, identity)
        sandbox = self.server.registry.sandbox(identity)
        if sandbox is None or not compare_digest(sent, sandbox.control_key_hash):
            raise UnauthenticatedError("Authorization: expected Bearer and the control key")
        return sandbox

    def ports(self, req: Request, identity: str) -> Ports:
        """The ports of that sandbox, for the same holders."""
        sandbox = self.sandbox(req, identity)
        req.env[HOLDER_KEY] = sandbox.id
        exchange_of(req).admission = Admission(sandbox, lambda: self.sandbox(req, identity))
        return self.server.registry.ports(sandbox.id)


def input_error(error: ScriptError | UnknownChoiceError, *, within: str = "") -> InvalidInputError:
    """What is wrong with a script or a choice, which stands at `within`, as an error of the
    document.
    """
    where = error.where.removeprefix("document") or WHOLE
    return InvalidInputError(joined(within, where), error.expected, mask_text(error.got))


def document_of(req: Request, *, bytes_max: int = DOCUMENT_BYTES_MAX) -> object:
    """The JSON body; no body is an empty document. Raises InvalidInputError, TooLargeError,
    EncodedBodyError.
    """
    raw = read_body(req, bytes_max)
    if not raw:
        return {}
    refuse_coded(req)
    if (values := values_at_most(raw)) > VALUES_MAX:
        raise TooLargeError("values in the body", VALUES_MAX, values)
    return json_in(raw)


def read_document(req: Request, kind: type[Document]) -> Document:
    """The JSON body as a record of `kind`. Raises InvalidInputError that names the member,
    TooLargeError.
    """
    return as_record(document_of(req), kind)
