"""One SFTP session: the requests of a client, answered from its merchant's folder."""

import os
from pathlib import Path
from posixpath import normpath
from typing import Any

from paramiko import SFTPAttributes, SFTPServer, SFTPServerInterface
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

from simulator.adapters.sftp.folder import DeliveredFile, OutgoingFolder
from simulator.adapters.sftp.login import SftpLogin

HANDLES_MAX = 64
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

    def list_folder(self, path: str) -> list[SFTPAttributes] | int:
        """What is in a folder."""
        return self._folder.entries(path)

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
        return normpath("/" + path)


class SftpSubsystem(SFTPServer):
    """The library's loop over the requests of a session, with limits. Choice: D-421."""

    server: ReadOnlySession

    def _read_all(self, n: int) -> bytes:
        if n > REQUEST_BYTES_MAX:
            raise EOFError
        read: bytes = super()._read_all(n)  # type: ignore[misc]
        return read

    def _process(self, t: int, request_number: int, msg: Any) -> None:
        self.server.login.touch()
        self.server.login.take_turn()
        refusal = self._refusal_of(t)
        # The stubs leave out what only subclasses use.
        if refusal is None:
            super()._process(t, request_number, msg)  # type: ignore[misc]
        else:
            self._send_status(request_number, *refusal)  # type: ignore[attr-defined]

    def _refusal_of(self, request: int) -> tuple[int, str] | None:
        if request in CHANGES:
            return SFTP_PERMISSION_DENIED, "expected a request to read: nothing here is changed"
        if request == CMD_EXTENDED:
            # Extensions change files, or compute checksums of whole ones in one go.
            return SFTP_OP_UNSUPPORTED, "expected no extension"
        is_full = len(self.file_table) + len(self.folder_table) >= HANDLES_MAX
        if request in (CMD_OPEN, CMD_OPENDIR) and is_full:
            return SFTP_FAILURE, f"expected at most {HANDLES_MAX} open at once; close some first"
        return None
