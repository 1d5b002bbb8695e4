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

import gevent
from gevent import socket
from gevent.ssl import SSLContext
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError

from simulator.adapters.webhooks.connection import Connection
from simulator.domain.webhooks.records import Reply
from simulator.domain.webhooks.targets import (
    Policy,
    RefusedAddressError,
    Target,
    read_target,
    refuse_addresses,
)
from simulator.grammar.version import __version__

ANSWER_S = 30.0
AGENT_LINE = f"User-Agent: Sandgate/{__version__}"
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
        """The addresses to connect to. Raises RefusedAddressError, OSError where there are none."""
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

    __slots__ = ("target", "_connection", "_links")

    def __init__(self, links: Links, target: Target):
        self.target = target
        self._links = links
        self._connection: Connection | None = None

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        body: bytes = b"",
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Reply:
        """How the other side answered, within thirty seconds of wire time; it never raises.

        `meanwhile` is called while the request is on its way; it neither waits nor raises.
        """
        request = self._request(method, path, headers, body)
        began = monotonic()
        status, error = None, ""
        try:
            with gevent.Timeout(self._links.answer_s, False):
                status = self._exchange(method, request, meanwhile)
        except (OSError, RefusedAddressError, HTTPParseError, ValueError) as failure:
            error = in_words(failure)
        if status is None:
            self.close()
            error = error or f"no answer within {self._links.answer_s:g} s"
        return Reply(status=status, error=error, took=timedelta(seconds=monotonic() - began))

    def close(self) -> None:
        """Close the connection; the next use opens another, to addresses checked anew."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.target.authority}", AGENT_LINE]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if method == "POST":
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join((*lines, "", "")).encode("ascii") + body

    def _exchange(self, method: str, request: bytes, meanwhile: Callable[[], None]) -> int:
        # A receiver may close a kept-alive connection while the request is on its way to it.
        if self._connection is not None and self._connection.is_fresh:
            with suppress(HTTPConnectionClosed, ConnectionError):
                return self._asked(self._connection, method, request, meanwhile)
        self.close()
        self._connection = self._connected()
        return self._asked(self._connection, method, request, meanwhile)

    def _asked(
        self, link: Connection, method: str, request: bytes, meanwhile: Callable[[], None]
    ) -> int:
        link.send(request)
        meanwhile()
        status, is_kept = link.answer(method)
        if not is_kept:
            self.close()
        return status

    def _connected(self) -> Connection:
        failure: OSError = OSError("the name of the host stands for no address")
        target = self.target
        tls = self._links.context() if target.scheme == "https" else None
        for address in self._links.checked(target):
            try:
                return Connection(address, target.port, tls=tls, name=target.host)
            except OSError as error:
                failure = error
                if error.errno not in NOT_REACHED:
                    break
        raise failure


def check_url(links: Links, url: str) -> Target:
    """The target of a URL that may be delivered to. Raises InvalidInputError, RefusedAddressError.

    A name that cannot be resolved now is no error: it is tried, and judged, at every delivery.
    """
    target = read_target(url)
    with suppress(OSError):
        links.checked(target)
    return target


def in_words(failure: Exception) -> str:
    """Why there was no answer, without anything that the other side sent."""
    if isinstance(failure, RefusedAddressError):
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
