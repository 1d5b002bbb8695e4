"""Builds the simulators that run inside the gateway: acquirer and risk system of each sandbox."""

from collections.abc import Callable, Mapping

from acquirer_mocks.internal import InternalAcquirer
from acquirer_mocks.risk_system import SimulatedRiskSystem
from scenarios.steering.order import SteeringRules
from simulator.domain.core.entities import Channel
from simulator.domain.core.ports import Clock, Store
from simulator.domain.scripts import armed_scripts

Channels = Mapping[str, Channel]


def create_acquirer_factory(
    rules: SteeringRules,
) -> Callable[[Store, Channels, Clock, int | None], InternalAcquirer]:
    """A function that creates the acquirer of a sandbox; an int seeds its random numbers."""

    def acquirer(
        store: Store, channels: Channels, clock: Clock, seed: int | None
    ) -> InternalAcquirer:
        return InternalAcquirer(
            rules,
            scripts=lambda: armed_scripts(store),
            channel_of=channels.__getitem__,
            store=store,
            clock=clock,
            seeded=seed is not None,
        )

    return acquirer


def create_risk_system_factory(
    rules: SteeringRules,
) -> Callable[[Store, Channels], SimulatedRiskSystem]:
    """A function that creates the risk system of a sandbox from its store and channels."""

    def risk_system(store: Store, channels: Channels) -> SimulatedRiskSystem:
        return SimulatedRiskSystem(
            rules.behaviours,
            store,
            scripts=lambda: armed_scripts(store),
            channel_of=channels.__getitem__,
        )

    return risk_system
