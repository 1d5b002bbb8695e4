"""Builds the simulators that run inside the gateway: acquirer and risk system of each sandbox."""

from collections.abc import Callable, Mapping

from acquirer_mocks.internal import InternalAcquirer
from acquirer_mocks.risk_system import RiskSystem
from scenarios.steering.order import Rules
from simulator.domain.core.entities import Channel
from simulator.domain.core.ports import Clock, Store
from simulator.domain.scripts import armed_scripts

Channels = Mapping[str, Channel]


def acquirers_by(rules: Rules) -> Callable[[Store, Channels, Clock, int | None], InternalAcquirer]:
    """What makes the acquirer of a sandbox, of its store, channels, clock and seed."""

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


def risk_systems_by(rules: Rules) -> Callable[[Store, Channels], RiskSystem]:
    """What makes the risk system of a sandbox, of its store and channels."""

    def risk_system(store: Store, channels: Channels) -> RiskSystem:
        return RiskSystem(
            rules.behaviours,
            store,
            scripts=lambda: armed_scripts(store),
            channel_of=channels.__getitem__,
        )

    return risk_system
