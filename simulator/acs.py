"""The listener of the directory server and the ACS of 3-D Secure."""

import re
import ssl
from collections.abc import Iterable
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication

from simulator.adapters.http.server import Listener, ListenerOptions, open_listener
from simulator.adapters.periodic import go_round
from simulator.adapters.simulators import Acs
from simulator.domain.core.hosts import ACS, BESIDE
from simulator.served import far_host, near_host
from simulator.settings import Settings

ROUND_S = 1.0
# Those for browsers; in a fleet they begin with the member that has the challenge.
PAGES = re.compile(r"(?:/members/[0-9]{1,9})?/acs/.*", re.DOTALL)


class AcsServer(NamedTuple):
    """The listener of directory server and ACS. Browsers reach it at `url`, the gateway at
    `local_url`.
    """

    listener: Listener
    url: str
    local_url: str


class AcsBeside:
    """The pages of the ACS beside those of the gateway, for a browser that opened one of these
    where it blocks a frame of the ACS at its own address. Choice: D-711.
    """

    def __init__(self, gateway: WSGIApplication, acs: WSGIApplication, *, require_tls: bool):
        self._gateway = gateway
        self._acs = acs
        self._schemes = ("https",) if require_tls else ("http", "https")

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        is_of_acs = PAGES.fullmatch(environ["PATH_INFO"]) is not None
        if not is_of_acs or environ["wsgi.url_scheme"] not in self._schemes:
            return self._gateway(environ, start_response)
        environ["sandgate.listener"] = BESIDE
        return self._acs(environ, start_response)


def open_acs(
    acs: Acs,
    settings: Settings,
    *,
    options: ListenerOptions,
    tls: ssl.SSLContext | None,
) -> AcsServer:
    """Listen, and expire challenges from now on. Raises AddressInUseError."""
    listener = open_listener(
        ACS,
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
