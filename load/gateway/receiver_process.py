"""Start a counting receiver in a process of its own, configure it and read its counts."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from load.gateway.server import start_server
from simulator.client import Connection
from simulator.client.processes import ServerProcess

PIN, KEEP = "pin", "keep"


class ReceiverProcess(NamedTuple):
    """A counting receiver in a process of its own."""

    server: ServerProcess

    @property
    def url(self) -> str:
        """The address for notifications."""
        return f"{self.server.base_url}hook"

    def reject(self, *, every: int) -> None:
        """Start counting anew, and reject each n-th notification; 0 accepts all."""
        self._get(f"every/{every}")

    def stats(self) -> dict[str, Any]:
        """Return `count`, `seconds` between the first and the last one, and what was `accepted`."""
        return dict(self._get("stats"))

    def _get(self, path: str) -> Any:
        connection = Connection(self.server.base_url)
        try:
            return connection.ask("GET", path, headers={}).body
        finally:
            connection.close()


@contextmanager
def start_receiver(*options: str) -> Iterator[ReceiverProcess]:
    """Start a receiver; PIN keeps it off the core of pinned servers, KEEP keeps the bodies."""
    with start_server([sys.executable, "-m", "load.gateway.counting_receiver", *options]) as server:
        yield ReceiverProcess(server)
