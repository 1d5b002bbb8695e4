"""The TLS handshakes of one listener.

A handshake costs as much of the processor as a payment, and comes before any token. So it takes
turns: one when its client has begun it, and one for each of its answers. A client that has left
meanwhile costs nothing more. There are so many handshakes at most, each for so long.
Choice: D-664.
"""

import logging
import ssl
from collections import OrderedDict
from time import monotonic

import gevent
from gevent.hub import get_hub
from gevent.socket import socket

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.limits import Limits
from simulator.adapters.http.peers import has_left
from simulator.adapters.tls.link import TlsLink

LOG = logging.getLogger("sandgate.server")
READABLE = 1


class Handshakes:
    """Those that are under way."""

    def __init__(self, context: ssl.SSLContext, limits: Limits, turns: AddressTurns):
        self._context = context
        self._most = limits.connections_max // 2
        self._seconds = limits.head_s
        self._turns = turns
        # By address, the oldest first, with the moment at which it is too late.
        self._under_way: dict[str, OrderedDict[gevent.Greenlet, float]] = {}
        self._count = 0

    def secure(self, client: socket, address: str) -> TlsLink | None:
        """The connection as one of TLS; None where the client left, failed or took too long."""
        self._begin(address)
        try:
            _wait_for(client)
            self._turns.take(address)
            return None if has_left(client) else self._secured(client, address)
        except OSError as error:
            LOG.debug("a TLS handshake failed: %s", error)
            return None
        finally:
            self._end(address)

    def end_late(self) -> None:
        """End those that took too long; called by the event loop."""
        now = monotonic()
        for under_way in list(self._under_way.values()):
            for greenlet in [each for each, until in under_way.items() if until < now]:
                greenlet.throw(TimeoutError("the handshake did not end in time"))

    def _begin(self, address: str) -> None:
        until = monotonic() + self._seconds
        self._under_way.setdefault(address, OrderedDict())[gevent.getcurrent()] = until
        self._count += 1
        if self._count > self._most:
            get_hub().loop.run_callback(self._end_oldest)

    def _end(self, address: str) -> None:
        under_way = self._under_way[address]
        del under_way[gevent.getcurrent()]
        self._count -= 1
        if not under_way:
            del self._under_way[address]

    def _end_oldest(self) -> None:
        """End the oldest of the address that has most."""
        if self._count > self._most:
            most = max(self._under_way.values(), key=len)
            next(iter(most)).throw(TimeoutError("too many handshakes at once"))

    def _secured(self, client: socket, address: str) -> TlsLink:
        """The connection when both have finished. Raises OSError."""
        secured = TlsLink(client, self._context)
        try:
            secured.receive()
            while not secured.step():
                is_begun = secured.is_begun
                _wait_for(client)
                self._turns.take(address, is_begun=is_begun)
                secured.receive()
        except BaseException:
            secured.close()
            raise
        return secured


def _wait_for(client: socket) -> None:
    """Wait until something can be read."""
    hub = get_hub()
    watcher = hub.loop.io(client.fileno(), READABLE)
    try:
        hub.wait(watcher)
    finally:
        watcher.close()
