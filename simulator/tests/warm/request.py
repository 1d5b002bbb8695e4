"""What is asked of a warm process: a start, and how it travels there with its descriptors."""

import pickle
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

STREAMS = 3
LENGTH = struct.Struct("!Q")


class Start(NamedTuple):
    """A start of the command line: what Python would be given, and what the process would inherit.

    `program` is the text after `-c`, empty for `-m simulator`; `path` is what Python searches
    before its own folders.
    """

    program: str
    arguments: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    path: Sequence[str]
    umask: int
    has_own_session: bool


def send(connection: socket.socket, start: Start, streams: Sequence[int]) -> None:
    """Ask for a start with these standard streams."""
    text = pickle.dumps(start)
    socket.send_fds(connection, [LENGTH.pack(len(text))], list(streams))
    connection.sendall(text)


def receive(connection: socket.socket) -> tuple[Start, Sequence[int]] | None:
    """The next start that is asked for, with its streams; None when none will follow."""
    head, streams, _, _ = socket.recv_fds(connection, LENGTH.size, STREAMS)
    if not head:
        return None
    (length,) = LENGTH.unpack(head)
    return pickle.loads(connection.recv(length, socket.MSG_WAITALL)), streams
