"""The simulators of the parties behind the gateway: what it needs of them, and where they are.

The gateway imports none of them, as it imports none of the programs beside it: it finds them by the
name of a module, and knows them by what is written here.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol
from wsgiref.types import WSGIApplication

from simulator.adapters.acquiring.connections import LinkConnection
from simulator.domain.core.entities import Channel
from simulator.domain.core.ports import Addresses, Clock, InFlightCounter, Store
from simulator.domain.ports.clearing import ClearingInstitutes
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import Registry
from simulator.domain.ports.simulators import Acquirer, RiskSystem
from simulator.domain.steering.order import SteeringRules
from simulator.domain.wallets import Keyring, Recipient, TokenOrder

STANDARD = "acquirer_mocks.simulators"

Channels = Mapping[str, Channel]
RiskSystemFactory = Callable[[Store, Channels, Clock, InFlightCounter], RiskSystem]


class AcquirerSurroundings(NamedTuple):
    """What the acquirer of a sandbox is given, and the issuer behind it.

    `seed` seeds its random numbers. `zone_key` gives the TDES key, 16 bytes, under which PIN blocks
    come to it, or None while there is none.
    """

    store: Store
    channels: Channels
    clock: Clock
    seed: int | None
    zone_key: Callable[[], bytes | None]


AcquirerFactory = Callable[[AcquirerSurroundings], Acquirer]


class CardMessageServer(Protocol):
    """The card hosts of all sandboxes."""

    def serve(self, line: LinkConnection) -> None:
        """Answer everything that comes on a line, until it is closed."""


class Acs(NamedTuple):
    """Directory server and ACS of 3-D Secure, without a listener.

    `move` says where browsers reach them; `sweep` expires the challenges that are due.
    """

    application: WSGIApplication
    move: Callable[[str], None]
    sweep: Callable[[], None]


class AcsSurroundings(NamedTuple):
    """What directory server and ACS are given.

    `ca` signed the certificate of the gateway; the gateway sends `key` with its messages.
    """

    registry: Registry
    addresses: Addresses
    ca: Path
    key: str


class Simulators(NamedTuple):
    """How each simulator is created; the clearing institutes are the same for all sandboxes."""

    create_acquirer_factory: Callable[[SteeringRules], AcquirerFactory]
    create_risk_system_factory: Callable[[SteeringRules], RiskSystemFactory]
    create_card_host: Callable[[Callable[[str], Ports]], CardMessageServer]
    create_acs: Callable[[AcsSurroundings], Acs]
    new_keyring: Callable[[], Keyring]
    make_token: Callable[[TokenOrder, Keyring, Recipient, datetime], str]
    clearing: ClearingInstitutes


def load_simulators(module: str = STANDARD) -> Simulators:
    """The simulators that a module provides as SIMULATORS."""
    provided: Simulators = import_module(module).SIMULATORS
    return provided
