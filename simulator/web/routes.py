"""Every route of the gateway: one row a path.

A test compares the merchant API with the operations of the catalogue.
"""

from simulator.domain.core.server_ports import Registry, ServerPorts
from simulator.web import checkouts, payments, registrations, risk, schedules
from simulator.web import reports as query
from simulator.web.api_description import (
    DocsResource,
    OpenApiResource,
    ReferenceResource,
    ResultCodesResource,
)
from simulator.web.control import (
    clock,
    entities,
    inbox,
    journal,
    sandboxes,
    scripts,
    snapshots,
    tokens,
    wallets,
    webhooks,
)
from simulator.web.control import form_capabilities as capabilities
from simulator.web.control import reconciliation as books
from simulator.web.control import throttling as throttle
from simulator.web.control.access import ControlAccess
from simulator.web.form import script
from simulator.web.form.authentication import CheckoutValidator
from simulator.web.http.route import Route
from simulator.web.http.validation import RequestValidator
from simulator.web.redirects import pages as redirects
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
        + risk.routes(validator)
        + three_d_secure.routes(validator)
    )


def page_routes(server: ServerPorts) -> tuple[Route, ...]:
    """Pages for shoppers: they carry no token, and name their sandbox in the path."""
    return redirects.routes(server) + authentication_pages.routes(server) + script.routes()


def document_routes() -> tuple[Route, ...]:
    """What the gateway says of itself, to anybody."""
    openapi, docs = OpenApiResource(), DocsResource()
    return (
        Route("/openapi.json", openapi),
        Route("/_sandbox/openapi.json", openapi, "control"),
        Route("/docs", docs),
        Route("/docs/{asset}", docs, "asset"),
        Route("/reference", ReferenceResource()),
        Route("/v1/resultcodes", ResultCodesResource()),
    )


def control_routes(access: ControlAccess) -> tuple[Route, ...]:
    """The control API."""
    return (
        sandboxes.routes(access)
        + entities.routes(access)
        + tokens.routes(access)
        + snapshots.routes(access)
        + scripts.routes(access)
        + capabilities.routes(access)
        + wallets.routes(access)
        + webhooks.routes(access)
        + inbox.routes(access)
        + clock.routes(access)
        + books.routes(access)
        + throttle.routes(access)
        + journal.routes(access)
    )
