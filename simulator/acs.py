"""The listener of the directory server and the ACS of 3-D Secure."""

import ssl
from typing import NamedTuple

from simulator.adapters.http.server import Listener, ListenerOptions, open_listener
from simulator.adapters.periodic import go_round
from simulator.adapters.simulators import Acs
from simulator.served import far_host, near_host
from simulator.settings import Settings

NAME = "acs"
ROUND_S = 1.0


class AcsServer(NamedTuple):
    """The listener of directory server and ACS. Browsers reach it at `url`, the gateway at
    `local_url`.
    """

    listener: Listener
    url: str
    local_url: str


def open_acs(
    acs: Acs,
    settings: Settings,
    *,
    options: ListenerOptions,
    tls: ssl.SSLContext | None,
) -> AcsServer:
    """Listen, and expire challenges from now on. Raises AddressInUseError."""
    listener = open_listener(
        NAME,
        (settings.host, 0 if settings.port == 0 else settings.acs_port),
        acs.application,
        options=options,
        tls=tls,
    )
    scheme, port = "http" if tls is None else "https", listener.server_port
    local_url = f"{scheme}://{near_host(settings)}:{port}/"
    url = settings.public_acs_url or f"{scheme}://{far_host(settings)}:{port}/"
    acs.move(url)
    go_round(acs.sweep, ROUND_S)
    return AcsServer(listener, url, local_url)
