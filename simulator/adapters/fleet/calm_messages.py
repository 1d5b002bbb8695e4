"""What members say to each other: about a calm sandbox, as MessagePack, and that one stops.

begin    a member asks to serve a sandbox beside its home: the number of its calm, or 0
lend     it asks for requests that its merchant may make, counted by the home
hand     it hands over deliveries that it stored
part     it leaves a calm: the journal since, and the requests that were lent and not used
leave    the home asks it to
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import gevent
import msgspec

from simulator.adapters.fleet.peers import PLACE, LostForwardError, Peers, UnservedError
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.hosts import Host
from simulator.domain.webhooks.records import Delivery

CALM = "/_member/calm/"
BEGIN, LEND, HAND, PART, LEAVE = "begin", "lend", "hand", "part", "leave"
# A member says that it stops; who stops itself answers 409.
STOP = "/_member/stop"
# Members that are asked answer from memory, or after a few trips to the database.
ASK_S, STOP_S = 5.0, 1.0

Said = TypeVar("Said")


class LendOrder(msgspec.Struct, frozen=True):
    """Requests that a member asks for, in the calm with this number."""

    number: int
    host: Host
    merchant: str
    operation: str


class LentBlock(msgspec.Struct, frozen=True):
    """Requests that were lent: how many of them are left until the window ends."""

    host: Host
    merchant: str
    operation: str
    count: int
    ends: datetime


class HandedOver(msgspec.Struct, frozen=True):
    """Deliveries that are stored as under way."""

    deliveries: tuple[Delivery, ...] = ()


class LeftBehind(msgspec.Struct, frozen=True):
    """What a member has of the calm with this number, which it leaves: the dump of its journal,
    what it was lent, and whether it stored something with unknown outcome.
    """

    number: int
    journal: bytes = b""
    lent: tuple[LentBlock, ...] = ()
    is_unknown: bool = False


def encoded(message: object) -> bytes:
    """The bytes of a message."""
    return msgspec.msgpack.encode(message)


def decoded(body: bytes, kind: type[Said]) -> Said:
    """The message again. Raises msgspec.MsgspecError."""
    return msgspec.msgpack.decode(body, type=kind)


class CalmLine:
    """Asks other members, as the one with this number."""

    def __init__(self, peers: Peers, number: int, members: Callable[[], list[FleetPeer]]):
        self.number = number
        self.members = members
        self._peers = peers

    def ask(self, peer: FleetPeer, what: str, sandbox: str, message: object) -> bytes:
        """What a member answers. Raises UnservedError where it does not know what is asked, or not
        within five seconds; LostForwardError.
        """
        status, said = self._post(peer, f"{CALM}{what}/{sandbox}", encoded(message), ASK_S)
        if not status.startswith("200"):
            raise UnservedError(f"it answered {status}")
        return said

    def say_stop(self, peer: FleetPeer) -> bool:
        """Say that this member stops; whether the other one stays. Raises UnservedError,
        LostForwardError.
        """
        status, _ = self._post(peer, STOP, b"", STOP_S)
        return not status.startswith("409")

    def _post(
        self, peer: FleetPeer, target: str, body: bytes, within_s: float
    ) -> tuple[str, bytes]:
        headers = {PLACE: str(self.number)}
        try:
            with gevent.Timeout(within_s):
                answer = self._peers.send(peer, "POST", target, headers=headers, body=body)
                return answer.status, b"".join(answer.pieces)
        except gevent.Timeout:
            raise LostForwardError(f"no answer within {within_s:g} s") from None


def whole_body(environ: dict[str, Any]) -> bytes:
    """The whole body of a request between members."""
    body = environ["wsgi.input"]
    return b"".join(iter(lambda: body.read(64 * 1024), b""))
