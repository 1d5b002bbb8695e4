"""The connection of one till: messages in and out, and the wait for what acknowledges one."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from time import monotonic

from pos_emulator.ecr.zvt.codes import ZvtCommand
from pos_emulator.ecr.zvt.frames import DLE, Apdu, FrameError, Signal
from pos_emulator.ecr.zvt.settings import ZvtSettings

READ_BYTES = 4096
# How a connection of a till begins: with a class of commands, or a sign of the serial line. A page
# in a browser can open one too; it begins with a method of HTTP or with TLS, and commands may stand
# in what follows.
BEGINS = frozenset(
    bytes((each,))
    for each in (0x01, 0x04, 0x05, 0x06, 0x08, 0x0F, 0x80, 0x84, DLE, Signal.NAK.value)
)
REPEATS_MAX = 3


class LinkLostError(OSError):
    """The till is gone, or did not acknowledge a message in time."""


class Link:
    """Reads in one thread, sends in any. `is_lost` is final."""

    def __init__(self, connection: socket.socket, settings: ZvtSettings) -> None:
        self._socket, self._settings = connection, settings
        self._frames = settings.framing.frames()
        # A till may send acknowledgements that no message waits for, as many as it likes.
        self._acknowledged: Queue[Apdu | None] = Queue(maxsize=1)
        self._first = b""
        self._lock = threading.Lock()
        self._last, self._repeats = b"", 0
        self._lost = threading.Event()
        connection.settimeout(settings.acknowledge_s)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def is_lost(self) -> bool:
        """Whether the till is gone."""
        return self._lost.is_set()

    def is_lost_within(self, seconds: float) -> bool:
        """Whether the till is gone, or goes in so many seconds."""
        return self._lost.wait(seconds)

    def is_of_till(self) -> bool:
        """Wait for the first bytes, before any command is read: whether a till sends so."""
        with suppress(OSError):
            self._first = self._receive()
        return self._first[:1] in BEGINS

    def commands(self) -> Iterator[Apdu]:
        """The commands of the till until it is gone, silent for too long, or sends no messages."""
        try:
            data = self._first
            while data:
                for found in self._frames.feed(data):
                    yield from self._taken(found)
                data = self._receive()
        except (OSError, FrameError):
            # There is no one to answer, or no place where the next message begins.
            return
        finally:
            self.close()

    def reply(self, apdu: Apdu) -> None:
        """Send what is not acknowledged. Raises LinkLostError."""
        wrapped = self._frames.wrap(apdu)
        self._repeats = 0
        self._write(wrapped)

    def send(self, apdu: Apdu) -> None:
        """Send a message and wait until the till acknowledges it. Raises LinkLostError."""
        with suppress(Empty):
            self._acknowledged.get_nowait()
        self.reply(apdu)
        try:
            answer = self._acknowledged.get(timeout=self._settings.acknowledge_s)
        except Empty:
            answer = None
        if answer is None:
            self.close()
            raise LinkLostError(
                f"expected an acknowledgement within {self._settings.acknowledge_s:g} s"
            )

    def close(self) -> None:
        """End the connection, and the wait of `send`."""
        self._lost.set()
        self._acknowledge(None)
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _acknowledge(self, found: Apdu | None) -> None:
        with suppress(Full):
            self._acknowledged.put_nowait(found)

    def _receive(self) -> bytes:
        """The next bytes; none where the till has left or was silent for too long."""
        until = monotonic() + self._settings.idle_s
        while monotonic() < until:
            try:
                return self._socket.recv(READ_BYTES)
            except TimeoutError:
                if self._frames.has_part:
                    return b""
        return b""

    def _taken(self, found: Apdu | Signal) -> Iterator[Apdu]:
        if isinstance(found, Signal):
            self._signal(found)
            return
        if self._settings.framing.has_signals:
            self._write(bytes((Signal.ACK.value,)), is_message=False)
        if found.command >> 8 in (ZvtCommand.ACKNOWLEDGED >> 8, ZvtCommand.REFUSED >> 8):
            self._acknowledge(found)
        else:
            yield found

    def _signal(self, signal: Signal) -> None:
        if signal is Signal.DAMAGED:
            self._write(bytes((Signal.NAK.value,)), is_message=False)
        elif signal is Signal.NAK and self._repeats < REPEATS_MAX:
            self._repeats += 1
            self._write(self._last)

    def _write(self, data: bytes, *, is_message: bool = True) -> None:
        try:
            with self._lock:
                if is_message:
                    self._last = data
                self._socket.sendall(data)
        except OSError as error:
            self.close()
            raise LinkLostError(str(error)) from error
