"""The ACS of a fleet: browsers come back to the member that has their challenge.

Its addresses begin with the number of the member, since a challenge is in the memory of one.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication

from simulator.adapters.fleet.forwarding import send_on
from simulator.adapters.fleet.peers import (
    LISTENER,
    PLACE,
    REMOTE,
    SCHEME,
    LostForwardError,
    Peers,
    UnservedError,
    body_of,
    headers_of,
    target_of,
)
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.core.hosts import ACS, BESIDE

OF_MEMBER = re.compile(r"/members/([0-9]{1,9})(/.*)")
TEXT = [
    ("Content-Type", "text/plain; charset=utf-8"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]
GONE = b"The member of the fleet that had this challenge is gone; pay again."


class AcsForwarder:
    """A WSGI application before that of the ACS of the member with this number."""

    def __init__(
        self,
        application: WSGIApplication,
        number: int,
        *,
        peers: Peers,
        members: Callable[[], list[FleetPeer]],
    ):
        self._application = application
        self._number = number
        self._peers = peers
        self._members = members

    def base(self, url: str) -> str:
        """The address of the ACS of this member, where that of all of them is `url`."""
        return f"{url}members/{self._number}/"

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        found = OF_MEMBER.fullmatch(environ["PATH_INFO"])
        if found is None:
            return self._application(environ, start_response)
        number, environ["PATH_INFO"] = int(found[1]), found[2]
        if number == self._number:
            return self._application(environ, start_response)
        return self._forward(number, environ, start_response)

    def _forward(
        self, number: int, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        headers = headers_of(environ) | {
            LISTENER: BESIDE if environ.get("sandgate.listener") == BESIDE else ACS,
            PLACE: "",
            SCHEME: environ["wsgi.url_scheme"],
            REMOTE: environ.get("REMOTE_ADDR", ""),
        }
        sent = body_of(environ)
        try:
            member = next(each for each in self._members() if each.number == number)
            method, target = environ["REQUEST_METHOD"], target_of(environ)
            answer = self._peers.send(member, method, target, headers=headers, body=sent)
            return send_on(answer, environ, start_response)
        except (StopIteration, UnservedError, LostForwardError, UnreachableStoreError, ValueError):
            start_response("503 Service Unavailable", TEXT)
            return [GONE]
