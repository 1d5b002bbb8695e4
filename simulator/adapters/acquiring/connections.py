"""Lines of card messages: a stream of frames, each behind its length in two bytes.

One end is the gateway's link, the other a card host; both read and write here. A frame that is
longer than a message may be is passed over, and the line stays up; a line whose first bytes are no
message, such as a request of HTTP, is closed. Choice: D-183.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import gevent
from gevent import socket
from gevent.lock import BoundedSemaphore
from gevent.server import StreamServer

from simulator.adapters.acquiring.codec import LENGTH_BYTES, TPDU, TPDU_BYTES, framed
from simulator.adapters.logs import LimitedLog
from simulator.adapters.turns import BACKLOG, next_turn
from simulator.domain.acquiring.fields import FRAME_BYTES_MAX
from simulator.domain.core.errors import EpochEndedError

LOG = logging.getLogger("sandgate.card_link")
# Before a sign-on little is read at once: there may be many lines, and each keeps its piece.
PIECE_BYTES, FIRST_PIECES_BYTES = 65_536, 4096
# The protocol that a TPDU names first; the addresses behind it may be others than ours.
TPDU_START = bytes.fromhex(TPDU)[:1]
CONNECT_S = 5.0
# Wire time: how long a line may be open before anybody signs on, and how many lines there may be.
SIGN_ON_WITHIN_S = 30.0
LINES_MAX = 2_000
ROOM_S = 1.0
# More at once would fill the event loop with new lines, for which all others wait.
ACCEPTED_AT_ONCE = 4


class LinkConnection:
    """One connection. `signed_on`, `sandbox` and the id of its `epoch` are for the holder of this
    end; it `is_lost` once a message could not be sent.

    `is_known` says that the other end speaks card messages: this end connected to it, or one was
    read. What it causes is logged by `log`.
    """

    __slots__ = (
        "sandbox", "epoch", "signed_on", "_socket", "_turn", "closed", "is_known", "is_lost", "log",
    )  # fmt: skip

    def __init__(self, connected: Any, *, is_known: bool = True, log: LimitedLog | None = None):
        self._socket = connected
        self.is_known = is_known
        self.log = log or LimitedLog(LOG)
        self._turn = BoundedSemaphore(1)
        self.signed_on = False
        self.sandbox = self.epoch = ""
        self.closed = self.is_lost = False

    def send(self, raw: bytes) -> bool:
        """Send a message; whether the line was up."""
        return self._send(framed(raw))

    def break_off(self, raw: bytes) -> None:
        """Send half a message, and close the line."""
        self._send(framed(raw)[: len(raw) // 2])
        self.close()

    def frames(self) -> Iterator[bytes]:
        """The messages that arrive, until the line is closed by either end."""
        held = bytearray()
        while (piece := self._received()) != b"":
            held += piece
            while len(held) >= LENGTH_BYTES:
                size = int.from_bytes(held[:LENGTH_BYTES], "big")
                if not self.is_known and not _may_begin_message(held, size):
                    self.log.warning("a line was closed: what came first is no message")
                    self.close()
                    return
                if size > FRAME_BYTES_MAX:
                    self._pass_over(held, size)
                    continue
                if len(held) < LENGTH_BYTES + size:
                    break
                raw = bytes(held[LENGTH_BYTES : LENGTH_BYTES + size])
                del held[: LENGTH_BYTES + size]
                yield raw
        if held and not self.closed:
            self.log.warning("a line was closed in the middle of a message")

    def close(self) -> None:
        """Close the line; its reader comes to its end."""
        self.closed = True
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _send(self, content: bytes) -> bool:
        if self.closed:
            return False
        try:
            with self._turn:
                # What sendall does, without asking the system for the size of its buffer each time.
                while content:
                    content = content[self._socket.send(content) :]
        except OSError:
            self.is_lost = True
        return not self.is_lost

    def _received(self) -> bytes:
        try:
            size = PIECE_BYTES if self.signed_on else FIRST_PIECES_BYTES
            return b"" if self.closed else self._socket.recv(size)
        except OSError:
            return b""

    def _pass_over(self, held: bytearray, size: int) -> None:
        self.log.warning("message refused: %d bytes, at most %d", size, FRAME_BYTES_MAX)
        left = LENGTH_BYTES + size
        while left > len(held):
            left -= len(held)
            held.clear()
            piece = self._received()
            if not piece:
                return
            held += piece
        del held[:left]
        next_turn()


def _may_begin_message(held: bytearray, size: int) -> bool:
    """Whether a message of this size may begin with these bytes: each has a TPDU in front."""
    header = held[LENGTH_BYTES : LENGTH_BYTES + 1]
    return TPDU_BYTES < size <= FRAME_BYTES_MAX and TPDU_START.startswith(header)


class CardReach:
    """Where lines to the card host lead: into the process, until the host listens at an address."""

    def __init__(self, serve: Callable[[LinkConnection], object]):
        self._serve = serve
        self._address: tuple[str, int] | None = None

    def move(self, address: tuple[str, int]) -> None:
        """Lines lead to `address` from now on."""
        self._address = address

    def connect(self) -> LinkConnection:
        """A line. Raises OSError."""
        if self._address is None:
            return pair_to(self._serve)
        return connected(self._address, CONNECT_S)


def connected(address: tuple[str, int], timeout_s: float) -> LinkConnection:
    """A line to a card host. Raises OSError."""
    made = socket.create_connection(address, timeout=timeout_s)
    made.settimeout(None)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return LinkConnection(made)


def pair_to(serve: Callable[[LinkConnection], object]) -> LinkConnection:
    """A connection inside the process to the server of its other end, where nothing listens."""
    ours, theirs = socket.socketpair()
    gevent.spawn(serve, LinkConnection(theirs, is_known=False))
    return LinkConnection(ours)


def listener_for(
    address: tuple[str, int],
    serve: Callable[[LinkConnection], object],
    *,
    lines_max: int = LINES_MAX,
    sign_on_within_s: float = SIGN_ON_WITHIN_S,
) -> StreamServer:
    """A listener that gives each line to `serve`, started. Raises OSError.

    Where there are too many, the oldest without a sign-on makes room; where each has signed on, the
    new one is closed at once. One without a sign-on in time is closed too.
    """
    room, log = BoundedSemaphore(lines_max), LimitedLog(LOG)
    lines: dict[LinkConnection, None] = {}

    def handle(accepted: Any, _: object) -> None:
        line = LinkConnection(accepted, is_known=False, log=log)
        if not room.acquire(timeout=_make_room(lines) if room.locked() else None):
            log.warning("a line was refused: there are %d", lines_max)
            line.close()
            return
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        impatient = gevent.spawn_later(sign_on_within_s, _close_unknown, line)
        lines[line] = None
        try:
            serve(line)
        finally:
            del lines[line]
            impatient.kill(block=False)
            room.release()

    listener = StreamServer(address, handle, backlog=BACKLOG)
    listener.max_accept = ACCEPTED_AT_ONCE
    listener.start()
    return listener


def _make_room(lines: dict[LinkConnection, None]) -> float:
    """Close the oldest line without a sign-on; the seconds within which there is room then."""
    oldest = next((line for line in lines if not line.sandbox and not line.closed), None)
    if oldest is None:
        return 0.0
    oldest.log.warning("a line was closed for another: it did not sign on")
    oldest.close()
    return ROOM_S


def _close_unknown(line: LinkConnection) -> None:
    if not line.sandbox:
        line.log.warning("a connection was closed: it did not sign on")
        line.close()


def give_way() -> None:
    """Let others have their turn."""
    next_turn()


def beside(work: Callable[..., object], *arguments: object, **named: object) -> None:
    """Do `work` in a greenlet of its own, until the epoch of its sandbox ends."""

    def in_epoch() -> None:
        with suppress(EpochEndedError):
            work(*arguments, **named)

    gevent.spawn(in_epoch)
