"""A gateway that may be a member of a fleet, without the libraries that only a member needs."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING
from wsgiref.types import WSGIApplication

from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.simulators import Acs
from simulator.adapters.store.engine import Engine
from simulator.domain.ports.console import ConsolePorts
from simulator.domain.ports.server import Tokens
from simulator.settings import Settings
from simulator.web.http.answers import BareAnswers

if TYPE_CHECKING:
    from simulator.fleet import FleetSide

MetricsText = Callable[[], bytes]
Served = tuple[
    WSGIApplication,
    Acs,
    BareAnswers,
    MetricsText,
    Callable[[Tokens], WSGIApplication],
]


def fleet_metrics(settings: Settings, engine: Engine, local: MetricsText) -> MetricsText:
    """The text of the metrics: `local` of this process, or of all members of its fleet."""
    if settings.peer_key is None:
        return local
    summed: MetricsText = _fleet().metrics_of(engine, settings.peer_key, local)
    return summed


def join_fleet(
    settings: Settings,
    engine: Engine,
    registry: SandboxRegistry,
    *,
    served: Served,
    console: ConsolePorts,
) -> "FleetSide | None":
    """This gateway as a member that stands before what is `served`; None where it is none. That is
    the merchant API, the ACS, the bodies of answers from neither, the metrics, and payments alone.
    """
    if settings.peer_key is None:
        return None
    fleet = _fleet()
    member: FleetSide = fleet.member_of(
        engine, registry, fleet.Behind(*served), key=settings.peer_key, console=console
    )
    return member


def _fleet() -> ModuleType:
    """The module that needs the extra `postgresql`."""
    return import_module("simulator.fleet")
