"""The WSGI application: routes, the error table, and the two things every exchange passes."""

import logging
from collections.abc import Iterable, Mapping
from itertools import chain

import falcon
from falcon import Request, Response
from falcon.constants import COMBINED_METHODS

from scenarios.records import Behaviour
from simulator.catalogue.choices import CHOICES
from simulator.domain.core.ports import Meter
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import ServerPorts, Tokens
from simulator.grammar.choices import choose
from simulator.web import health as watching
from simulator.web import payments, reports
from simulator.web.console import faults as console_faults
from simulator.web.console import routes as console_pages
from simulator.web.console.visits import ConsoleReach
from simulator.web.control.access import ControlAccess
from simulator.web.health import Watch
from simulator.web.http import errors
from simulator.web.http.answers import result_body, send
from simulator.web.http.context import Exchange, exchange_of
from simulator.web.http.counting import MERCHANT, Counting
from simulator.web.http.journaling import JournalMiddleware
from simulator.web.http.routing import Router, as_framework_router
from simulator.web.http.validation import RequestValidator
from simulator.web.routes import control_routes, document_routes, merchant_routes, page_routes
from simulator.web.shown_access import ShownAccess

LOG = logging.getLogger("sandgate.web")
NO_STORE = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))


def create_api(
    server: ServerPorts,
    tokens: Tokens,
    *,
    control_key: str,
    behaviours: Mapping[str, Behaviour],
    watch: Watch,
    shown: ShownAccess,
    console: ConsolePorts,
    reach: ConsoleReach,
    require_tls: bool = False,
) -> "falcon.App[Request, Response]":
    """The gateway as a WSGI application. Every answer of any status is JSON with a result,
    but for pages.

    `shown` has the credentials that its pages show to people.
    """
    access = ControlAccess(server, behaviours, token_hash(control_key))
    validator = RequestValidator(tokens)
    groups = {
        MERCHANT: merchant_routes(validator, server.registry),
        "control": control_routes(access, console, reach.shared),
        "console": console_pages.routes(console, reach),
        "pages": page_routes(server, validator),
        "documents": document_routes(tokens, shown, console),
        "watching": watching.routes(access, watch),
    }
    routes = tuple(chain.from_iterable(groups.values()))
    counting, envelope = Counting(watch.meter, groups), Envelope(server, require_tls=require_tls)
    router = Router(routes)
    middleware = (counting, JournalMiddleware(server), envelope, KnownMethods(router.methods))
    app = falcon.App(middleware=middleware, router=as_framework_router(router))
    app.req_options.strip_url_path_trailing_slash = True
    errors.install(app, [route.path for route in routes], console_faults.shown_by(console))
    return app


def create_payments_api(
    server: ServerPorts, tokens: Tokens, *, meter: Meter, require_tls: bool
) -> "falcon.App[Request, Response]":
    """Payments and reports alone, for sandboxes that have their home at another gateway. Raises
    HomeNeededError where that has to answer.
    """
    validator = RequestValidator(tokens)
    routes = (*payments.routes(validator), *reports.routes(validator))
    counting = Counting(meter, {MERCHANT: routes})
    envelope = Envelope(server, require_tls=require_tls)
    middleware = (counting, JournalMiddleware(server), envelope)
    app = falcon.App(middleware=middleware, router=as_framework_router(Router(routes)))
    errors.install(app, [route.path for route in routes])
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


class KnownMethods:
    """Answers methods that the framework does not know as those a path does not have.
    Choice: D-39.
    """

    def __init__(self, methods: Mapping[str, Iterable[str]]):
        self._methods = methods

    def process_resource(
        self, req: Request, resp: Response, resource: object, params: object
    ) -> None:
        """Raise HTTPMethodNotAllowed for a method outside the standards."""
        if req.method not in COMBINED_METHODS:
            raise falcon.HTTPMethodNotAllowed(self._methods[req.uri_template or ""])


def _log(where: str, ndc: str, error: Exception) -> None:
    LOG.error("fault: %s", where, exc_info=error, extra={"ndc": ndc})
