"""A connection of the library that holds its client to the window it was given.

The library keeps all that a client sends to a channel until it is read. Choice: D-421.
"""

from typing import Any

from paramiko import Channel, Message, SSHException, Transport
from paramiko.common import MSG_CHANNEL_DATA, MSG_CHANNEL_EXTENDED_DATA

# A request to read has 30 bytes.
WINDOW_BYTES = 64 * 1024


def _feed(channel: Channel, message: Message) -> None:
    Channel._feed(channel, message)  # type: ignore[attr-defined]
    if len(channel.in_buffer) > WINDOW_BYTES:
        raise SSHException("expected no more than the window allows")


def _refuse(channel: Channel, message: Message) -> None:
    raise SSHException("expected no extended data from a client")


class WindowedTransport(Transport):
    """A connection; it ends where its client sends beyond the window."""

    _channel_handler_table = {
        **Transport._channel_handler_table,  # type: ignore[attr-defined]
        MSG_CHANNEL_DATA: _feed,
        MSG_CHANNEL_EXTENDED_DATA: _refuse,
    }

    def __init__(self, sock: Any):
        super().__init__(sock, default_window_size=WINDOW_BYTES)

    def open_channels(self) -> int:
        """How many there are."""
        return len(self._channels)  # type: ignore[attr-defined]
