"""Builds the directory server and the ACS of 3-D Secure."""

import os
import secrets
import time
import uuid
from base64 import b64encode
from hmac import compare_digest

from acquirer_mocks.three_d_secure.access_control import AccessControl, AcsPorts, RandomSource
from acquirer_mocks.three_d_secure.application import AcsParts, create_acs_app
from acquirer_mocks.three_d_secure.directory import Carrier, SimulatedDirectoryServer
from acquirer_mocks.three_d_secure.signing import Signer
from simulator.adapters.clock import RealClock
from simulator.adapters.periodic import OneOfEach
from simulator.adapters.simulators import Acs, AcsSurroundings
from simulator.adapters.three_d_secure.json_link import JsonLink
from simulator.domain.core.errors import DamagedLogError, EpochEndedError
from simulator.domain.core.hosts import HOSTS
from simulator.domain.merchants.tokens import token_hash
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import Registry

CODES = 1_000_000
VALUE_BYTES = 20


def create_acs(around: AcsSurroundings) -> Acs:
    """The directory server and the ACS, not listening yet."""
    registry, reach = around.registry, around.addresses
    carrier = Carrier(
        JsonLink(ca=around.ca).post,
        ours=lambda: tuple(reach.base(host) for host in HOSTS),
        wait=time.sleep,
    )
    signer = Signer()
    ports = AcsPorts(
        world_of=lambda identity: sandbox_ports(registry, identity),
        real=RealClock().now,
        chance=RandomSource(uuid=_uuid, code=_code, value=_value),
        signer=signer,
        tell=carrier.tell,
        begin=OneOfEach().begin,
    )
    acs = AccessControl(ports)
    directory = SimulatedDirectoryServer(
        acs,
        carrier,
        world_of=ports.world_of,
        has_key=lambda sent, identity: _is_key_of(registry, identity, sent, around.key),
        uuid=_uuid,
    )
    application = create_acs_app(AcsParts(directory, acs, signer, carrier.may_reach))
    return Acs(application, move=acs.move, sweep=acs.sweep)


def sandbox_ports(registry: Registry, identity: str) -> Ports | None:
    """The ports of a sandbox; None if it does not exist or cannot be loaded."""
    if not identity or registry.sandbox(identity) is None:
        return None
    try:
        return registry.ports(identity)
    except (EpochEndedError, DamagedLogError):
        return None


def _is_key_of(registry: Registry, identity: str, sent: str, key: str) -> bool:
    """Whether `sent` is the key of the gateway, or the control key of the sandbox."""
    if compare_digest(token_hash(sent), token_hash(key)):
        return True
    sandbox = registry.sandbox(identity)
    return sandbox is not None and compare_digest(token_hash(sent), sandbox.control_key_hash)


def _uuid() -> str:
    return str(uuid.uuid4())


def _code() -> str:
    return f"{secrets.randbelow(CODES):06d}"


def _value() -> str:
    return b64encode(os.urandom(VALUE_BYTES)).decode()
