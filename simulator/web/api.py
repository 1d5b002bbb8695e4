"""The WSGI application: routes, the error table, and the two things every exchange passes."""

import logging
from collections.abc import Mapping
from itertools import chain

import falcon
from falcon import Request, Response

from scenarios.records import Behaviour
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.server_ports import ServerPorts, Tokens
from simulator.domain.merchants.tokens import token_hash
from simulator.grammar.choices import choose
from simulator.web import health as watching
from simulator.web.control.access import ControlAccess
from simulator.web.health import Watch
from simulator.web.http import errors
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import Exchange, exchange_of
from simulator.web.http.counting import MERCHANT, Counting
from simulator.web.http.journaling import JournalMiddleware
from simulator.web.http.validation import RequestValidator
from simulator.web.routes import control_routes, document_routes, merchant_routes, page_routes

LOG = logging.getLogger("sandgate.web")
NO_STORE = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))


def create_api(
    server: ServerPorts,
    tokens: Tokens,
    *,
    control_key: str,
    behaviours: Mapping[str, Behaviour],
    watch: Watch,
    require_tls: bool = False,
) -> "falcon.App[Request, Response]":
    """The gateway as a WSGI application. Every answer of any status is JSON with a result."""
    access = ControlAccess(server, behaviours, token_hash(control_key))
    groups = {
        MERCHANT: merchant_routes(RequestValidator(tokens), server.registry),
        "control": control_routes(access),
        "pages": page_routes(server),
        "documents": document_routes(),
        "watching": watching.routes(access, watch),
    }
    counting, envelope = Counting(watch.meter, groups), Envelope(server, require_tls=require_tls)
    app = falcon.App(middleware=(counting, JournalMiddleware(server), envelope))
    app.req_options.strip_url_path_trailing_slash = True
    errors.install(app)
    for route in chain.from_iterable(groups.values()):
        app.add_route(route.path, route.resource, suffix=route.suffix)
    return app


class Envelope:
    """What every exchange passes: TLS first, an exchange to answer from, and an answer that has a
    body.
    """

    def __init__(self, server: ServerPorts, *, require_tls: bool):
        self._server = server
        self._require_tls = require_tls
        self._choices = choose(CHOICES, server.profile, server.overrides)

    def process_request(self, req: Request, resp: Response) -> None:
        """Begin the exchange. Raises TlsRequiredError."""
        server = self._server
        req.context.exchange = Exchange(
            server.clock, server.ids, self._choices, _log, aside=server.aside
        )
        resp.set_headers(NO_STORE)
        if self._require_tls and req.scheme != "https":
            raise errors.TlsRequiredError("expected https, got http")

    def process_response(
        self, req: Request, resp: Response, resource: object, req_succeeded: bool
    ) -> None:
        """Give an answer without a body, such as that of OPTIONS, a result (Choice: D-39)."""
        if resp.data is None and resp.text is None and resp.stream is None:
            send(resp, 200, result_body(exchange_of(req), "000.000.100"))


def _log(where: str, ndc: str, error: Exception) -> None:
    LOG.error("fault: %s", where, exc_info=error, extra={"ndc": ndc})
