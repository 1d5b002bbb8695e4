"""What this package provides to a gateway: how each simulator is created."""

from functools import partial

from acquirer_mocks.card_host import CardHost
from acquirer_mocks.internal import InternalAcquirer
from acquirer_mocks.risk_system import SimulatedRiskSystem
from acquirer_mocks.settlement.clearing import SimulatedInstitutes
from acquirer_mocks.three_d_secure.building import create_acs
from acquirer_mocks.wallet_provider import make_token, new_keyring
from simulator.adapters.simulators import (
    AcquirerFactory,
    AcquirerSurroundings,
    Channels,
    RiskSystemFactory,
    Simulators,
)
from simulator.domain.core.ports import Clock, InFlightCounter, Store
from simulator.domain.scripts import armed_scripts
from simulator.domain.steering.order import SteeringRules


def create_acquirer_factory(rules: SteeringRules) -> AcquirerFactory:
    """A function that creates the acquirer of a sandbox."""

    def acquirer(around: AcquirerSurroundings) -> InternalAcquirer:
        return InternalAcquirer(
            rules,
            scripts=partial(armed_scripts, around.store),
            channel_of=around.channels.__getitem__,
            store=around.store,
            clock=around.clock,
            zone_key=around.zone_key,
            seeded=around.seed is not None,
        )

    return acquirer


def create_risk_system_factory(rules: SteeringRules) -> RiskSystemFactory:
    """A function that creates the risk system of a sandbox."""

    def risk_system(
        store: Store, channels: Channels, clock: Clock, in_flight: InFlightCounter
    ) -> SimulatedRiskSystem:
        return SimulatedRiskSystem(
            rules.behaviours,
            store,
            clock=clock,
            in_flight=in_flight,
            scripts=partial(armed_scripts, store),
            channel_of=channels.__getitem__,
        )

    return risk_system


SIMULATORS = Simulators(
    create_acquirer_factory=create_acquirer_factory,
    create_risk_system_factory=create_risk_system_factory,
    create_card_host=CardHost,
    create_acs=create_acs,
    new_keyring=new_keyring,
    make_token=make_token,
    clearing=SimulatedInstitutes(),
)
