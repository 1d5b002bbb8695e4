"""The interface at its address: TCP, port 20007 as usual, one till at a time."""

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pos_emulator.ecr.ports import TillTerminal
from pos_emulator.ecr.zvt.commands import ZvtStation
from pos_emulator.ecr.zvt.link import Link
from pos_emulator.ecr.zvt.session import ZvtSession
from pos_emulator.ecr.zvt.settings import ZvtSettings

LOG = logging.getLogger("sandgate.till")
POLL_S, CLOSING_S, WAITING_MAX = 0.05, 10.0, 4
# So many connections wait in the system until they are accepted. Where there is no room for one,
# its till tries again after a second.
BACKLOG = 2048
# So many connections may have sent nothing yet; one more ends the oldest of them.
SILENT_MAX = 8
DEFAULT_SETTINGS = ZvtSettings()
Address = tuple[str, int]


@contextmanager
def serve_zvt(
    terminal: TillTerminal, address: Address, settings: ZvtSettings = DEFAULT_SETTINGS
) -> Iterator[str]:
    """The address at which a till finds a terminal until the end of the block, as `HOST:PORT`.

    `address` is a host and a port; port 0 is any free one. A till takes with its first byte the
    place of one that is gone or has nothing under way; else it is turned away. Raises OSError where
    the port is not free.
    """
    listener = ZvtListener(address, ZvtStation(terminal, settings))
    threading.Thread(target=listener.serve, daemon=True).start()
    host = address[0]
    shown = f"[{host}]" if ":" in host else host or "localhost"
    try:
        yield f"{shown}:{listener.port}"
    finally:
        listener.close()


class ZvtListener:
    """Accepts tills, each in a thread of its own. Raises OSError where the port is not free."""

    def __init__(self, address: Address, station: ZvtStation) -> None:
        family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._socket = socket.create_server(address, family=family, backlog=BACKLOG)
        self._socket.settimeout(POLL_S)
        self.port = int(self._socket.getsockname()[1])
        self._station = station
        self._session: ZvtSession | None = None
        self._silent: list[Link] = []
        self._lock, self._closed = threading.Lock(), threading.Event()
        self._waiting = threading.BoundedSemaphore(WAITING_MAX)

    def serve(self) -> None:
        """Accept tills until the listener is closed."""
        while not self._closed.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError:
                # The client left before it was accepted, or the listener is closed.
                LOG.debug("a connection was not accepted", exc_info=True)
                continue
            threading.Thread(target=self._serve_till, args=(connection,), daemon=True).start()

    def close(self) -> None:
        """Have the till's last command ended, so that the terminal can be closed."""
        self._closed.set()
        self._socket.close()
        with self._lock:
            session, silent = self._session, [*self._silent]
        for link in silent:
            link.close()
        if session is not None:
            session.close()
            session.finished.wait(CLOSING_S)

    def _serve_till(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            link = Link(connection, self._station.settings)
            if not self._is_of_till(link):
                return
            session = ZvtSession(self._station, link)
            # Few may wait for the till before them to leave.
            if not self._waiting.acquire(blocking=False):
                return
            try:
                is_admitted = self._admit(session)
            finally:
                self._waiting.release()
            if is_admitted:
                session.run()

    def _is_of_till(self, link: Link) -> bool:
        """Wait for the first bytes: what is no till, as a page in a browser, takes no place."""
        with self._lock:
            silent = [*self._silent, link]
            gone, self._silent = silent[:-SILENT_MAX], silent[-SILENT_MAX:]
        for each in gone:
            each.close()
        is_of_till = link.is_of_till()
        with self._lock:
            self._silent = [each for each in self._silent if each is not link]
        return is_of_till

    def _admit(self, session: ZvtSession) -> bool:
        """Whether a till may come: the one before it has made room."""
        while not self._closed.is_set():
            before = self._session
            if before is not None and not before.make_room():
                return False
            if self._replace(before, session):
                return True
        return False

    def _replace(self, before: ZvtSession | None, session: ZvtSession) -> bool:
        """Whether no other till came in between."""
        with self._lock:
            is_next = self._session is before and not self._closed.is_set()
            if is_next:
                self._session = session
        return is_next
