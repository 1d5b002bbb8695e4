"""One TLS connection over a socket, which gives its records to OpenSSL one by one.

OpenSSL itself works off all that has come before it returns: a peer that sends nothing but messages
of the protocol, such as key updates, would hold the event loop for as long as it sends. Here no
more than some records in a row may bring nothing, and no more than some bytes of a whole
connection. Choice: D-713.
"""

import ssl

from gevent.socket import socket

RECEIVE_BYTES = 16 * 1024
# The head of a record: its type, the version, the length of what follows.
HEAD_BYTES = 5
# With all that encryption may add.
RECORD_BYTES_MAX = 16 * 1024 + 2048
TYPES, HANDSHAKE, MAJOR_VERSION = range(20, 24), 22, 3
# A handshake has some ten, and beside its answers a peer sends two tickets, and a key update now
# and then.
QUIET_RECORDS_MAX = 32
# In a handshake, which may bring a chain of certificates, and then as long as a connection lasts.
QUIET_BYTES_MAX = 128 * 1024
# Of a client: its length stands behind the type of the message, and so much memory is taken.
HELLO_HEAD_BYTES, HELLO_BYTES_MAX = 4, 16 * 1024


class TlsLink:
    """A connection to `client`, which is connected. Without a time-out; used by one greenlet.

    Every call may raise OSError.
    """

    __slots__ = ("_arrived", "_client", "_has_ended", "_incoming", "_is_first", "_last",
                 "_outgoing", "_quiet", "_quiet_bytes", "_tls")  # fmt: skip

    def __init__(self, client: socket, context: ssl.SSLContext, *, server: str | None = None):
        """The side of a client of `server` if that is given, else that of a server."""
        self._client = client
        self._arrived = bytearray()
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._quiet = self._quiet_bytes = self._last = 0
        self._has_ended = False
        # What a server reads first is the hello of a client.
        self._is_first = server is None
        self._tls: ssl.SSLObject | None = context.wrap_bio(
            self._incoming, self._outgoing, server_side=server is None, server_hostname=server
        )

    @property
    def is_begun(self) -> bool:
        """Whether the other side has sent what a handshake begins with."""
        tls = self._tls
        return tls is not None and (tls.cipher() is not None or tls.shared_ciphers() is not None)

    @property
    def has_arrived(self) -> bool:
        """Whether something has come that was not read yet."""
        return bool(self._arrived) or self.pending()

    @property
    def has_record(self) -> bool:
        """Whether a record has come that is not decrypted yet, and `recv` does not return the rest
        of one: others may have their turn first.
        """
        return self._tls is not None and not self.pending() and self._record_bytes() > 0

    def step(self) -> bool:
        """Go on with the handshake as far as is possible at once; whether it is over."""
        assert self._tls is not None, "no handshake follows the end"
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                pass
            else:
                self._quiet = self._quiet_bytes = self._last = 0
                return True
            finally:
                self._flush()
            if not self._give():
                return False

    def receive(self) -> None:
        """Wait for what comes next."""
        data = self._client.recv(RECEIVE_BYTES)
        self._arrived += data
        if not data:
            self._has_ended = True
            self._incoming.write_eof()

    def finish_handshake(self) -> None:
        """Wait for the end of the handshake."""
        while not self.step():
            self.receive()

    def recv(self, most: int) -> bytes:
        """What the peer sent, at most so many bytes; none where it has ended."""
        if self._tls is None:
            ended: bytes = self._client.recv(most)
            return ended
        while True:
            try:
                data = self._tls.read(most)
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLEOFError:
                return b""
            else:
                self._note_data()
                return data
            finally:
                self._flush()
            while not self._give():
                self.receive()

    def pending(self) -> bool:
        """Whether `recv` returns the rest of a record."""
        return self._tls is not None and self._tls.pending() > 0

    def send(self, data: bytes | memoryview) -> int:
        """Send some of it; how many bytes."""
        assert self._tls is not None, "nothing is sent after the end"
        sent = self._tls.write(data)
        self._flush()
        return sent

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        left = memoryview(data)
        while left:
            left = left[self.send(left) :]

    def shutdown(self, how: int) -> None:
        """Send nothing more; what is received afterwards is not read as TLS."""
        self._tls = None
        self._client.shutdown(how)

    def setsockopt(self, level: int, option: int, value: int | bytes) -> None:
        """Set an option of the socket."""
        self._client.setsockopt(level, option, value)

    def getsockopt(self, level: int, option: int, length: int, /) -> bytes:
        """The value of an option of the socket."""
        value: bytes = self._client.getsockopt(level, option, length)
        return value

    def fileno(self) -> int:
        """The number of the socket."""
        number: int = self._client.fileno()
        return number

    def close(self) -> None:
        """Close the socket."""
        self._client.close()

    def _give(self) -> bool:
        """Give OpenSSL the next record; whether one has come whole, or the end."""
        size = self._record_bytes()
        if not size:
            return self._has_ended
        self._refuse_crowd(size)
        self._incoming.write(self._arrived[:size])
        del self._arrived[:size]
        return True

    def _refuse_crowd(self, size: int) -> None:
        """Raise ConnectionAbortedError for a record that is one too many, or the hello of a client
        that names a long message.
        """
        is_hello = self._is_first and self._arrived[0] == HANDSHAKE
        hello = self._arrived[HEAD_BYTES:size] if is_hello else b""
        self._is_first = False
        length = int.from_bytes(hello[1:HELLO_HEAD_BYTES])
        if hello and (len(hello) < HELLO_HEAD_BYTES or length > HELLO_BYTES_MAX):
            raise ConnectionAbortedError("a TLS hello that is cut, or too long")
        self._quiet += 1
        self._quiet_bytes += size
        self._last = size
        if self._quiet > QUIET_RECORDS_MAX or self._quiet_bytes - size > QUIET_BYTES_MAX:
            raise ConnectionAbortedError("too many TLS records that bring nothing")

    def _note_data(self) -> None:
        """The last record brought something."""
        self._quiet_bytes -= self._last
        self._quiet = self._last = 0

    def _record_bytes(self) -> int:
        """The length of the next record if it has come whole. What is none is given as it is:
        OpenSSL refuses it.
        """
        arrived = self._arrived
        if arrived and arrived[0] not in TYPES:
            return len(arrived)
        if len(arrived) < HEAD_BYTES:
            return 0
        size = HEAD_BYTES + int.from_bytes(arrived[3:HEAD_BYTES])
        if arrived[1] != MAJOR_VERSION or size > HEAD_BYTES + RECORD_BYTES_MAX:
            return len(arrived)
        return size if len(arrived) >= size else 0

    def _flush(self) -> None:
        data = self._outgoing.read()
        if data:
            self._client.sendall(data)
