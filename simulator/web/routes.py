"""Every route of the gateway: one row a path.

A test compares the merchant API with the operations of the catalogue.
"""

from simulator.domain.core.server_ports import Registry, ServerPorts
from simulator.web import checkouts, payments, registrations, risk, schedules
from simulator.web import reports as query
from simulator.web.api_description import Docs, OpenApi, Reference, ResultCodes
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
from simulator.web.control.base import Desk
from simulator.web.form import script
from simulator.web.form.authentication import CheckoutDoor
from simulator.web.http.admission import Door
from simulator.web.http.route import Route
from simulator.web.redirects import pages as redirects
from simulator.web.three_d_secure import pages as authentication_pages
from simulator.web.three_d_secure import resources as three_d_secure


def merchant_routes(door: Door, registry: Registry) -> tuple[Route, ...]:
    """The merchant API. Source: Endpoints."""
    return (
        payments.routes(door)
        + checkouts.routes(CheckoutDoor(door, registry))
        + registrations.routes(door)
        + schedules.routes(door)
        + query.routes(door)
        + risk.routes(door)
        + three_d_secure.routes(door)
    )


def page_routes(server: ServerPorts) -> tuple[Route, ...]:
    """Pages for shoppers: they carry no token, and name their sandbox in the path."""
    return redirects.routes(server) + authentication_pages.routes(server) + script.routes()


def document_routes() -> tuple[Route, ...]:
    """What the gateway says of itself, to anybody."""
    openapi, docs = OpenApi(), Docs()
    return (
        Route("/openapi.json", openapi),
        Route("/_sandbox/openapi.json", openapi, "control"),
        Route("/docs", docs),
        Route("/docs/{asset}", docs, "asset"),
        Route("/reference", Reference()),
        Route("/v1/resultcodes", ResultCodes()),
    )


def control_routes(desk: Desk) -> tuple[Route, ...]:
    """The control API."""
    return (
        sandboxes.routes(desk)
        + entities.routes(desk)
        + tokens.routes(desk)
        + snapshots.routes(desk)
        + scripts.routes(desk)
        + capabilities.routes(desk)
        + wallets.routes(desk)
        + webhooks.routes(desk)
        + inbox.routes(desk)
        + clock.routes(desk)
        + books.routes(desk)
        + throttle.routes(desk)
        + journal.routes(desk)
    )
