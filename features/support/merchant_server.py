"""An SFTP server of a merchant's own, to which files are pushed."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

import paramiko
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL, OPEN_SUCCEEDED
from paramiko.sftp import SFTP_OK

LOOPBACK, USER = "127.0.0.1", "sandgate"
WAITING = 4


class MerchantServer:
    """Takes files into `folder` by a password, as long as it `is_open`."""

    def __init__(self, folder: Path, listener: socket.socket):
        self.folder = folder
        self.is_open = True
        self.port = int(listener.getsockname()[1])
        self.password = token_hex()
        self.key = paramiko.ECDSAKey.generate()
        self._listener = listener
        self._transports: list[paramiko.Transport] = []

    @property
    def target(self) -> dict[str, str | int]:
        """What a gateway needs to push files here."""
        host_key = f"{self.key.get_name()} {self.key.get_base64()}"
        return {"host": LOOPBACK, "port": self.port, "user": USER, "host_key": host_key,
                "password": self.password}  # fmt: skip

    @property
    def files(self) -> dict[str, bytes]:
        """Every file that is there, by its name."""
        return {path.name: path.read_bytes() for path in sorted(self.folder.iterdir())}

    def serve(self) -> None:
        """Serve connections until the listener is closed."""
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            transport = paramiko.Transport(connection)
            self._transports.append(transport)
            transport.add_server_key(self.key)
            transport.set_subsystem_handler("sftp", paramiko.SFTPServer, _Files, self.folder)
            with suppress(paramiko.SSHException, EOFError):
                transport.start_server(server=_Login(self))

    def close(self) -> None:
        """Close every connection."""
        self._listener.close()
        for each in self._transports:
            each.close()


@contextmanager
def serving_merchant(folder: Path) -> Iterator[MerchantServer]:
    """A server on the loopback address until the end of the block."""
    folder.mkdir()
    listener = socket.create_server((LOOPBACK, 0), backlog=WAITING)
    server = MerchantServer(folder, listener)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        # A thread that waits for connections does not notice that they come no more.
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


class _Login(paramiko.ServerInterface):
    def __init__(self, server: MerchantServer):
        self._server = server

    def get_allowed_auths(self, username: str) -> str:
        return "password"

    def check_auth_password(self, username: str, password: str) -> int:
        is_known = (username, password) == (USER, self._server.password)
        if is_known and self._server.is_open:
            return AUTH_SUCCESSFUL
        return AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED


class _File(paramiko.SFTPHandle):
    writefile: BinaryIO


class _Files(paramiko.SFTPServerInterface):
    def __init__(self, server: paramiko.ServerInterface, folder: Path):
        super().__init__(server)
        self._folder = folder

    def stat(self, path: str) -> paramiko.SFTPAttributes | int:
        try:
            return paramiko.SFTPAttributes.from_stat(self._at(path).stat())
        except OSError as error:
            return paramiko.SFTPServer.convert_errno(error.errno or 0)

    def open(
        self, path: str, flags: int, attr: paramiko.SFTPAttributes
    ) -> paramiko.SFTPHandle | int:
        handle = _File(flags)
        handle.writefile = os.fdopen(os.open(self._at(path), flags, 0o600), "wb")
        return handle

    def rename(self, oldpath: str, newpath: str) -> int:
        self._at(oldpath).rename(self._at(newpath))
        return SFTP_OK

    def remove(self, path: str) -> int:
        self._at(path).unlink()
        return SFTP_OK

    def _at(self, path: str) -> Path:
        return self._folder / Path(path).name
