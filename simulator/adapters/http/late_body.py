"""The body of a request that is still being read when the application is called: its
`wsgi.input`.

The request had its turn when its head was there. What is made of the body begins when that is
there, takes long, and of many bodies the last bytes may come at once: so it waits for a turn of
long work. Choice: D-695.
"""

from typing import Protocol

from simulator.adapters.http.limits import ANSWERING, BODY
from simulator.adapters.http.requests import IncomingRequest
from simulator.adapters.turns import LONG_WORK
from simulator.domain.core.errors import UnreadableRequestError


class ReceivingConnection(Protocol):
    """The connection that a body comes from."""

    def enter(self, phase: str) -> None:
        """Begin a phase."""

    def receive(self) -> bool:
        """Read on. Raises UnreadableRequestError, OSError."""


class LateBody:
    """What the application reads from."""

    def __init__(self, source: ReceivingConnection, request: IncomingRequest):
        self._source = source
        self._request = request

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end only. Raises UnreadableRequestError."""
        request = self._request
        if len(request.body) < size and not request.is_whole:
            self._receive(size)
        with memoryview(request.body) as body:
            piece = bytes(body[:size])
        del request.body[:size]
        return piece

    def _receive(self, size: int) -> None:
        """Receive so much, and wait for a turn to work on it."""
        request, source = self._request, self._source
        source.enter(BODY)
        try:
            while len(request.body) < size and not request.is_whole:
                source.receive()
        except OSError:
            raise UnreadableRequestError(400, "the request ended early") from None
        source.enter(ANSWERING)
        LONG_WORK.take()
