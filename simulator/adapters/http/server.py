"""HTTP listeners: llhttp behind the stream server of gevent.

- TCP_NODELAY on the listener. Without it each keep-alive exchange waits for a delayed ACK, 40 ms.
- Every refusal has a body: `answer(status, reason)` gives it, so that no client gets an empty 400.
- Nothing of a request is written to a log.

connection.py serves one peer, requests.py reads its bytes, responses.py writes them.
"""

import errno
import heapq
import logging
import os
import resource
import socket as sockets
import ssl
from collections.abc import Callable, Iterable
from contextlib import suppress
from email.utils import formatdate
from sys import stderr
from time import monotonic
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

import gevent
from gevent import Timeout
from gevent.hub import get_hub
from gevent.server import StreamServer
from gevent.socket import socket

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.connection import PeerConnection
from simulator.adapters.http.handshakes import Handshakes
from simulator.adapters.http.limits import (
    ANSWERING,
    BODY,
    CONNECTIONS_MAX,
    HEAD,
    HELD,
    IDLE,
    LINGERING,
    SENDING,
    Limits,
    ReceiveBudget,
    SendBudget,
)
from simulator.adapters.http.owner_turns import NO_BOUND, SHARE_S, OwnerTurns
from simulator.adapters.http.peers import has_left
from simulator.adapters.http.sources import source_of
from simulator.adapters.turns import BACKLOG

LOG = logging.getLogger("sandgate.server")
LOOK_S = 0.1
FILES_SPARED = 256
# So many take about a slice of time, for which all others wait. With fewer those of all clients
# would wait in the system, behind those of one.
ACCEPTED_AT_ONCE = 20
# Where a listener has too many, so many are chosen at once: to look at all of them takes long.
CHOSEN_AT_ONCE = 100
# The phases in which a connection may be closed, where a listener has too many; and one whose
# request is answered for so long.
WAITING = (IDLE, HEAD, BODY, SENDING, LINGERING, HELD)
ANSWERED_LATE_S = 1.0
# What the system may keep of the answers to one peer: without a bound up to 4 MiB.
SEND_BUFFER_BYTES = 64 * 1024
# fmt: off
PORT_OPTIONS = {
    #  listener   the option that names its port
    "plain":      "--port",
    "tls":        "--tls-port",
    "live":       "--live-port",
    "acs":        "--acs-port",
    "peer":       "--peer-port",
}
# fmt: on
ANY_PORTS = "--port 0 for any free ones"


class AddressInUseError(Exception):
    """Something else listens on the address; the message says what to do."""


class ListenerOptions(NamedTuple):
    """What listeners of one gateway share.

    `answer(status, reason)` is the JSON body of an answer that never reaches the application.
    `is_misdirected` says whether a Host header names something else than this gateway.
    """

    answer: Callable[[int, str], bytes]
    budgets: tuple[ReceiveBudget, SendBudget]
    is_misdirected: Callable[[str], bool] = lambda host: False
    limits: Limits = Limits()
    # Whether other processes may listen on the same address.
    is_shared: bool = False


def allow_connections(listeners: int) -> int:
    """How many connections each of so many listeners may have: the process gets as many open files
    as the machine grants it, and keeps some for its logs and webhooks.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = listeners * CONNECTIONS_MAX + FILES_SPARED
    granted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < granted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (granted, hard))
    return max((granted - FILES_SPARED) // listeners, 1)


def new_budgets() -> tuple[ReceiveBudget, SendBudget]:
    """The budgets that all listeners of one gateway share."""
    call_later = get_hub().loop.run_callback
    return ReceiveBudget(call_later), SendBudget(call_later)


def open_listener(
    name: str,
    address: tuple[str, int],
    application: WSGIApplication,
    *,
    options: ListenerOptions,
    tls: ssl.SSLContext | None = None,
) -> "Listener":
    """A listener that accepts connections. Raises AddressInUseError.

    The application finds its name in `environ["sandgate.listener"]`.
    """
    bound = _bound(address, PORT_OPTIONS.get(name, "--port"), is_shared=options.is_shared)
    listener = Listener(bound, **({} if tls is None else {"ssl_context": tls}))
    listener.application = application
    listener.connections, listener.released = set(), set()
    listener.longest_waiting = []
    listener.stopping = listener.dismissed = False
    listener.answer, budgets, listener.is_misdirected, listener.limits, _ = options
    listener.budget, listener.unsent = budgets
    listener.environ = {
        "sandgate.listener": name,
        "SCRIPT_NAME": "",
        "SERVER_NAME": address[0],
        "SERVER_PORT": str(listener.server_port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http" if tls is None else "https",
        "wsgi.errors": stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    turns = listener.turns = AddressTurns()
    # Of members each connection brings work of many sandboxes, and their own.
    listener.owner_turns = OwnerTurns(share_s=NO_BOUND if name == "peer" else SHARE_S)
    listener.handshakes = None if tls is None else Handshakes(tls, options.limits, turns)
    listener.begin_watch()
    listener.start()
    return listener


def close_listeners(listeners: Iterable["Listener"], *, grace_s: float, idle_s: float = 0.0) -> int:
    """Stop accepting, let the requests in flight finish for `grace_s`, and say how many did not.

    A request that was sent before its client knew of the end is one of them, within `idle_s`.
    """
    listeners = list(listeners)
    for listener in listeners:
        listener.dismiss(idle_s)
    with Timeout(grace_s + idle_s, False):
        while any(listener.connections or listener.released for listener in listeners):
            gevent.sleep(0.01)
    left = [each for listener in listeners for each in listener.connections | listener.released]
    gevent.killall([each.greenlet for each in left], timeout=1)
    for listener in listeners:
        listener.end_watch()
    return len(left)


class Listener(StreamServer):  # type: ignore[misc]  # gevent has no types
    """One bound address with its connections."""

    max_accept = ACCEPTED_AT_ONCE
    answer: Callable[[int, str], bytes]
    application: WSGIApplication
    budget: ReceiveBudget
    connections: set[PeerConnection]
    date: str
    dismissed: bool
    environ: dict[str, Any]
    handshakes: Handshakes | None
    is_misdirected: Callable[[str], bool]
    limits: Limits
    owner_turns: OwnerTurns
    longest_waiting: list[tuple[PeerConnection, float]]
    released: set[PeerConnection]
    stopping: bool
    turns: AddressTurns
    unsent: SendBudget
    watch: Any

    def handle(self, client: socket, address: tuple[str, int]) -> None:
        """Serve a connection until it ends."""
        if len(self.connections) >= self.limits.connections_max:
            get_hub().loop.run_callback(self._end_longest_waiting)
        connection = PeerConnection(self, client, address)
        self.connections.add(connection)
        try:
            connection.serve()
        finally:
            self.connections.discard(connection)
            self.released.discard(connection)

    def do_handle(self, client: socket, address: tuple[str, int]) -> None:
        """Serve a client, unless it has left already. One of plain HTTP may have ended its half
        alone: only where many of its address wait does it count as one that has left.
        """
        may_end = self.handshakes is None and not self.turns.is_crowded(source_of(address[0]))
        if may_end or not has_left(client):
            super().do_handle(client, address)
        else:
            client.close()

    def begin_watch(self) -> None:
        """Look at all connections from time to time: that costs less than a timer a request."""
        self._look()
        self.watch = get_hub().loop.timer(LOOK_S, LOOK_S)
        self.watch.start(self._look)

    def end_watch(self) -> None:
        """Look at them no more."""
        self.watch.close()
        self.turns.close()
        self.owner_turns.close()

    def _look(self) -> None:
        # This runs in the event loop, where every connection waits.
        self.date = formatdate(usegmt=True)
        if self.handshakes is not None:
            self.handshakes.end_late()
        now = monotonic()
        for connection in [each for each in self.connections if each.until < now]:
            if connection.phase == ANSWERING:
                connection.look_for_peer()
                self._count_released(connection)
            else:
                connection.end_waiting(408, "the request did not arrive in time")

    def _count_released(self, connection: PeerConnection) -> None:
        if connection.is_released:
            self.connections.discard(connection)
            self.released.add(connection)

    def _end_longest_waiting(self) -> None:
        """End one of those that waited longest, unless it has gone on since it was chosen."""
        chosen = self.longest_waiting = self.longest_waiting or self._choose_longest_waiting()
        while chosen:
            connection, since = chosen.pop()
            if connection not in self.connections or connection.since != since:
                continue
            if connection.phase == ANSWERING:
                connection.release()
                self._count_released(connection)
            else:
                connection.end_waiting(503, "too many connections")
            return

    def _choose_longest_waiting(self) -> list[tuple[PeerConnection, float]]:
        """Those that have waited longest of the holder that has most of them, the longest last,
        each with the moment since when it waits.
        """
        late = monotonic() - ANSWERED_LATE_S
        by_holder: dict[str, list[PeerConnection]] = {}
        for each in self.connections:
            if each.phase in WAITING or (each.phase == ANSWERING and each.since < late):
                by_holder.setdefault(each.holder, []).append(each)
        most = max(by_holder.values(), key=len, default=[])
        longest = heapq.nsmallest(CHOSEN_AT_ONCE, most, key=lambda each: each.since)
        return [(each, each.since) for each in reversed(longest)]

    def dismiss(self, idle_s: float) -> None:
        """Stop accepting; every answer is the last of its connection. One that waits for its next
        request is closed after `idle_s`.
        """
        self.stopping = True
        self._accept_waiting()
        self.close()
        # By the event loop: a greenlet that throws into another one is never switched to again.
        call = get_hub().loop.run_callback
        if idle_s:
            gevent.spawn_later(idle_s, call, self._dismiss_idle)
        else:
            call(self._dismiss_idle)

    def _accept_waiting(self) -> None:
        """Take what the system has accepted already: it would reset these connections."""
        with suppress(OSError):
            for _ in range(BACKLOG):
                accepted = self.do_read()
                if accepted is None:
                    return
                self.do_handle(*accepted)

    def _dismiss_idle(self) -> None:
        self.dismissed = True
        for connection in [each for each in self.connections if each.phase in (IDLE, HELD)]:
            connection.end_waiting(503, "the gateway stops")

    def wrap_socket_and_handle(self, client_socket: socket, address: tuple[str, int]) -> None:
        """Serve one TLS connection; a peer that fails or delays the handshake is dropped."""
        assert self.handshakes is not None, "a listener of TLS"
        secured = self.handshakes.secure(client_socket, source_of(address[0]))
        if secured is None:
            return
        try:
            self.handle(secured, address)
        finally:
            secured.close()


def free_port_advice(option: str) -> str:
    """What to do where the port that an option of the gateway names cannot be had."""
    # Members of a fleet find each other by a port of its own, which --port 0 does not free.
    any_port = "--peer-port 0 for any free one" if option == "--peer-port" else ANY_PORTS
    return f"choose another {option}, or {any_port}"


def _bound(address: tuple[str, int], option: str, *, is_shared: bool) -> socket:
    family = sockets.AF_INET6 if ":" in address[0] else sockets.AF_INET
    listener = socket(family, sockets.SOCK_STREAM)
    listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    if is_shared:
        listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEPORT, 1)
    listener.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_NODELAY, 1)
    listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, SEND_BUFFER_BYTES)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise AddressInUseError(_advice(address, option, error)) from error
    listener.setblocking(False)
    return listener


def _advice(address: tuple[str, int], option: str, error: OSError) -> str:
    host, port = address
    if isinstance(error, sockets.gaierror):
        return f"{host}: expected an address of this machine, got a name that is not known"
    if error.errno == errno.EADDRINUSE:
        return f"{host} port {port} is in use; {free_port_advice(option)}"
    reason = f"cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}"
    return f"{reason}; {free_port_advice(option)}" if error.errno == errno.EACCES else reason
