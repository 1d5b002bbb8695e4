"""Send requests to webhook URLs, over connections to checked addresses.

The address that is checked is the address that is connected to: a host name is resolved once for
each connection, all its addresses are checked, and the connection is made by address, with the
Host header and the TLS server name of the URL. Redirects are not followed. Source: Events.
Choices: D-84, D-86, D-355.
"""

import errno
import ipaddress
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import gevent
from gevent import socket
from gevent.ssl import SSLContext
from geventhttpclient.response import HTTPConnectionClosed, HTTPParseError

from simulator.adapters.tls.settings import restrict
from simulator.adapters.turns import Turns, give_way
from simulator.adapters.webhooks.connection import HttpConnection
from simulator.adapters.webhooks.large_events import LargeBodies
from simulator.adapters.webhooks.names import NameLookups, Resolve
from simulator.domain.core.errors import DiskError, InvalidInputError
from simulator.domain.ports.webhooks import Inbox
from simulator.domain.webhooks.large_bodies import LargeBody
from simulator.domain.webhooks.records import INBOX, AttemptResult
from simulator.domain.webhooks.targets import (
    CALLED_LENGTH_MAX,
    AddressPolicy,
    RefusedAddressError,
    WebhookUrl,
    parse_webhook_url,
    refuse_addresses,
)
from simulator.grammar.version import __version__

RESPONSE_TIMEOUT_S = 30.0
USER_AGENT_LINE = f"User-Agent: Sandgate/{__version__}"
# Nothing was sent yet when a connection fails with one of these: the next address may be tried.
UNREACHABLE = frozenset(
    {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL}
)


class HttpRequest(NamedTuple):
    """A request to a webhook URL, or to the inbox (`url` is INBOX)."""

    method: str
    url: str
    headers: Mapping[str, str] = {}
    body: bytes | LargeBody = b""


class Sender:
    """Sends the requests of one queue, over one kept-alive connection, or to the inbox."""

    __slots__ = ("_connection", "_connector", "_inbox", "_parsed_url", "_url")

    def __init__(self, connector: "Connector", inbox: Inbox):
        self._connector = connector
        self._inbox = inbox
        self._connection: HttpConnection | None = None
        self._url = ""
        self._parsed_url: WebhookUrl | None = None

    def send(
        self, request: HttpRequest, *, while_waiting: Callable[[], None] = lambda: None
    ) -> AttemptResult:
        """The result of the request, within thirty seconds of wire time; it never raises.

        `while_waiting` is called once the request is sent; it must neither wait nor raise.
        """
        if request.url == INBOX:
            return self._send_to_inbox(request)
        began = monotonic()
        status, error = None, ""
        try:
            target = self._select_target(request.url)
            with gevent.Timeout(self._connector.response_timeout_s, False):
                status = self._exchange(target, request, while_waiting)
        except InvalidInputError as failure:
            return AttemptResult(error=str(failure))
        except (OSError, RefusedAddressError, HTTPParseError, ValueError) as failure:
            error = explain_failure(failure)
        if status is None:
            self.close()
            error = error or f"no answer within {self._connector.response_timeout_s:g} s"
        took = timedelta(seconds=monotonic() - began)
        return AttemptResult(status=status, error=error, took=took)

    def close(self) -> None:
        """Close the connection; the next request opens another, to addresses checked again."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _send_to_inbox(self, request: HttpRequest) -> AttemptResult:
        """An inbox that cannot be stored is tried again later, as any endpoint."""
        try:
            return self._inbox.receive(request.headers, _whole(request.body))
        except DiskError:
            return AttemptResult(error="the inbox could not be stored")

    def _select_target(self, url: str) -> WebhookUrl:
        """The parsed URL; the connection is closed if it is to another origin."""
        if self._parsed_url is not None and url == self._url:
            return self._parsed_url
        target = parse_webhook_url(url, longest=CALLED_LENGTH_MAX)
        if self._parsed_url is not None and self._parsed_url.origin != target.origin:
            self.close()
        self._parsed_url, self._url = target, url
        return target

    def _exchange(
        self, target: WebhookUrl, request: HttpRequest, while_waiting: Callable[[], None]
    ) -> int:
        head, body = _encode_head(target, request), request.body
        content = (head, body) if isinstance(body, LargeBody) else (head + body, None)
        # A receiver may close a kept-alive connection just when the next request is sent.
        if self._connection is not None and self._connection.is_reusable:
            with suppress(HTTPConnectionClosed, ConnectionError):
                return self._exchange_over(self._connection, request.method, content, while_waiting)
        self.close()
        self._connection = self._connector.connect(target)
        return self._exchange_over(self._connection, request.method, content, while_waiting)

    def _exchange_over(
        self,
        connection: HttpConnection,
        method: str,
        content: tuple[bytes, LargeBody | None],
        while_waiting: Callable[[], None],
    ) -> int:
        connection.send(*content)
        while_waiting()
        status, is_reusable = connection.read_response(method)
        if not is_reusable:
            self.close()
        return status


class Connector:
    """Connects to webhook URLs: `policy` says which addresses are allowed, `ca` is a file of the
    certificate authorities to trust instead of those of this machine.
    """

    __slots__ = ("large_bodies", "response_timeout_s", "_names", "_policy", "_trust", "_turns")

    def __init__(
        self,
        policy: AddressPolicy | None = None,
        *,
        ca: Path | None = None,
        resolve: Resolve | None = None,
        response_timeout_s: float = RESPONSE_TIMEOUT_S,
    ):
        self.response_timeout_s = response_timeout_s
        # Of all sandboxes together.
        self.large_bodies = LargeBodies()
        self._policy = policy or AddressPolicy()
        self._names = NameLookups() if resolve is None else NameLookups(resolve)
        self._trust = Trust(ca)
        self._turns = Turns()

    def of_sandbox(self) -> "Connector":
        """The same for one sandbox, which looks up a few names at once and no more, and reads one
        piece of a long response in each turn.
        """
        connector = copy(self)
        connector._names, connector._turns = self._names.of_sandbox(), Turns()
        return connector

    def connect(self, target: WebhookUrl) -> HttpConnection:
        """A connection to the first address that can be reached. Raises RefusedAddressError,
        OSError.
        """
        failure: OSError = OSError("the name of the host stands for no address")
        tls = self._trust.context() if target.scheme == "https" else None
        for address in self._checked_addresses(target):
            try:
                return HttpConnection(
                    address, target.port, turns=self._turns, tls=tls, name=target.host
                )
            except OSError as error:
                failure = error
                if error.errno not in UNREACHABLE:
                    break
        raise failure

    def dial(self, host: str, port: int) -> socket.socket:
        """A connection to a host by another protocol, under the same rules. Raises
        RefusedAddressError, OSError.
        """
        failure: OSError = OSError("the name of the host stands for no address")
        for address in self._addresses_of(host, port):
            try:
                return socket.create_connection((address, port), self.response_timeout_s)
            except OSError as error:
                failure = error
                if error.errno not in UNREACHABLE:
                    break
        raise failure

    def check_url(self, url: str) -> None:
        """Raise InvalidInputError or RefusedAddressError unless webhooks may be sent to `url`.

        A host name that cannot be resolved now is accepted: every connection resolves and checks
        it again.
        """
        target = parse_webhook_url(url)
        with suppress(OSError):
            self._checked_addresses(target)

    def _checked_addresses(self, target: WebhookUrl) -> list[str]:
        """The addresses of the host. Raises RefusedAddressError, OSError where there are none."""
        return self._addresses_of(target.host, target.port)

    def _addresses_of(self, host: str, port: int) -> list[str]:
        addresses = _literal_address(host) or self._names.addresses(host, port)
        refuse_addresses(host, addresses, self._policy)
        return addresses


class Trust:
    """The authorities that sign certificates of webhook endpoints: those in the file `ca`, else
    those of this machine. They are read once.
    """

    __slots__ = ("_ca", "_context")

    def __init__(self, ca: Path | None):
        self._ca = ca
        self._context: SSLContext | None = None

    def context(self) -> SSLContext:
        """What a TLS connection is checked with."""
        if self._context is None:
            # gevent's own class: a handshake lets other greenlets run even where nothing is
            # patched. It checks the host name and requires TLS 1.2 or newer.
            self._context = SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            restrict(self._context)
            if self._ca is None:
                self._context.load_default_certs()
            else:
                self._context.load_verify_locations(self._ca)
        return self._context


def explain_failure(failure: Exception) -> str:
    """Why there was no response, without anything that the receiver sent."""
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


def _encode_head(target: WebhookUrl, request: HttpRequest) -> bytes:
    lines = [
        f"{request.method} {target.path} HTTP/1.1",
        f"Host: {target.authority}",
        USER_AGENT_LINE,
        *(f"{name}: {value}" for name, value in request.headers.items()),
    ]
    if request.method == "POST":
        lines.append(f"Content-Length: {len(request.body)}")
    return "\r\n".join((*lines, "", "")).encode("ascii")


def _whole(body: bytes | LargeBody) -> bytes:
    """The body in one piece; others have their turn while a large one is made."""
    if not isinstance(body, LargeBody):
        return body
    whole = bytearray()
    for piece in body.pieces():
        give_way()
        whole += piece
    return bytes(whole)


def _literal_address(host: str) -> list[str]:
    """The address where `host` is one, which needs no resolver; else nothing."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        return []
