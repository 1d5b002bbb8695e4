"""Builds the directory server and the ACS of 3-D Secure, and their listener.

The servers themselves are in acquirer_mocks/three_d_secure.
"""

import os
import secrets
import ssl
import time
import uuid
from base64 import b64encode
from collections.abc import Callable
from typing import NamedTuple

from acquirer_mocks.three_d_secure.access_control import AccessControl, AcsPorts, RandomSource
from acquirer_mocks.three_d_secure.application import BODY_BYTES_MAX, AcsParts, create_acs_app
from acquirer_mocks.three_d_secure.directory import Carrier, SimulatedDirectoryServer
from acquirer_mocks.three_d_secure.signing import Signer
from simulator.adapters.clock import RealClock
from simulator.adapters.http.server import Limits, Listener, open_listener
from simulator.adapters.periodic import go_round
from simulator.adapters.three_d_secure.json_link import JsonLink
from simulator.domain.core.errors import DamagedLogError, EpochEndedError
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.ports import Addresses, Ports
from simulator.domain.core.server_ports import Registry
from simulator.settings import Settings

NAME = "acs"
ROUND_S = 1.0
CODES = 1_000_000
VALUE_BYTES = 20


class AcsServer(NamedTuple):
    """The listener of directory server and ACS. Browsers reach it at `url`, the gateway at
    `local_url`.
    """

    listener: Listener
    url: str
    local_url: str


def build_acs(registry: Registry, reach: Addresses, settings: Settings) -> AcsParts:
    """The directory server and the ACS, not listening yet."""
    link = JsonLink(ca=settings.data / "tls" / "ca.pem")
    carrier = Carrier(
        link.post, ours=lambda: tuple(reach.base(host) for host in HOSTS), wait=time.sleep
    )
    signer = Signer()
    around = AcsPorts(
        world_of=lambda identity: sandbox_ports(registry, identity),
        real=RealClock().now,
        chance=RandomSource(uuid=_uuid, code=_code, value=_value),
        signer=signer,
        tell=carrier.tell,
    )
    acs = AccessControl(around)
    directory = SimulatedDirectoryServer(acs, carrier, world_of=around.world_of, uuid=_uuid)
    return AcsParts(directory, acs, signer)


def open_acs(
    parts: AcsParts,
    settings: Settings,
    *,
    answer: Callable[[int], bytes],
    tls: ssl.SSLContext | None,
) -> AcsServer:
    """Listen, and expire challenges from now on. Raises AddressInUseError."""
    listener = open_listener(
        NAME,
        (settings.host, 0 if settings.port == 0 else settings.acs_port),
        create_acs_app(parts),
        answer=answer,
        limits=Limits(body_bytes_max=BODY_BYTES_MAX),
        tls=tls,
    )
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    scheme = "http" if tls is None else "https"
    local_url = f"{scheme}://{host}:{listener.server_port}/"
    parts.acs.base_url = settings.public_acs_url or local_url
    go_round(parts.acs.sweep, ROUND_S)
    return AcsServer(listener, parts.acs.base_url, local_url)


def sandbox_ports(registry: Registry, identity: str) -> Ports | None:
    """The ports of a sandbox; None if it does not exist or cannot be loaded."""
    if not identity or registry.sandbox(identity) is None:
        return None
    try:
        return registry.ports(identity)
    except (EpochEndedError, DamagedLogError):
        return None


def _uuid() -> str:
    return str(uuid.uuid4())


def _code() -> str:
    return f"{secrets.randbelow(CODES):06d}"


def _value() -> str:
    return b64encode(os.urandom(VALUE_BYTES)).decode()
