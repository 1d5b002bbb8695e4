"""What the gateway says of itself: the OpenAPI documents, the reference, the result codes."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from falcon import Request, Response

from scenarios.schema import SCHEMA
from simulator.catalogue.results import RESULTS
from simulator.derive.documents.reference import reference_page
from simulator.derive.openapi.merchant import openapi_document
from simulator.derive.openapi.trial import trial_document
from simulator.derive.schemas.examples import ENTITY
from simulator.domain.core.background import MANY_PARAMETERS
from simulator.domain.ports.server import Tokens
from simulator.grammar.choices import Choices
from simulator.web.control.description.openapi import control_openapi_document
from simulator.web.http.answers import result_body, send, to_json
from simulator.web.http.context import exchange_of
from simulator.web.http.errors import ForbiddenError
from simulator.web.http.logins import holder_by_token
from simulator.web.http.validation import bearer_token, host_of

FOUND = "000.000.100"
UNFRAMED = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
# Documents kept: one for each set of choices that was asked for, and that of the control API.
DOCUMENTS_MAX = 8
ASIDE = MANY_PARAMETERS + 1


class OpenApiResource:
    """/openapi.json and /_sandbox/openapi.json"""

    def __init__(self, tokens: Tokens):
        self._tokens = tokens
        self._made: dict[tuple[str, Choices | None], bytes] = {}

    def on_get(self, req: Request, resp: Response) -> None:
        """The OpenAPI 3.1 document of the merchant API: in the server's profile, or with an access
        token in that of its sandbox, its examples with an entity of the merchant.

        Raises ForbiddenError for an unknown token.
        """
        self._send_merchant(req, resp, "merchant", openapi_document)

    def on_get_trial(self, req: Request, resp: Response) -> None:
        """The same as the page reads it on which the API is tried out."""

        def make(choices: Choices) -> dict[str, Any]:
            return trial_document(openapi_document(choices))

        self._send_merchant(req, resp, "trial", make)

    def on_get_control(self, req: Request, resp: Response) -> None:
        """The OpenAPI 3.1 document of the control API."""
        made = self._document(req, ("control", None), control_openapi_document)
        _send_tagged(req, resp, made, made)

    def _send_merchant(
        self, req: Request, resp: Response, name: str, make: Callable[[Choices], dict[str, Any]]
    ) -> None:
        entity, choices = ENTITY, exchange_of(req).choices
        if "HTTP_AUTHORIZATION" in req.env:
            token = bearer_token(req)
            principal = self._tokens.principal_of(token) or holder_by_token(self._tokens, token)
            if principal is None or principal.host != host_of(req):
                raise ForbiddenError("the access token is not known on this host")
            entity, choices = next(iter(principal.contexts)), principal.ports.choices
        made = self._document(req, (name, choices), lambda: make(choices))
        _send_tagged(req, resp, made.replace(ENTITY.encode(), entity.encode()), made)

    def _document(
        self, req: Request, key: tuple[str, Choices | None], make: Callable[[], dict[str, Any]]
    ) -> bytes:
        document = self._made.get(key)
        if document is None:
            # It takes a fifth of a second: others are served meanwhile.
            document = exchange_of(req).work(ASIDE, self._made_by_now, key, make)
            while len(self._made) >= DOCUMENTS_MAX:
                self._made.pop(next(iter(self._made)))
            self._made[key] = document
        return document

    def _made_by_now(
        self, key: tuple[str, Choices | None], make: Callable[[], dict[str, Any]]
    ) -> bytes:
        """The document: by its turn, another one who asked for it may have had it made."""
        return self._made.get(key) or to_json(make())


def _send_tagged(req: Request, resp: Response, content: bytes, described: bytes) -> None:
    """Send a document, or 304 to a client that has it.

    The tag is that of `described`: documents that differ in their examples alone say the same.
    """
    tag = sha256(described).hexdigest()[:32]
    resp.set_header("ETag", f'W/"{tag}"')
    resp.set_header("Cache-Control", "no-cache")
    resp.set_header("Vary", "Authorization")
    if tag in (req.if_none_match or ()):
        resp.status, resp.text = 304, ""
    else:
        resp.content_type, resp.data = "application/json", content


class BehaviourSchemaResource:
    """/_sandbox/behaviour.schema.json"""

    def on_get(self, req: Request, resp: Response) -> None:
        """The JSON Schema of behaviours, scripts and their matches."""
        resp.content_type, resp.data = "application/schema+json", SCHEMA.read_bytes()


class ReferenceResource:
    """/reference"""

    def __init__(self) -> None:
        self._made: bytes | None = None

    def on_get(self, req: Request, resp: Response) -> None:
        """Every parameter, every result code, on one page."""
        if self._made is None:
            # It takes a seventh of a second: others are served meanwhile.
            exchange = exchange_of(req)
            self._made = exchange.work(ASIDE, self._made_by_now, exchange.choices)
        resp.content_type = "text/html; charset=utf-8"
        resp.set_header("Content-Security-Policy", UNFRAMED)
        resp.data = self._made

    def _made_by_now(self, choices: Choices) -> bytes:
        """The page: by its turn, another one who asked for it may have had it made."""
        return self._made or reference_page(choices).encode()


class ResultCodesResource:
    """/v1/resultcodes"""

    def on_get(self, req: Request, resp: Response) -> None:
        """List every result code, to anybody."""
        codes = [{"code": row.code, "description": row.text} for row in RESULTS.values()]
        send(resp, 200, {"resultCodes": codes, **result_body(exchange_of(req), FOUND)})
