"""Forwarding: a request is served here, or by the member that is the home of its sandbox.

It stands before everything else, so that the gateway behind it serves what comes, and knows of no
fleet. A request waits while its sandbox has no home, as after a member was killed; one whose answer
was lost on the way is not sent again, unless it only reads.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any, NamedTuple, Protocol
from wsgiref.types import StartResponse, WSGIApplication

import gevent

from simulator.adapters.fleet.beside import BesideHomes
from simulator.adapters.fleet.home_application import JSON, PLACE_KEY, refuse_unstored
from simulator.adapters.fleet.peers import (
    Body,
    ForwardedAnswer,
    LostForwardError,
    Peers,
    UnservedError,
    body_of,
)
from simulator.adapters.fleet.places import FindSandbox, place_of
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.turns import work_for
from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.transport import FAULT_KEY

LOG = logging.getLogger("sandgate.fleet")
# How long a request waits for its sandbox to have a home that answers.
WAIT_S_MAX, STEP_S = 8.0, 0.05
READS = ("GET", "HEAD", "OPTIONS")
NO_HOME = "no member of the fleet serves the sandbox at the moment; send the request again"
LOST = (
    "the member of the fleet that served the request was lost; whether it was carried out is not "
    "known, so look before it is sent again"
)
OVER = "this member of the fleet has lost its lease; send the request again"
SHORT_BYTES_MAX = 64 * 1024


class AnswerBodies(Protocol):
    """Bodies of answers that come from no application."""

    def __call__(self, status: int, reason: str, /) -> bytes:
        """That with this status and this explanation."""
        ...

    def not_stored(self, reason: str = ..., /) -> bytes:
        """That of a request of which nothing is kept."""
        ...


class ForwarderParts(NamedTuple):
    """What forwarding needs of its member: whether its lease lasts, the homes, the other members,
    the bodies of answers that do not come from the gateway, and what is served beside the homes.
    """

    is_valid: Callable[[], bool]
    homes: Homes
    peers: Peers
    answer: AnswerBodies
    beside: BesideHomes | None = None


class RequestForwarder:
    """A WSGI application before that of the gateway; `find` is that of `place_of`."""

    def __init__(self, application: WSGIApplication, parts: ForwarderParts, find: FindSandbox):
        self._application = application
        self._parts = parts
        self._find = find

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        parts = self._parts
        if not parts.is_valid() and not environ["PATH_INFO"].startswith("/_sandbox/health"):
            return refuse_unstored(start_response, parts.answer.not_stored(OVER))
        try:
            # Methods are of capital letters: any other is none, wherever it is asked.
            is_method = environ["REQUEST_METHOD"].isupper()
            place = place_of(environ, self._find) if is_method else None
            answer = None if place is None else self._forward(place, environ)
            if answer is not None:
                return send_on(answer, environ, start_response)
        except UnreachableStoreError as error:
            LOG.info("a request is not carried out: %s", error)
            return refuse_unstored(start_response, parts.answer.not_stored())
        except UnservedError:
            return refuse_unstored(start_response, parts.answer.not_stored(NO_HOME))
        except LostForwardError as error:
            LOG.warning("an answer of another member was lost: %s", error)
            start_response("503 Service Unavailable", JSON)
            return [parts.answer(503, LOST)]
        if place is not None:
            environ[PLACE_KEY] = place
        return self._application(environ, start_response)

    def _forward(self, place: str, environ: dict[str, Any]) -> ForwardedAnswer | None:
        """The answer of the home, or of what is served beside it; None where the home is here.
        Raises UnservedError, LostForwardError, UnreachableStoreError, UnreadableRequestError.
        """
        homes, until, body = self._parts.homes, monotonic() + WAIT_S_MAX, body_of(environ)
        while True:
            home = homes.home_of(place)
            if home is None:
                return None
            # A sandbox that has a home is one: what its clients send takes its turns here too.
            work_for(place)
            beside = self._parts.beside
            answer = None if beside is None else beside.serve(place, home, environ)
            if answer is not None:
                return answer
            try:
                return self._parts.peers.forward(home, place, environ, body)
            except UnservedError as error:
                reason: Exception = error
            except LostForwardError as error:
                if environ["REQUEST_METHOD"] not in READS:
                    raise
                reason = error
            homes.forget(place)
            if monotonic() > until or _is_spent(body):
                raise reason
            gevent.sleep(STEP_S)


def send_on(
    answer: ForwardedAnswer, environ: dict[str, Any], start_response: StartResponse
) -> Iterable[bytes]:
    """The answer of another member, and what a script does to the connection of the client. Raises
    LostForwardError where a short one does not come whole.
    """
    if answer.fault is not None:
        environ[FAULT_KEY] = answer.fault
    length = dict(answer.headers).get("Content-Length")
    is_short = length is not None and int(length) <= SHORT_BYTES_MAX
    pieces = [b"".join(answer.pieces)] if is_short else _cut_off(answer.pieces)
    start_response(answer.status, answer.headers)
    return pieces


def _cut_off(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces; where one is lost the client, which has the first, sees its connection end."""
    try:
        yield from pieces
    except LostForwardError as error:
        LOG.warning("an answer of another member was cut off: %s", error)
        raise ConnectionAbortedError(str(error)) from error


def _is_spent(body: Body) -> bool:
    """Whether something of the body was sent, and is not here any more."""
    return not isinstance(body, bytes) and body.has_begun
