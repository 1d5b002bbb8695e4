"""One SFTP session: the requests of a client, answered from its merchant's folder."""

import os
from contextlib import suppress
from pathlib import Path
from posixpath import normpath
from typing import Any

from paramiko import (
    Channel,
    SFTPAttributes,
    SFTPServer,
    SFTPServerInterface,
    SSHException,
    Transport,
)
from paramiko.sftp import (
    CMD_EXTENDED,
    CMD_FSETSTAT,
    CMD_MKDIR,
    CMD_OPEN,
    CMD_OPENDIR,
    CMD_REMOVE,
    CMD_RENAME,
    CMD_RMDIR,
    CMD_SETSTAT,
    CMD_SYMLINK,
    CMD_WRITE,
    SFTP_FAILURE,
    SFTP_OP_UNSUPPORTED,
    SFTP_PERMISSION_DENIED,
)

from simulator.adapters.sftp.folder import DeliveredFile, ListedFolder, OutgoingFolder
from simulator.adapters.sftp.handles import FILES_MAX, FOLDERS_MAX
from simulator.adapters.sftp.login import SftpLogin
from simulator.adapters.sftp.transport import WholeMessage

# The longest path, twice, and some more.
REQUEST_BYTES_MAX = 64 * 1024
CHANGES = frozenset({
    CMD_WRITE, CMD_REMOVE, CMD_RENAME, CMD_MKDIR, CMD_RMDIR, CMD_SETSTAT, CMD_FSETSTAT, CMD_SYMLINK,
})  # fmt: skip


class ReadOnlySession(SFTPServerInterface):
    """What a client may do: list, stat, read. Choice: D-420."""

    def __init__(self, server: SftpLogin, *_: object, **__: object):
        super().__init__(server)
        self.login = server
        self._folder = OutgoingFolder(Path(os.path.realpath(server.folder)))

    def open_folder(self, path: str) -> ListedFolder | int:
        """A folder to list."""
        return self._folder.open_folder(path)

    def stat(self, path: str) -> SFTPAttributes | int:
        """What is at a path."""
        return self._folder.attributes(path)

    def lstat(self, path: str) -> SFTPAttributes | int:
        """What is at a path: there are no links."""
        return self._folder.attributes(path)

    def open(self, path: str, flags: int, attr: SFTPAttributes) -> DeliveredFile | int:
        """A file to read."""
        return self._folder.open(path, flags)

    def canonicalize(self, path: str) -> str:
        """The path from the client's own root."""
        # Two slashes at the beginning would stay.
        return normpath("/" + path.lstrip("/"))


class SftpSubsystem(SFTPServer):
    """The library's loop over the requests of a session, with limits. Choice: D-421."""

    server: ReadOnlySession

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        login = self.server.login
        login.handles.add(login.name, self)
        self._is_within_request = False

    def start_subsystem(self, name: str, transport: Transport, channel: Channel) -> None:
        """Answer requests until the session ends. Where its client ended it in order its status is
        0, as RFC 4254, 6.10 recommends: `scp` of OpenSSH fails without one.
        """
        super().start_subsystem(name, transport, channel)
        is_at_end = channel.eof_received and not channel.closed
        if is_at_end and not self._is_within_request:
            with suppress(OSError, EOFError, SSHException):
                channel.send_exit_status(0)

    def _read_all(self, n: int) -> bytes:
        if n > REQUEST_BYTES_MAX:
            raise EOFError
        read: bytes = super()._read_all(n)  # type: ignore[misc]
        # The library reads the length of each request, then the rest.
        self._is_within_request = not self._is_within_request
        return read

    def _process(self, t: int, request_number: int, msg: Any) -> None:
        self.server.login.touch()
        self.server.login.turns.take()
        if not self.server.login.may_go_on():
            return
        refusal = self._refusal_of(t)
        # The stubs leave out what only subclasses use.
        if refusal is None:
            rest = WholeMessage(msg.get_remainder())
            super()._process(t, request_number, rest)  # type: ignore[misc]
        else:
            self._send_status(request_number, *refusal)  # type: ignore[attr-defined]

    def _refusal_of(self, request: int) -> tuple[int, str] | None:
        if request in CHANGES:
            return SFTP_PERMISSION_DENIED, "expected a request to read: nothing here is changed"
        if request == CMD_EXTENDED:
            # Extensions change files, or compute checksums of whole ones in one go.
            return SFTP_OP_UNSUPPORTED, "expected no extension"
        login = self.server.login
        if request == CMD_OPEN and login.handles.files(login.name) >= FILES_MAX:
            return SFTP_FAILURE, f"expected at most {FILES_MAX} files open; close some first"
        if request == CMD_OPENDIR and login.handles.folders(login.name) >= FOLDERS_MAX:
            return SFTP_FAILURE, f"expected at most {FOLDERS_MAX} folders open; close some first"
        return None

    def _open_folder(self, request_number: int, path: str) -> None:
        """The library would keep all that is known of each entry until the folder is closed."""
        opened = self.server.open_folder(path)
        self._send_handle_response(request_number, opened, True)  # type: ignore[attr-defined]
