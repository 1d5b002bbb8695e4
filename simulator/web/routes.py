"""Every route of the gateway: one row a path.

A test compares the merchant API with the operations of the catalogue.
"""

from simulator.web.control import (
    clock,
    entities,
    inbox,
    journal,
    sandboxes,
    scripts,
    snapshots,
    throttle,
    tokens,
    webhooks,
)
from simulator.web.control.desk import Desk
from simulator.web.documents import Docs, OpenApi, Reference
from simulator.web.door import Door
from simulator.web.payments import PaymentById, Payments
from simulator.web.route import Route


def merchant_routes(door: Door) -> tuple[Route, ...]:
    """The merchant API. Source: Endpoints."""
    return (
        Route("/v1/payments", Payments(door)),
        Route("/v1/payments/{identity}", PaymentById(door)),
    )


def document_routes() -> tuple[Route, ...]:
    """What the gateway says of itself, to anybody."""
    openapi, docs = OpenApi(), Docs()
    return (
        Route("/openapi.json", openapi),
        Route("/_sandbox/openapi.json", openapi, "control"),
        Route("/docs", docs),
        Route("/docs/{asset}", docs, "asset"),
        Route("/reference", Reference()),
    )


def control_routes(desk: Desk) -> tuple[Route, ...]:
    """The control API."""
    return (
        sandboxes.routes(desk)
        + entities.routes(desk)
        + tokens.routes(desk)
        + snapshots.routes(desk)
        + scripts.routes(desk)
        + webhooks.routes(desk)
        + inbox.routes(desk)
        + clock.routes(desk)
        + throttle.routes(desk)
        + journal.routes(desk)
    )
