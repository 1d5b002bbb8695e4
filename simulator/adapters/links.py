"""Links: connections over which notifications are posted.

The address that was checked is the one that is connected to: a name is resolved once a connection,
every address it stands for is judged, and the connection is made by address, with Host header and
server name of the URL. Redirects are not followed. Source: Events. Choices: D-84, D-86.
"""

import errno
import ipaddress
import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import gevent
from gevent import socket
from gevent.ssl import SSLContext
from geventhttpclient.client import HTTPClient
from geventhttpclient.response import (
    HTTPConnectionClosed,
    HTTPParseError,
    HTTPSocketPoolResponse,
)

from simulator.domain.targets import (
    Policy,
    RefusedAddress,
    Target,
    read_target,
    refuse_addresses,
)
from simulator.domain.webhooks import Reply
from simulator.grammar.version import __version__

ANSWER_S = 30.0
ANSWER_BYTES_MAX = 64 * 1024
AGENT = f"Sandgate/{__version__}"
# Nothing was sent yet when a connection fails so: the next address may be tried.
NOT_REACHED = frozenset(
    {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL}
)
Resolve = Callable[[str, int], Iterable[str]]


def addresses_of(host: str, port: int) -> list[str]:
    """The network addresses of a host, each once, in the resolver's order. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in found))


class Links:
    """What links share: which addresses are allowed, whom TLS trusts, how names are resolved."""

    __slots__ = ("answer_s", "policy", "resolve", "_ca", "_context")

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        ca: Path | None = None,
        resolve: Resolve = addresses_of,
        answer_s: float = ANSWER_S,
    ):
        self.answer_s = answer_s
        self.policy = policy or Policy()
        self.resolve = resolve
        self._ca = ca
        self._context: SSLContext | None = None

    def open(self, target: Target) -> "Link":
        """A link to where a URL points; it connects at its first use."""
        return Link(self, target)

    def checked(self, target: Target) -> list[str]:
        """The addresses to connect to. Raises RefusedAddress, OSError where there are none."""
        addresses = _literal(target.host) or list(self.resolve(target.host, target.port))
        refuse_addresses(target.host, addresses, self.policy)
        return addresses

    def context(self) -> SSLContext:
        """TLS as a client of receivers: the authorities of this machine, or those of one file."""
        if self._context is None:
            # Made so, a handshake lets other greenlets go on also where nothing is patched. It
            # checks the name and wants TLS 1.2 or newer.
            self._context = SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            if self._ca is None:
                self._context.load_default_certs()
            else:
                self._context.load_verify_locations(self._ca)
        return self._context


class Link:
    """One kept-alive connection to one origin."""

    __slots__ = ("target", "_links", "_client", "_used")

    def __init__(self, links: Links, target: Target):
        self.target = target
        self._links = links
        self._client: HTTPClient | None = None
        self._used = False

    def send(
        self, method: str, path: str, *, headers: Mapping[str, str], body: bytes = b""
    ) -> Reply:
        """How the other side answered, within thirty seconds of wire time; it never raises."""
        began = monotonic()
        status, error = None, ""
        try:
            with gevent.Timeout(self._links.answer_s, False):
                status = self._exchange(method, path, headers, body)
        except (OSError, RefusedAddress, HTTPParseError, RuntimeError, ValueError) as failure:
            error = in_words(failure)
        if status is None:
            self.close()
            error = error or f"no answer within {self._links.answer_s:g} s"
        return Reply(status=status, error=error, took=timedelta(seconds=monotonic() - began))

    def close(self) -> None:
        """Close the connection; the next use opens another, to addresses checked anew."""
        if self._client is not None:
            self._client.close()
        self._client, self._used = None, False

    def _exchange(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
        # A receiver may close a kept-alive connection while the request is on its way to it.
        if self._used:
            try:
                return self._asked(method, path, headers, body)
            except (HTTPConnectionClosed, ConnectionError):
                self.close()
        return self._asked(method, path, headers, body)

    def _asked(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
        response = self._requested(method, path, headers, body)
        self._used = True
        # Read, so that the connection can be used again; of a long answer only the beginning.
        response.read(ANSWER_BYTES_MAX)
        if not response.message_complete:
            self.close()
        return int(response.status_code)

    def _requested(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> HTTPSocketPoolResponse:
        if self._client is not None:
            return self._client.request(method, path, body=body, headers=headers)
        failure: OSError = OSError("the name of the host stands for no address")
        for address in self._links.checked(self.target):
            self._client = self._client_at(address)
            try:
                return self._client.request(method, path, body=body, headers=headers)
            except OSError as error:
                self.close()
                failure = error
                if error.errno not in NOT_REACHED:
                    break
        raise failure

    def _client_at(self, address: str) -> HTTPClient:
        tls: dict[str, Any] = {}
        if self.target.scheme == "https":
            tls = {
                "ssl": True,
                "ssl_options": {"server_hostname": self.target.host},
                "ssl_context_factory": lambda cafile=None: self._links.context(),
            }
        return HTTPClient(
            address,
            self.target.port,
            headers={"Host": self.target.authority, "User-Agent": AGENT},
            connection_timeout=self._links.answer_s,
            network_timeout=self._links.answer_s,
            **tls,
        )


def check_url(links: Links, url: str) -> Target:
    """The target of a URL that may be delivered to. Raises BadInput, RefusedAddress.

    A name that cannot be resolved now is no error: it is tried, and judged, at every delivery.
    """
    target = read_target(url)
    with suppress(OSError):
        links.checked(target)
    return target


def in_words(failure: Exception) -> str:
    """Why there was no answer, without anything that the other side sent."""
    if isinstance(failure, RefusedAddress):
        return str(failure)
    if isinstance(failure, ssl.SSLCertVerificationError):
        return f"certificate not trusted: {failure.verify_message}"
    if isinstance(failure, ssl.SSLError):
        return f"no TLS: {failure.reason or 'the handshake failed'}"
    if isinstance(failure, socket.gaierror):
        return "the name of the host is not known"
    if isinstance(failure, TimeoutError):
        return "no answer in time"
    if isinstance(failure, HTTPConnectionClosed | ConnectionResetError | BrokenPipeError):
        return "the connection was closed without an answer"
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror.lower()
    return "the answer is no HTTP"


def _literal(host: str) -> list[str]:
    """The address that `host` writes itself, which needs no resolver; else nothing."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        return []
