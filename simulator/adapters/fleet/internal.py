"""The internal listener of a member: what other members of the fleet send to it.

Every request has the key that they share. A forwarded one names the listener that took it, and is
given to the gateway as it came, whatever its path; the rest is between members.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from hmac import compare_digest
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication

import msgspec

from simulator.adapters.fleet.beside import BesideHomes
from simulator.adapters.fleet.calm_home import CalmHome
from simulator.adapters.fleet.calm_messages import (
    BEGIN,
    CALM,
    HAND,
    LEAVE,
    LEND,
    PART,
    STOP,
    HandedOver,
    LeftBehind,
    LendOrder,
    decoded,
    encoded,
    whole_body,
)
from simulator.adapters.fleet.giving import SandboxGiver
from simulator.adapters.fleet.home_application import PLACE_KEY
from simulator.adapters.fleet.peers import (
    FAULT,
    KEY,
    LISTENER,
    OWN_HEADERS,
    PLACE,
    REMOTE,
    SCHEME,
    SERVED,
    Peers,
)
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    UnreachableStoreError,
)
from simulator.domain.core.hosts import ACS_LISTENERS
from simulator.domain.transport import FAULT_KEY

HAND_OVER, METRICS = "/_member/hand-over/", "/_member/metrics"
OWN = [(SERVED, "yes")]
LOG = logging.getLogger("sandgate.fleet")
# What keeps a member from what another one asks of it: the database, or what became of a sandbox.
NOT_DONE = (DiskError, DamagedLogError, EpochEndedError, HomeNeededError)


class MemberParts(NamedTuple):
    """What the other members reach of this one: gateway and ACS, what gives its sandboxes away, its
    calm ones and those it serves beside their homes, and its metrics.
    """

    gateway: WSGIApplication
    acs: WSGIApplication
    giver: SandboxGiver
    calm: CalmHome
    beside: BesideHomes
    metrics: Callable[[], bytes]


class InternalApplication:
    """A WSGI application for members only; they share the secret `key`."""

    def __init__(self, key: str, homes: Homes, parts: MemberParts):
        self._key = key.encode()
        self._homes = homes
        self._parts = parts

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        sent = {name: environ.pop(_key_of(name), "") for name in OWN_HEADERS}
        if not compare_digest(sent[KEY].encode(), self._key):
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"expected the key of the fleet"]
        if sent[LISTENER]:
            return self._serve(sent, environ, start_response)
        try:
            return self._between_members(sent[PLACE], environ, start_response)
        except msgspec.MsgspecError:
            # Nothing that a member of any release says.
            start_response("400 Bad Request", OWN)
            return [b""]
        except NOT_DONE as error:
            LOG.info("what member %s asks for is not done: %s", sent[PLACE], error)
            start_response("503 Service Unavailable", OWN)
            return [b""]

    def _between_members(
        self, place: str, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        """What members ask of each other. Raises msgspec.MsgspecError, NOT_DONE."""
        path = environ["PATH_INFO"]
        if path == METRICS:
            metrics = self._parts.metrics()
            start_response("200 OK", [*OWN, ("Content-Type", "text/plain")])
            return [metrics]
        if path.startswith(HAND_OVER):
            is_given = self._parts.giver.give(path.removeprefix(HAND_OVER), _number_in(place))
            start_response("200 OK" if is_given else "409 Conflict", OWN)
            return [b""]
        if path == STOP:
            self._homes.note_stop(_number_in(place))
            start_response("409 Conflict" if self._homes.is_stopping else "200 OK", OWN)
            return [b""]
        if path.startswith(CALM):
            return self._speak(_number_in(place), environ, start_response)
        start_response("404 Not Found", OWN)
        return [b""]

    def _speak(
        self, member: int, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        """What members say to each other about a calm sandbox."""
        what, _, identity = environ["PATH_INFO"].removeprefix(CALM).partition("/")
        calm, body, said = self._parts.calm, whole_body(environ), b""
        if what == LEAVE:
            said = encoded(self._parts.beside.leave(identity, decoded(body, int)))
        elif self._homes.home_of(identity) is not None:
            start_response("421 Misdirected Request", [])
            return [b""]
        elif what == BEGIN:
            said = encoded(calm.begin(identity, member))
        elif what == LEND:
            said = encoded(calm.lend(identity, decoded(body, LendOrder)))
        elif what == HAND:
            calm.take_over(identity, decoded(body, HandedOver))
        elif what == PART:
            calm.part(identity, member, decoded(body, LeftBehind))
        start_response("200 OK", [*OWN, ("Content-Length", str(len(said)))])
        return [said]

    def _serve(
        self, sent: Mapping[str, str], environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        if sent[LISTENER] not in ACS_LISTENERS and not self._is_home(sent[PLACE]):
            start_response("421 Misdirected Request", [])
            return [b""]
        environ["sandgate.listener"], environ["wsgi.url_scheme"] = sent[LISTENER], sent[SCHEME]
        environ["REMOTE_ADDR"], environ[PLACE_KEY] = sent[REMOTE], sent[PLACE]
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], *_: object) -> Any:
            started[:] = status, headers

        is_of_acs = sent[LISTENER] in ACS_LISTENERS
        application = self._parts.acs if is_of_acs else self._parts.gateway
        pieces = application(environ, start)
        status, headers = started
        fault = environ.pop(FAULT_KEY, None)
        more = [] if fault is None else [(FAULT, msgspec.json.encode(fault).decode())]
        start_response(status, [*headers, *OWN, *more])
        return pieces

    def _is_home(self, place: str) -> bool:
        """Whether a sandbox has its home here; one that cannot be looked for is looked for again by
        who asks.
        """
        try:
            return self._homes.home_of(place) is None
        except UnreachableStoreError as error:
            LOG.info("the home of sandbox %s is not known: %s", place, error)
            return False


def ask_to_hand_over(peers: Peers, home: FleetPeer, identity: str, *, to: int) -> None:
    """Ask a member to give a sandbox to the one with the number `to`. Raises as Peers.send."""
    answer = peers.send(home, "POST", f"{HAND_OVER}{identity}", headers={PLACE: str(to)}, body=b"")
    for _ in answer.pieces:
        pass


def _number_in(place: str) -> int:
    """The number of a member. Raises msgspec.ValidationError."""
    return msgspec.convert(place, int, strict=False)


def _key_of(name: str) -> str:
    return "HTTP_" + name.upper().replace("-", "_")
