"""The connections of the SFTP server: it bounds what clients may take, and ends what stands idle.

Each connection is a greenlet of the library, which the threads of the gateway are. Choice: D-421.
"""

import logging
from collections import Counter
from contextlib import suppress
from functools import partial
from io import StringIO
from threading import Event
from time import monotonic
from typing import Any

import gevent
from paramiko import Ed25519Key

from simulator.adapters.http.peers import has_left
from simulator.adapters.http.sources import source_of
from simulator.adapters.logs import LimitedLog
from simulator.adapters.sftp.guarded import GuardedSocket
from simulator.adapters.sftp.library_log import show_incoming
from simulator.adapters.sftp.login import Gatekeeper, SftpLogin, Suspicion
from simulator.adapters.sftp.session import ReadOnlySession, SftpSubsystem
from simulator.adapters.sftp.transport import KEY_EXCHANGES, IncomingTransport, end
from simulator.adapters.sftp.users import FindUser, SftpLimits, SftpUser

LOG = logging.getLogger("sandgate.sftp")
VERSION = "SSH-2.0-Sandgate"
CIPHERS = (
    "aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr",
)  # fmt: skip
DIGESTS = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256",
           "hmac-sha2-512")  # fmt: skip


class SftpConnections:
    """The connections that are served. `key` is the host key as OpenSSH writes it."""

    def __init__(self, key: str, find: FindUser, limits: SftpLimits):
        self._key = Ed25519Key.from_private_key(StringIO(key))
        self._limits = limits
        self._log = LimitedLog(LOG)
        self._connections: dict[GuardedSocket, SftpLogin] = {}
        self._gatekeeper = Gatekeeper(find, Suspicion(), self._crowded_by, self._log)
        show_incoming(self._log.info)

    def cut(self) -> None:
        """End every connection."""
        for each in list(self._connections):
            each.cut()

    def serve(self, accepted: Any, peer: tuple[Any, ...]) -> None:
        """Serve one connection until it ends."""
        login = SftpLogin(self._gatekeeper, f"address {source_of(peer[0])}")
        if not self._has_room(login.address):
            self._log.warning("a connection was refused: there are %d", len(self._connections))
            accepted.close()
            return
        login.has_left = partial(has_left, accepted)
        guarded = GuardedSocket(accepted, login.turns.take)
        login.cut = guarded.cut
        self._connections[guarded] = login
        # A flood is cut faster than it has turns.
        guarded.leave = partial(gevent.getcurrent().kill, block=False)
        try:
            login.turns.take()
            guarded.leave = bool
            self._serve_guarded(guarded, login)
        finally:
            self._connections.pop(guarded, None)

    def _serve_guarded(self, guarded: GuardedSocket, login: SftpLogin) -> None:
        transport = self._transport(guarded)
        guarded.is_known = transport.is_authenticated
        guarded.waiting_bytes = transport.waiting_bytes
        login.open_channels = transport.open_channels
        guarded.may_go_on = lambda received: self._may_send(transport, received)
        try:
            # With an event the call returns at once; nothing waits for it.
            transport.start_server(event=Event(), server=login)
            _watch(transport, login)
        finally:
            end(transport)

    def _transport(self, guarded: GuardedSocket) -> IncomingTransport:
        transport = IncomingTransport(guarded)
        transport.local_version = VERSION
        options = transport.get_security_options()
        options.kex, options.ciphers, options.digests = KEY_EXCHANGES, CIPHERS, DIGESTS
        transport.add_server_key(self._key)
        transport.set_subsystem_handler("sftp", SftpSubsystem, sftp_si=ReadOnlySession)
        return transport

    def _has_room(self, address: str) -> bool:
        """Whether there is room for one more of an address. The address that then has most without
        a login makes it: the oldest of them is closed.
        """
        if len(self._connections) < self._limits.connections_max:
            return True
        waiting = {
            each: at.address for each, at in self._connections.items() if not each.is_known()
        }
        if not waiting:
            return False
        counts = Counter([*waiting.values(), address])
        oldest = max(waiting, key=lambda each: counts[waiting[each]])
        self._log.warning("a connection was closed for another: it did not log in")
        del self._connections[oldest]
        oldest.cut()
        return True

    def _crowded_by(self, user: SftpUser) -> str | None:
        """Who has too many connections already; None where one more may be had."""
        limits = self._limits
        known = [login for each, login in self._connections.items() if each.is_known()]
        if sum(each.name == user.name for each in known) >= limits.connections_of_merchant_max:
            return "merchant"
        if sum(each.sandbox == user.sandbox for each in known) >= limits.connections_of_sandbox_max:
            return "sandbox"
        return None

    def _may_send(self, transport: IncomingTransport, received: int) -> bool:
        limits, is_known = self._limits, transport.is_authenticated()
        if received > (limits.bytes_max if is_known else limits.bytes_before_login_max):
            self._log.warning("a connection was closed: its client sent %d bytes", received)
            return False
        waiting = transport.waiting_bytes()
        if not self._may_wait(waiting):
            self._log.warning("a connection was closed: %d bytes of it were not read yet", waiting)
            return False
        return True

    def _may_wait(self, waiting: int) -> bool:
        """Whether so many bytes of one client may wait: its part of what may wait of all, or what
        the others leave.
        """
        most = self._limits.waiting_bytes_max
        if waiting <= most // max(len(self._connections), 1):
            return True
        return sum(each.waiting_bytes() for each in self._connections) <= most


def _watch(transport: IncomingTransport, login: SftpLogin) -> None:
    """Return when the connection has ended; it ends where nothing has happened for too long."""
    while transport.is_alive():
        left = login.deadline - monotonic()
        if left <= 0:
            return
        with suppress(RuntimeError):
            transport.join(left)
