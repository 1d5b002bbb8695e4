"""One connection of a listener: a greenlet that reads requests and sends what answers them.

- It waits in the event loop before every read, and switches before a request that is here already:
  no connection is served again and again while others wait.
- A short body is read before the application is called. A longer one the application reads itself,
  after it has checked the head: what it refuses unread is never in memory.
- A phase has a time, and `until` is when it is over. The listener looks at all connections every
  tenth of a second; it throws while this greenlet waits for its socket, never into the application.
- While the application works, the socket alone may be closed (`release`): what was begun is carried
  out, and its answer is sent nowhere.
"""

import logging
import socket as sockets
import struct
from collections.abc import Callable
from functools import partial
from io import BytesIO
from time import monotonic
from typing import Any, Protocol
from wsgiref.types import WSGIApplication

import gevent
from gevent.hub import GreenletExit, get_hub
from gevent.socket import socket

from simulator.adapters.http.address_turns import AddressTurns
from simulator.adapters.http.faults import UnsentAnswer, break_answer
from simulator.adapters.http.late_body import LateBody
from simulator.adapters.http.limits import (
    ANSWERING,
    BODY,
    HEAD,
    HELD,
    IDLE,
    LINGERING,
    SENDING,
    Limits,
    ReceiveBudget,
    SendBudget,
    TakingTime,
)
from simulator.adapters.http.owner_turns import OwnerTurns
from simulator.adapters.http.peers import has_left
from simulator.adapters.http.requests import IncomingRequest, RequestReader
from simulator.adapters.http.responses import ResponseHead, refusal_of, whole_or_coming
from simulator.adapters.http.sources import source_of
from simulator.adapters.tls.link import TlsLink
from simulator.adapters.turns import EVERYBODY, LONG_WORK, OWNER, REQUESTS, next_turn, work_for
from simulator.domain.core.errors import EpochEndedError, UnreadableRequestError
from simulator.domain.transport import FAULT_KEY, HOLDER_KEY

LOG = logging.getLogger("sandgate.server")
RECEIVE_BYTES = 16 * 1024
# Longer answers are not copied, and counted while they are sent.
SHORT_BYTES_MAX = 16 * 1024
PIECE_BYTES = 64 * 1024
DRAIN_BYTES = 64 * 1024 * 1024
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
READABLE = 1
MISDIRECTED = "Host: expected an address, localhost, or the name in --host or --public-url"
NEVER = float("inf")
# Close without sending what is left: the peer receives a reset.
ABORT = struct.pack("ii", 1, 0)
READING = (HEAD, BODY)


class Service(Protocol):
    """What a connection needs of its listener."""

    answer: Callable[[int, str], bytes]
    application: WSGIApplication
    budget: ReceiveBudget
    date: str
    environ: dict[str, Any]
    is_misdirected: Callable[[str], bool]
    limits: Limits
    owner_turns: OwnerTurns
    stopping: bool
    dismissed: bool
    turns: AddressTurns
    unsent: SendBudget


class PeerConnection:
    """One peer. `phase`, `since`, `until` and `holder` are for the listener that watches it."""

    def __init__(self, service: Service, client: socket | TlsLink, address: tuple[str, int]):
        self._service = service
        self._socket = client
        self._tls = client if isinstance(client, TlsLink) else None
        # One of TLS had its turns in the handshake.
        self._awaits_turn = self._tls is None
        self._turn = 0  # Of the event loop, in which it had its last one.
        self._readable = get_hub().loop.io(client.fileno(), READABLE)
        base = {
            **service.environ,
            "REMOTE_ADDR": address[0],
            "REMOTE_PORT": str(address[1]),
            "sandgate.has_left": partial(has_left, client),
        }
        self._reader = RequestReader(base, limits=service.limits)
        # Whose work the last request was, as far as is known.
        self._source = self._owner = source_of(address[0])
        # Of the request that is answered.
        self._environ: dict[str, Any] = {}
        self._host, self.is_released = "", False
        # Whether what the peer still sends belongs to no request that is served.
        self._is_cut = False
        self.greenlet = gevent.getcurrent()
        self.enter(IDLE)

    def serve(self) -> None:
        """Serve one request after another until the peer, a limit or the listener ends it."""
        try:
            refusal = self._serve_requests()
            if refusal is not None:
                self._refuse(*refusal)
            if self._is_cut:
                self._linger()
        except OSError as error:
            LOG.debug("the peer left: %s", error)
        except EpochEndedError as error:
            # While a long answer was sent: the peer sees that it is cut.
            LOG.debug("an answer was cut: %s", error)
        except GreenletExit:
            # Left to the greenlet, it would reference its frames, and these the answer: a cycle.
            LOG.debug("the peer was cut off")
        finally:
            self._service.budget.release(self)
            self._reader.close()
            self._readable.close()

    def enter(self, phase: str) -> None:
        """Begin a phase, and its time."""
        self.phase, self.since = phase, monotonic()
        self.until = self.since + getattr(self._service.limits, phase)

    @property
    def holder(self) -> str:
        """For whom it is held: the sandbox of the request that is answered, else the address of
        the peer.
        """
        name = self._environ.get(HOLDER_KEY) if self.phase == ANSWERING else None
        return name or self._source

    def look_for_peer(self) -> None:
        """Release it where the peer has closed its end of it; called by the event loop."""
        if self.has_left():
            self.release()
        else:
            self.until = monotonic() + self._service.limits.look_s

    def release(self) -> None:
        """Close the socket while the application goes on; called by the event loop."""
        self.until, self.is_released = NEVER, True
        self._socket.close()

    def end_waiting(self, status: int, reason: str) -> None:
        """Refuse the request that is being read; without one, close. Called by the event loop."""
        if self.phase in READING:
            self.end_reading(status, reason)
        else:
            self.greenlet.throw(GreenletExit)

    def end_reading(self, status: int, reason: str) -> None:
        """Refuse the request that is being read, if it still is. Called by the event loop."""
        if self.phase in READING:
            self.until = NEVER
            self.greenlet.throw(UnreadableRequestError(status, reason))

    def end_sending(self) -> None:
        """Cut off a peer that does not take its answer, if it still is one. Called by the event
        loop.
        """
        if self.phase == SENDING:
            self.greenlet.throw(GreenletExit)

    def send(self, data: bytes, within_s: float = NEVER) -> None:
        """Send all of it, within this time where it is shorter. Raises OSError."""
        self.enter(SENDING)
        self.until = min(self.until, self.since + within_s)
        left = memoryview(data)
        if len(data) <= SHORT_BYTES_MAX:
            left = left[self._socket.send(data) :]
        if left:
            self._send_slowly(left)

    def pause(self, seconds: float) -> None:
        """Send nothing for so long; the listener may close the connection meanwhile."""
        self.enter(HELD)
        gevent.sleep(seconds)

    def has_left(self) -> bool:
        """Whether the peer has closed its end."""
        return has_left(self._socket)

    def reset(self) -> None:
        """Have the peer receive a reset when the connection is closed."""
        self._socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, ABORT)

    def receive(self) -> bool:
        """Read on; False where the peer left between two requests. Raises
        UnreadableRequestError.
        """
        reader, request = self._reader, self._reader.request
        if self.is_released:
            raise UnreadableRequestError(400, "the request ended early")
        if request is not None and request.expects:
            request.expects = False
            self._socket.sendall(CONTINUE)
        if request is not None and reader.unread:
            next_turn()
            reader.feed(b"")
        elif data := self._take():
            reader.feed(data)
        elif self.phase == IDLE:
            self._take_turn()
            return False
        else:
            raise UnreadableRequestError(400, "the request ended early")
        self._note()
        return True

    def _take(self) -> bytes:
        """What comes next, in one turn of the event loop."""
        self._wait_for_more()
        if self._awaits_turn:
            self._awaits_turn = False
            self._take_turn(is_begun=False)
            if self._service.turns.is_crowded(self._source) and self.has_left():
                return b""
        data: bytes = self._socket.recv(RECEIVE_BYTES)
        return data

    def _begin(self) -> None:
        while self._service.unsent.is_full:
            next_turn()
        if self._owner == self._source and self._service.owner_turns.is_bounded:
            self._take_turn()
        else:
            self._service.owner_turns.take(self._owner)

    def _take_turn(self, *, is_begun: bool = True) -> None:
        """Go on in a turn of its address, as this may be."""
        if self._turn != get_hub().loop.iteration:
            self._service.turns.take(self._source, is_begun=is_begun)
            self._turn = get_hub().loop.iteration

    def _wait_for_more(self) -> None:
        """Wait until something can be read: one turn of the event loop at least, but for the rest
        of a record of TLS that is decrypted.
        """
        if self._tls is not None and self._tls.has_record:
            next_turn()
        elif self._tls is None or not self._tls.pending():
            get_hub().wait(self._readable)

    def _note(self) -> None:
        """Enter the phase that the reader is in now, and count what it holds."""
        reader = self._reader
        request = reader.request
        if request is not None and request.is_whole:
            return
        if self.phase != (phase := HEAD if request is None else BODY):
            self.enter(phase)
        self._service.budget.hold(self, reader.held)

    def _serve_requests(self) -> tuple[int, str] | None:
        """Serve them; the status and the reason where one is refused. Raises OSError."""
        try:
            while self._serve_next():
                pass
        except UnreadableRequestError as error:
            # Not the error: its frames reference what was read, while the peer is waited for.
            return error.status, error.reason
        return None

    def _serve_next(self) -> bool:
        """Whether another request may follow. Raises UnreadableRequestError, OSError."""
        # Until it is known whose request it is.
        work_for(EVERYBODY)
        request = self._next_request()
        if request is None:
            return False
        self._service.budget.release(self)
        host = request.environ.get("HTTP_HOST", "")
        if host != self._host and self._service.is_misdirected(host):
            raise UnreadableRequestError(421, MISDIRECTED)
        self._host, self._environ = host, request.environ
        self.enter(ANSWERING)
        self._begin()
        is_open = self._answer(request)
        self._owner = OWNER.get() or self._source
        # It has the body, which may be long, and the peer may stay.
        self._environ = {}
        if not request.is_whole:
            self._is_cut = True
            return False
        self.enter(IDLE)
        if is_open and self._reader.unread:
            next_turn()
        return is_open

    def _next_request(self) -> IncomingRequest | None:
        reader = self._reader
        reader.go_on()
        if reader.unread or reader.request is not None:
            self._note()
        while reader.request is None or reader.request.is_read_ahead:
            if self._service.dismissed and self.phase == IDLE:
                return None
            if not self.receive():
                return None
        return reader.request

    def _answer(self, request: IncomingRequest) -> bool:
        """Send what the application answers; whether the connection stays open."""
        service, environ = self._service, request.environ
        environ["wsgi.input"] = self._input_of(request)
        head = ResponseHead(close=not (request.is_whole and request.keeps_open))
        REQUESTS.begin(self)
        try:
            pieces = service.application(environ, head.start)
        except UnreadableRequestError:
            raise
        except Exception:
            LOG.exception("the application failed")
            raise UnreadableRequestError(500, "internal error; see the server log") from None
        finally:
            REQUESTS.end(self)
        head.close = head.close or service.stopping or not request.is_whole
        with whole_or_coming(pieces) as body:
            method, version = environ["REQUEST_METHOD"], environ["SERVER_PROTOCOL"]
            length = None if body is None else len(body)
            sent = head.to_bytes(service.date, method=method, version=version, length=length)
            if (fault := environ.get(FAULT_KEY)) is not None:
                if not break_answer(self, fault, UnsentAnswer(sent, body or b"")):
                    return False
            elif body is not None and len(body) <= SHORT_BYTES_MAX:
                self.send(sent + body)
            else:
                self.send(sent)
                if body is not None:
                    self.send(body)
            if body is None:
                self._send_pieces(head, pieces)
        return not head.close

    def _input_of(self, request: IncomingRequest) -> BytesIO | LateBody:
        environ = request.environ
        if not request.is_whole:
            environ["wsgi.input_terminated"] = True
            return LateBody(self, request)
        if request.stated is None:
            del environ["HTTP_TRANSFER_ENCODING"]
            environ["CONTENT_LENGTH"] = str(request.length)
        body, request.body = request.body, bytearray()
        return BytesIO(body)

    def _send_pieces(self, head: ResponseHead, pieces: Any) -> None:
        """Send each piece as it comes, with a turn for the others after it."""
        time = TakingTime(self._service.limits)
        for piece in pieces:
            if piece:
                self.send(head.framed(piece), time.left_s)
                time.spend(monotonic() - self.since, len(piece))
            self.enter(ANSWERING)
            LONG_WORK.take()
        if head.is_chunked:
            self.send(head.framed(b""))

    def _send_slowly(self, left: memoryview) -> None:
        unsent = self._service.unsent
        try:
            while left:
                unsent.hold(self, len(left))
                left = left[self._socket.send(left[:PIECE_BYTES]) :]
        finally:
            unsent.release(self)

    def _refuse(self, status: int, reason: str) -> None:
        LOG.debug("a request was refused: %s", reason)
        service, self._is_cut = self._service, True
        body = service.answer(status, reason)
        self.send(refusal_of(status, body, service.date, method=self._reader.method))

    def _linger(self) -> None:
        # A peer that still sends would get a reset and no answer: take what comes, for a moment.
        self._service.budget.release(self)
        self._reader.close()
        self.enter(LINGERING)
        left = DRAIN_BYTES
        try:
            self._socket.shutdown(sockets.SHUT_WR)
            while left > 0 and (piece := self._take()):
                left -= len(piece)
        except (OSError, ValueError) as error:
            LOG.debug("the peer left first: %s", error)
