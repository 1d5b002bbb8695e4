"""Every route of the gateway: one row a path.

A test compares the merchant API with the operations of the catalogue.
"""

from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import Registry, ServerPorts, Tokens
from simulator.web import (
    checkouts,
    payments,
    reconciliations,
    registrations,
    risk,
    schedules,
    trials,
)
from simulator.web import reports as query
from simulator.web.api_description import (
    BehaviourSchemaResource,
    OpenApiResource,
    ReferenceResource,
    ResultCodesResource,
)
from simulator.web.control import (
    clock,
    entities,
    holding,
    inbox,
    journal,
    people,
    pushes,
    sandboxes,
    scripts,
    settlements,
    snapshots,
    terminals,
    tokens,
    wallets,
    webhooks,
)
from simulator.web.control import form_capabilities as capabilities
from simulator.web.control import reconciliation as books
from simulator.web.control import throttling as throttle
from simulator.web.control.access import PREFIX, ControlAccess
from simulator.web.docs_pages import DocsResource
from simulator.web.form import frames, opening, script, standalone, wallet
from simulator.web.form.authentication import CheckoutValidator
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator
from simulator.web.landing import LandingResource
from simulator.web.redirects import pages as redirects
from simulator.web.shown_access import ShownAccess
from simulator.web.three_d_secure import pages as authentication_pages
from simulator.web.three_d_secure import resources as three_d_secure


def merchant_routes(validator: RequestValidator, registry: Registry) -> tuple[Route, ...]:
    """The merchant API. Source: Endpoints."""
    return (
        payments.routes(validator)
        + checkouts.routes(CheckoutValidator(validator, registry))
        + registrations.routes(validator)
        + schedules.routes(validator)
        + query.routes(validator)
        + reconciliations.routes(validator)
        + risk.routes(validator)
        + three_d_secure.routes(validator)
    )


def page_routes(server: ServerPorts, validator: RequestValidator) -> tuple[Route, ...]:
    """Pages for shoppers: they carry no token, and name their sandbox in the path."""
    return (
        redirects.routes(server)
        + authentication_pages.routes(server)
        + script.routes()
        + frames.routes()
        + standalone.routes(server.registry)
        + opening.routes(server.registry)
        + checkouts.form_routes(CheckoutValidator(validator, server.registry))
        + wallet.routes(server.registry)
    )


def document_routes(tokens: Tokens, shown: ShownAccess, console: ConsolePorts) -> tuple[Route, ...]:
    """What the gateway says of itself, to anybody; `shown` has the credentials it may show."""
    openapi, docs = OpenApiResource(tokens), DocsResource(shown)
    return (
        Route("/", LandingResource(shown)),
        *trials.routes(console, shown),
        Route("/openapi.json", openapi),
        Route("/_sandbox/openapi.json", openapi, "control"),
        Route(f"{PREFIX}/openapi.json", openapi, "control"),
        Route("/_sandbox/behaviour.schema.json", BehaviourSchemaResource()),
        Route("/docs", docs),
        Route("/docs/openapi.json", openapi, "trial"),
        Route("/docs/{asset}", docs, "asset"),
        Route("/_sandbox/docs", docs, "control"),
        Route("/reference", ReferenceResource()),
        Route("/v1/resultcodes", ResultCodesResource()),
    )


def control_routes(
    access: ControlAccess, console: ConsolePorts, shared: people.Origin
) -> tuple[Route, ...]:
    """The control API."""
    return (
        sandboxes.routes(access)
        + entities.routes(access)
        + tokens.routes(access)
        + snapshots.routes(access)
        + scripts.routes(access)
        + holding.routes(access)
        + capabilities.routes(access)
        + wallets.routes(access)
        + terminals.routes(access)
        + webhooks.routes(access)
        + inbox.routes(access)
        + clock.routes(access)
        + books.routes(access)
        + settlements.routes(access)
        + pushes.routes(access)
        + throttle.routes(access)
        + journal.routes(access)
        + people.routes(access, console, shared)
    )
