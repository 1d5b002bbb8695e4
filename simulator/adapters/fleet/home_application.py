"""What stands before the gateway where it serves sandboxes as their home."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication

from simulator.adapters.fleet.calm_home import CalmHome
from simulator.adapters.http.responses import close_pieces
from simulator.domain.core.errors import UnreachableStoreError

LOG = logging.getLogger("sandgate.fleet")
# Where the application behind finds the sandbox that a request is for.
PLACE_KEY = "sandgate.place"
# What pays and reads: all else may steer a sandbox, or show what it did. Pages of shoppers end a
# calm where they need the ports of its sandbox, as SandboxRegistry.ports does.
UNSTEERED = ("/v1/", "/v3/", "/redirect/", "/threeDSecure/", "/form")
JSON = [
    ("Content-Type", "application/json;charset=UTF-8"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]


def refuse_unstored(start_response: StartResponse, body: bytes) -> list[bytes]:
    """Refuse a request of which nothing is kept. Choice: D-114."""
    start_response("503 Service Unavailable", [*JSON, ("Retry-After", "1")])
    return [body]


class ComingAnswer:
    """An answer that is made while it is sent; what is on the stack ends once it is closed."""

    def __init__(self, pieces: Iterable[bytes], ends: ExitStack):
        self._pieces = pieces
        self._ends = ends

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def close(self) -> None:
        """It was sent, or is not taken."""
        with self._ends:
            close_pieces(self._pieces)


class HomeApplication:
    """A WSGI application before that of the gateway; `not_stored` makes the body of an answer where
    the database is away. `under_way` counts the requests of each sandbox from the moment on at
    which this member was found to be its home, until their answers are sent.
    """

    def __init__(
        self, application: WSGIApplication, calm: CalmHome, not_stored: Callable[[], bytes]
    ):
        self.under_way: Counter[str] = Counter()
        self._application = application
        self._calm = calm
        self._not_stored = not_stored

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        place = environ.get(PLACE_KEY)
        if place is None:
            return self._application(environ, start_response)
        with ExitStack() as ends:
            ends.enter_context(self._counted(place))
            pieces = self._serve(place, environ, start_response)
            if isinstance(pieces, list | tuple):
                return pieces
            # What comes is still read from the store.
            return ComingAnswer(pieces, ends.pop_all())

    @contextmanager
    def _counted(self, place: str) -> Iterator[None]:
        self.under_way[place] += 1
        try:
            yield
        finally:
            self.under_way[place] -= 1
            if not self.under_way[place]:
                del self.under_way[place]

    def _serve(
        self, place: str, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(UNSTEERED):
            return self._application(environ, start_response)
        with self._calm.steering(place):
            try:
                self._calm.end(place)
            except UnreachableStoreError as error:
                LOG.info("the calm of sandbox %s does not end: %s", place, error)
                return refuse_unstored(start_response, self._not_stored())
            return self._application(environ, start_response)
