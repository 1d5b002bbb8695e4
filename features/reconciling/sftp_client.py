"""A client of SFTP that holds a server to what it may send: in size, in number, in time.

The library keeps all that is sent to it until that is read, asks for all of a file before it reads
any, and reads an answer beyond its end, where all numbers are nought.
"""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer
from typing import Any, BinaryIO

from paramiko import (
    Channel,
    Message,
    SFTPAttributes,
    SFTPClient,
    SFTPError,
    SSHException,
    Transport,
)
from paramiko.common import MSG_CHANNEL_DATA
from paramiko.sftp import CMD_CLOSE, CMD_HANDLE, CMD_NAME, CMD_OPENDIR, CMD_READDIR

# How the library ends where a server goes, refuses, or says what is no text of the protocol.
ENDED = (SSHException, SFTPError, EOFError, OSError, ValueError)
ANSWER_BYTES_MAX = 256 * 1024
PIECE_BYTES = 32 * 1024
# Without a bound the library asks for all of a file before it reads, which a server with a small
# window never answers. With a bound as low as 64 it sleeps more than it reads.
REQUESTS_AHEAD = 512


class BoundedAnswer(Message):
    """An answer that is read to its end and no further. Reading on raises SSHException."""

    def get_bytes(self, n: int) -> bytes:
        """The next `n` bytes."""
        read: bytes = self.packet.read(n)
        if len(read) < n:
            raise SSHException("expected an answer of the length that it names")
        return read


def _feed(channel: Channel, message: Message) -> None:
    Channel._feed(channel, message)  # type: ignore[attr-defined]
    if len(channel.in_buffer) > channel.in_window_size:
        raise SSHException("expected no more than the window allows")


class _Transport(Transport):
    """A connection that ends where the server sends beyond the window; it writes no log."""

    _channel_handler_table = {
        **Transport._channel_handler_table,  # type: ignore[attr-defined]
        MSG_CHANNEL_DATA: _feed,
    }

    def _log(self, level: int, msg: object, *args: object) -> None:
        """What went wrong is raised."""


class SftpSession(SFTPClient):
    """A session whose answers are no longer than those to its requests."""

    def names_in(self, folder: str, most: int) -> list[str]:
        """The names in a folder. Raises one of ENDED."""
        kind, answer = self._ask(CMD_OPENDIR, folder)
        _demand(kind, CMD_HANDLE)
        handle, names = answer.get_binary(), list[str]()
        try:
            while True:
                kind, answer = self._ask(CMD_READDIR, handle)
                _demand(kind, CMD_NAME)
                names += _names_of(answer)
                if len(names) > most:
                    raise SFTPError(f"expected at most {most} files, got more")
        except EOFError:
            self._ask(CMD_CLOSE, handle)
        return [name for name in names if name not in (".", "..")]

    def save(self, path: str, into: BinaryIO, bytes_max: int) -> int:
        """Write a file into another; the number of its bytes. Raises one of ENDED."""
        remote = self.open(path)
        size, saved = remote.stat().st_size or 0, 0
        if size > bytes_max:
            raise SFTPError(f"expected at most {bytes_max} bytes, got {size}")
        remote.prefetch(size, REQUESTS_AHEAD)
        while piece := remote.read(PIECE_BYTES):
            into.write(piece)
            saved += len(piece)
            if saved > size:
                raise SFTPError(f"expected {size} bytes, got more")
        if saved != size:
            raise SFTPError(f"expected {size} bytes, got {saved}")
        remote.close()
        return saved

    def _ask(self, kind: int, what: str | bytes) -> tuple[int, Message]:
        answered: tuple[int, Message] = self._request(kind, what)  # type: ignore[attr-defined]
        return answered

    def _read_all(self, n: int) -> bytes:
        if n > ANSWER_BYTES_MAX:
            raise SFTPError(f"expected answers of at most {ANSWER_BYTES_MAX} bytes, got {n}")
        read: bytes = super()._read_all(n)  # type: ignore[misc]
        return read

    def _read_response(self, waitfor: Any = None) -> Any:
        kind, message = super()._read_response(waitfor)  # type: ignore[misc]
        return kind, message and BoundedAnswer(message.get_remainder())


@contextmanager
def sftp_session(
    where: tuple[str, int], user: str, password: str, *, silent_s: float, whole_s: float
) -> Iterator[SftpSession]:
    """A session that ends where the server is silent for `silent_s`, and after `whole_s` in any
    case. Raises one of ENDED.
    """
    transport = _Transport(socket.create_connection(where, silent_s))
    is_over = Event()

    def end() -> None:
        is_over.set()
        transport.close()

    timer = Timer(whole_s, end)
    timer.daemon = True
    timer.start()
    try:
        yield _logged_in(transport, user, password, silent_s)
    except ENDED:
        if is_over.is_set():
            raise TimeoutError(f"expected all of them within {whole_s:g} s") from None
        raise
    finally:
        timer.cancel()
        transport.close()


def _logged_in(transport: Transport, user: str, password: str, silent_s: float) -> SftpSession:
    transport.banner_timeout = transport.auth_timeout = silent_s
    transport.connect(username=user, password=password)
    session = SftpSession.from_transport(transport)
    assert isinstance(session, SftpSession), "a connection that is open has channels"
    channel = session.get_channel()
    assert channel is not None, "a session has a channel"
    channel.settimeout(silent_s)
    return session


def _names_of(answer: Message) -> Iterator[str]:
    for _ in range(answer.get_int()):
        yield answer.get_text()
        answer.get_text()
        SFTPAttributes._from_msg(answer)  # type: ignore[attr-defined]


def _demand(kind: int, wanted: int) -> None:
    if kind != wanted:
        raise SFTPError("expected another kind of answer")
