"""A relay before a database that loses what it should: requests, answers, or its connections."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PIECE = 65536


class Relay:
    """Passes bytes on between clients and the socket of a server, in threads of its own."""

    def __init__(self, server: Path):
        self.loses_requests = self.loses_answers = False
        self.lost_requests = self.lost_answers = 0
        self._server = str(server)
        self._open: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._listener.getsockname()[1]

    def cut(self) -> None:
        """End every connection, on both sides."""
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def unreachable(self) -> Iterator[None]:
        """End every connection, and let no other reach the server meanwhile."""
        server, self._server = self._server, "/nonexistent"
        self.cut()
        try:
            yield
        finally:
            self._server = server

    def close(self) -> None:
        """Listen no more."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._server)
                except OSError:
                    client.close()
                    continue
                self._open |= {client, server}
                for ends in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, is_request: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                if is_request and self.loses_requests:
                    self.lost_requests += 1
                elif not is_request and self.loses_answers:
                    self.lost_answers += 1
                else:
                    target.sendall(piece)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        source.close()
        self._open.discard(source)
