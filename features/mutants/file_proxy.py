"""The proxy in front of the original's settlement files: an SFTP server that reads them from it.

One listener serves every mutant: the first folder of a path names it. A client is logged in
at the original with the same password; a file that is opened is read whole, and changed by the
mutant.
"""

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any

import paramiko
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL, OPEN_SUCCEEDED
from paramiko.sftp import SFTP_NO_SUCH_FILE

from features.mutants.proxy import MutantFunction, OriginalGateway, ProxiedRequest

LOOPBACK = "127.0.0.1"


@contextmanager
def serve_files(original: str, gateways: Mapping[str, MutantFunction]) -> Iterator[str]:
    """The host and port at which the files of every gateway are served, until the block ends.

    `original` is the host and port of the original's SFTP server.
    """
    key = paramiko.RSAKey.generate(2048)
    with socket.create_server((LOOPBACK, 0)) as listener:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client = FileLogin(original, gateways)
                    transport = paramiko.Transport(listener.accept()[0])
                    transport.add_server_key(key)
                    transport.set_subsystem_handler("sftp", paramiko.SFTPServer, MutantFiles)
                    transport.start_server(server=client, event=threading.Event())

        threading.Thread(target=accept, daemon=True).start()
        yield f"{LOOPBACK}:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)


class FileLogin(paramiko.ServerInterface):
    """A client of the proxy, and its connection to the original."""

    def __init__(self, original: str, gateways: Mapping[str, MutantFunction]):
        self._original, self._gateways = original, gateways
        self.transport: paramiko.Transport | None = None
        self.sftp: paramiko.SFTPClient | None = None

    def get_allowed_auths(self, username: str) -> str:
        """Passwords alone."""
        return "password"

    def check_auth_password(self, username: str, password: str) -> int:
        """What the original says to it."""
        host, _, port = self._original.rpartition(":")
        self.transport = paramiko.Transport((host, int(port)))
        try:
            self.transport.connect(username=username, password=password)
        except paramiko.SSHException:
            self.transport.close()
            return AUTH_FAILED
        self.sftp = paramiko.SFTPClient.from_transport(self.transport)
        return AUTH_SUCCESSFUL

    def check_channel_request(self, kind: str, chanid: int) -> int:
        """Any: the SFTP server takes only its own subsystem."""
        return OPEN_SUCCEEDED

    def read(self, path: str) -> bytes:
        """The file at a path as the mutant shows it. Raises OSError."""
        name, place = parts_of(path)
        request = ProxiedRequest("GET", place, {}, b"", interface="files")
        original = OriginalGateway({}, {}, {}, read_file=self._read)
        content = self._gateways[name](request, original).body
        assert isinstance(content, bytes), "a mutant shows a file as bytes"
        return content

    def _read(self, place: str) -> bytes:
        with self._sftp().open(f"/{place}") as file:
            return file.read()

    def attributes(self, path: str) -> list[paramiko.SFTPAttributes]:
        """The entries of a folder. Raises OSError."""
        return self._sftp().listdir_attr(f"/{parts_of(path)[1]}")

    def _sftp(self) -> paramiko.SFTPClient:
        assert self.sftp is not None, "a client that asks for files has logged in"
        return self.sftp

    def close(self) -> None:
        """End the connection to the original."""
        if self.transport is not None:
            self.transport.close()


class MutantFiles(paramiko.SFTPServerInterface):
    """The files of the mutants, for one client."""

    def __init__(self, server: FileLogin, *args: Any, **more: Any):
        super().__init__(server, *args, **more)
        self._client = server

    def session_ended(self) -> None:
        """Forget the client."""
        self._client.close()

    def list_folder(self, path: str) -> list[paramiko.SFTPAttributes] | int:
        """The entries of a folder of the original."""
        try:
            return self._client.attributes(path)
        except OSError:
            return SFTP_NO_SUCH_FILE

    def stat(self, path: str) -> paramiko.SFTPAttributes | int:
        """The attributes of a file as the mutant shows it."""
        handle = self.open(path, 0, paramiko.SFTPAttributes())
        return handle if isinstance(handle, int) else handle.stat()

    def open(
        self, path: str, flags: int, attr: paramiko.SFTPAttributes
    ) -> "paramiko.SFTPHandle | int":
        """A file as the mutant shows it."""
        try:
            return ShownFile(self._client.read(path))
        except OSError:
            return SFTP_NO_SUCH_FILE


class ShownFile(paramiko.SFTPHandle):
    """A file that a mutant shows."""

    def __init__(self, content: bytes):
        super().__init__()
        self.readfile = BytesIO(content)
        self._size = len(content)

    def stat(self) -> paramiko.SFTPAttributes:
        """Its size."""
        attributes = paramiko.SFTPAttributes()
        attributes.st_size, attributes.st_mode = self._size, 0o100400
        return attributes


def parts_of(path: str) -> tuple[str, str]:
    """The mutant that a path names, and the path at the original."""
    name, _, place = path.strip("/").partition("/")
    return name, place
