"""What a script does to one connection instead of sending the answer. Choices: D-325, D-326.

Other connections are served meanwhile: whatever takes time waits in the event loop, and is closed
first where the listener has too many connections or stops.
"""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import NamedTuple, Protocol

from simulator.domain.transport import FaultKind, TransportFault

PIECES_PER_S = 10
LOOK_S = 0.5
PHRASES = {502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out"}
PAGE = "<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>\r\n"


class BrokenConnection(Protocol):
    """The connection of a client."""

    def send(self, data: bytes) -> None: ...
    def pause(self, seconds: float) -> None: ...
    def has_left(self) -> bool: ...

    def reset(self) -> None:
        """Have the client receive a reset when the connection is closed."""


class UnsentAnswer(NamedTuple):
    """An answer as it was to be sent: its head, and its body or the first piece of it."""

    head: bytes
    body: bytes

    @property
    def whole(self) -> bytes:
        return self.head + self.body


def break_answer(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> bool:
    """Do what the fault says; whether all of `answer` was sent, so that the connection may go on.

    Raises OSError where the client leaves.
    """
    WAYS[fault.kind](peer, fault, answer)
    return fault.kind is FaultKind.SLOW


def _reset(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    peer.reset()


def _close(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    """Send nothing: the caller closes the connection."""


def _cut(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    peer.send(answer.head + answer.body[: len(answer.body) // 2])


def _drip(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    whole = answer.whole
    count = max(1, min(len(whole), int(fault.seconds * PIECES_PER_S)))
    size = -(-len(whole) // count)
    starts = range(0, len(whole), size)
    for start in starts:
        peer.pause(fault.seconds / len(starts))
        peer.send(whole[start : start + size])


def _hold(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    until = monotonic() + fault.seconds
    while not peer.has_left() and (left := until - monotonic()) > 0:
        peer.pause(min(left, LOOK_S))


def _send_page(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    peer.send(_page("200 OK", "application/json;charset=UTF-8", title="Please try again later"))


def _send_proxy_error(peer: BrokenConnection, fault: TransportFault, answer: UnsentAnswer) -> None:
    title = f"{fault.status} {PHRASES[fault.status]}"
    peer.send(_page(title, "text/html", title=title))


def _page(status: str, content_type: str, *, title: str) -> bytes:
    body = PAGE.format(title=title)
    head = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n{body}".encode("ascii")


# fmt: off
WAYS: Mapping[FaultKind, Callable[[BrokenConnection, TransportFault, UnsentAnswer], None]] = {
    FaultKind.RESET:       _reset,
    FaultKind.CLOSE:       _close,
    FaultKind.CUT:         _cut,
    FaultKind.SLOW:        _drip,
    FaultKind.NO_ANSWER:   _hold,
    FaultKind.NOT_JSON:    _send_page,
    FaultKind.PROXY_ERROR: _send_proxy_error,
}
# fmt: on
