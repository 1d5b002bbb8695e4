"""Every route of the gateway: one row a path. A test compares them with the operations of the catalogue."""

from collections.abc import Mapping
from typing import NamedTuple

from scenarios.records import Behaviour
from simulator.domain.ports import ServerPorts
from simulator.web.control import PREFIX, Keys, SandboxById, Sandboxes, Scripts
from simulator.web.documents import Docs, OpenApi, Reference
from simulator.web.door import Door
from simulator.web.payments import PaymentById, Payments


class Route(NamedTuple):
    """A path, the resource behind it, and the suffix of its responders."""

    path: str
    resource: object
    suffix: str | None = None


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


def control_routes(
    keys: Keys, server: ServerPorts, behaviours: Mapping[str, Behaviour]
) -> tuple[Route, ...]:
    """The control API."""
    sandboxes = Sandboxes(keys, server, behaviours)
    sandbox = SandboxById(keys, server)
    scripts = Scripts(keys, server, behaviours)
    one = f"{PREFIX}/sandboxes/{{identity}}"
    return (
        Route(f"{PREFIX}/sandboxes", sandboxes),
        Route(one, sandbox),
        Route(f"{one}/reset", sandbox, "reset"),
        Route(f"{one}/scripts", scripts),
        Route(f"{one}/scripts/{{script}}", scripts, "one"),
    )
