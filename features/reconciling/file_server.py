"""The SFTP server of settlement files, as a merchant uses it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from secrets import token_hex

import paramiko

from simulator.client import Control

INBOX = "reconciliation"
TIMEOUT_S = 30
# Without a bound the library asks for all of a file before it reads, which a server with a small
# window never answers. With a bound as low as 64 it sleeps more than it reads.
REQUESTS_AHEAD = 512


class FileServer:
    """The server of settlement files of a target, as one merchant sees it."""

    def __init__(self, address: str, user: str, password: str):
        listener, _, folder = address.partition("/")
        host, _, port = listener.rpartition(":")
        self._where = host.strip("[]"), int(port)
        self._folder = PurePosixPath("/") / folder / INBOX
        self._user, self._password = user, password

    def fetch_new(self, into: Path) -> list[Path]:
        """Fetch the reconciliation files that are not in `into` yet, in the order of their names;
        return where they are. Raises OSError, paramiko.SSHException.
        """
        with self._connected() as sftp:
            fetched = []
            for place in sorted(_files_below(sftp, self._folder)):
                kept = into / place.name
                if place.suffix == ".csv" and not kept.exists():
                    ahead = REQUESTS_AHEAD
                    sftp.get(str(place), str(kept), max_concurrent_prefetch_requests=ahead)
                    fetched.append(kept)
            return fetched

    @contextmanager
    def _connected(self) -> Iterator[paramiko.SFTPClient]:
        transport = paramiko.Transport(self._where)
        try:
            transport.banner_timeout = transport.auth_timeout = TIMEOUT_S
            transport.connect(username=self._user, password=self._password)
            sftp = paramiko.SFTPClient.from_transport(transport)
            assert sftp is not None, "a connection that is open has channels"
            yield sftp
        finally:
            transport.close()


def open_file_server(address: str, control: Control, sandbox: str, merchant: str) -> FileServer:
    """The files of a merchant, who may log in by a new password. Raises ControlError."""
    password = token_hex()
    access = control.set_sftp_access(sandbox, merchant, password=password)
    return FileServer(address, access["user"], password)


def _files_below(sftp: paramiko.SFTPClient, folder: PurePosixPath) -> Iterator[PurePosixPath]:
    """The files of each month; none where nothing was delivered yet."""
    try:
        months = sftp.listdir(str(folder))
    except FileNotFoundError:
        return
    for month in months:
        yield from (folder / month / name for name in sftp.listdir(str(folder / month)))
