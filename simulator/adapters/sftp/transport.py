"""Connections of the library that hold the other side to what it may send.

The library keeps all that is sent to a channel until it is read, and every channel that was ever
opened; and it reads a message beyond its end, where all numbers are nought. Choice: D-421.
"""

from collections.abc import Callable
from contextlib import suppress
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any

from paramiko import Channel, Message, SSHException, Transport
from paramiko.common import MSG_CHANNEL_DATA, MSG_CHANNEL_EXTENDED_DATA
from paramiko.packet import Packetizer

from simulator.adapters.sftp.library_log import INCOMING, OUTGOING, log_no_traceback
from simulator.adapters.sftp.login import SftpLogin

ANSWERS_BYTES = 64 * 1024
# A client may ask for a whole file before it reads the first answer, as the library does: 28 bytes
# for each 32 KiB. Where the window is full it waits for ever, for it reads no answer meanwhile.
REQUESTS_BYTES = 2 * 1024 * 1024
# Of elliptic curves alone: others take the processor for tens of milliseconds, and seconds in a
# group that the other side chooses.
KEY_EXCHANGES = ("curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384")


class WholeMessage(Message):
    """A message that is read to its end and no further: a count of four bytes that nothing follows
    would be thousands of millions of empty members. Reading on raises SSHException.
    """

    def get_bytes(self, n: int) -> bytes:
        """The next `n` bytes."""
        read: bytes = self.packet.read(n)
        if len(read) < n:
            raise SSHException("expected a message of the length that it names")
        return read

    def get_text(self) -> str:
        """The next text. What is no UTF-8, such as a name of a user, becomes one that is not known:
        no merchant, no file and no method has it.
        """
        return self.get_string().decode(errors="replace")


class WholePackets(Packetizer):
    """The packets of a connection, each a whole message."""

    def read_message(self) -> tuple[int, Message]:
        """The kind of the next message, and what is in it."""
        kind, came = super().read_message()
        message = WholeMessage(came.asbytes())
        message.seqno = came.seqno
        return kind, message


def _feed(channel: Channel, message: Message) -> None:
    Channel._feed(channel, message)  # type: ignore[attr-defined]
    if len(channel.in_buffer) > channel.in_window_size:
        raise SSHException("expected no more than the window allows")


def _refuse(channel: Channel, message: Message) -> None:
    raise SSHException("expected no extended data from a client")


def _drop(channel: Channel, message: Message) -> None:
    """What a server says beside its answers, which nothing reads."""


def _send_at_once(sock: Any) -> Any:
    # The last bytes of an answer may wait for a delayed ACK otherwise, 40 ms each time. Some
    # systems refuse it to a connection that has ended, which the first read finds out.
    with suppress(OSError):
        sock.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return sock


class OutgoingTransport(Transport):
    """A connection to a server; it ends where the server sends beyond the window. What the library
    logs of it may repeat what the server said: `shown` is what is left of each line.
    """

    _channel_handler_table = {
        **Transport._channel_handler_table,  # type: ignore[attr-defined]
        MSG_CHANNEL_DATA: _feed,
        MSG_CHANNEL_EXTENDED_DATA: _drop,
    }

    def __init__(self, sock: Any, shown: Callable[[str], str]):
        self._shown = shown
        super().__init__(
            _send_at_once(sock),
            default_window_size=ANSWERS_BYTES,
            packetizer_class=WholePackets,
        )
        self.set_log_channel(OUTGOING)

    def _log(self, level: int, message: object, *rest: Any) -> None:
        if isinstance(message, str) and self.logger.isEnabledFor(level):
            message = self._shown(message)
        log_no_traceback(self, level, message, *rest)


class IncomingTransport(Transport):
    """A connection of a client; it ends where the client sends beyond the window."""

    _channel_handler_table = {
        **OutgoingTransport._channel_handler_table,
        MSG_CHANNEL_EXTENDED_DATA: _refuse,
    }

    _log = log_no_traceback

    def __init__(self, sock: Any):
        super().__init__(
            _send_at_once(sock),
            default_window_size=REQUESTS_BYTES,
            packetizer_class=WholePackets,
        )
        self.set_log_channel(INCOMING)

    def open_channels(self) -> int:
        """How many there are."""
        return len(self._channels)  # type: ignore[attr-defined]

    def waiting_bytes(self) -> int:
        """How much came and was not read yet, over all channels."""
        channels = self._channels.values()  # type: ignore[attr-defined]
        return sum(len(each.in_buffer) for each in channels)

    def _auth_trigger(self) -> None:
        # The library calls it once the password or the signature was right, and at no other time.
        super()._auth_trigger()  # type: ignore[misc]
        assert isinstance(self.server_object, SftpLogin), "what serves a client logs it in"
        self.server_object.enter()

    def _queue_incoming_channel(self, channel: Channel) -> None:
        # Those that are open stay here: the library closes one that nothing refers to.
        with self.lock:
            kept = [each for each in self.server_accepts if not each.closed]
            self.server_accepts: list[Channel] = [*kept, channel]


def end(transport: Transport) -> None:
    """Close a connection, and free one without a login at once: the garbage collector looks seldom,
    and took half a second for two thousand that it found together.
    """
    packetizer, may_be_read = transport.packetizer, transport.is_authenticated()
    transport.close()
    # The library's timer for a handshake keeps the connection in memory for 15 s.
    packetizer.complete_handshake()
    if may_be_read:
        return  # Channels are about to notice the end, and ask it.
    # Each holds itself, by what it calls back.
    for each in (transport, packetizer):
        vars(each).clear()
