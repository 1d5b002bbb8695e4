"""Files are fetched from a server of settlement files, whatever that server is."""

import socket
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import paramiko
import pytest
from paramiko.common import AUTH_SUCCESSFUL, OPEN_SUCCEEDED

from features.reconciling.file_server import FetchLimits, FileServer, FileServerError

# What a busy machine may add to a second or two.
ENDED_S_MAX = 15.0
MEBIBYTE = 1024 * 1024


class _Login(paramiko.ServerInterface):
    def check_auth_password(self, username: str, password: str) -> int:
        return AUTH_SUCCESSFUL

    def check_channel_request(self, kind: str, chanid: int) -> int:
        return OPEN_SUCCEEDED


def attributes_of(name: str, mode: int, size: int) -> paramiko.SFTPAttributes:
    """What a server says of a file."""
    found = paramiko.SFTPAttributes()
    found.filename, found.longname, found.st_mode, found.st_size = name, name, mode, size
    return found


@dataclass(frozen=True)
class Shown:
    """One month of a server: its files, what they hold and what it says of that. Each read is
    answered after a pause, with at most so many bytes; without content with as many as are asked.
    """

    size: int = 6
    content: bytes = b"a;b\r\nc"
    names: tuple[str, ...] = ("day.csv", "day.csv.sha256")
    pause_s: float = 0.0
    bytes_each: int = 32768
    is_open: bool = True

    def read(self, offset: int, length: int) -> bytes | int:
        sleep(self.pause_s)
        length = min(length, self.bytes_each)
        read = self.content[offset : offset + length] if self.content else b";" * length
        return read or paramiko.SFTP_EOF


class _Files(paramiko.SFTPServerInterface):
    def __init__(self, server: paramiko.ServerInterface, shown: Shown):
        super().__init__(server)
        self._shown = shown

    def list_folder(self, path: str) -> list[paramiko.SFTPAttributes] | int:
        if not self._shown.is_open:
            return paramiko.SFTP_PERMISSION_DENIED
        if path.endswith("reconciliation"):
            return [attributes_of("2030-01", stat.S_IFDIR, 0)]
        return [attributes_of(name, stat.S_IFREG, self._shown.size) for name in self._shown.names]

    def open(self, path: str, flags: int, attr: paramiko.SFTPAttributes) -> paramiko.SFTPHandle:
        return _Handle(self._shown)


class _Handle(paramiko.SFTPHandle):
    def __init__(self, shown: Shown):
        super().__init__()
        self._shown = shown

    def stat(self) -> paramiko.SFTPAttributes:
        return attributes_of("day.csv", stat.S_IFREG, self._shown.size)

    def read(self, offset: int, length: int) -> bytes | int:
        return self._shown.read(offset, length)


# What servers show that never end, lie, or are slow, and what is said of it.
HOSTILE = {
    "endless, and says so": (Shown(2**44, b""), "at most 1048576 bytes"),
    "longer than it says": (Shown(10, b""), "expected 10 bytes"),
    "shorter than it says": (Shown(100), "expected 100 bytes, got 6"),
    "silent": (Shown(pause_s=60), "timed out"),
    "slow": (Shown(100, b"", pause_s=0.3, bytes_each=1), "within 3 s"),
    "many files": (Shown(names=tuple(f"{one:06}.csv" for one in range(1000))), "at most 100 files"),
    "a name that no file can have": (Shown(names=("a\0.csv",)), "null"),
    "no folder that may be read": (Shown(is_open=False), "denied"),
}


class _Overstating(paramiko.SFTPServer):
    """Its listings say that thousands of millions of names follow."""

    def _send_packet(self, kind: int, packet: bytes) -> None:
        is_listing = kind == paramiko.sftp.CMD_NAME
        content = bytes(packet)
        sent = content[:4] + b"\xff" * 4 if is_listing else content
        super()._send_packet(kind, sent)  # type: ignore[misc]


class _Long(paramiko.SFTPServer):
    """Each of its answers says that it has 16 MB."""

    def _send_packet(self, kind: int, packet: bytes) -> None:
        with suppress(OSError):
            self._write_all(b"\x00\xff\xff\xff" + bytes([kind]))  # type: ignore[attr-defined]
            while True:
                self._write_all(b"x" * 32768)  # type: ignore[attr-defined]


@contextmanager
def serving(shown: Shown, server: type[paramiko.SFTPServer] = paramiko.SFTPServer) -> Iterator[str]:
    """The address of a server with these files."""
    key = paramiko.ECDSAKey.generate()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError, EOFError, paramiko.SSHException):
                transport = paramiko.Transport(listener.accept()[0])
                transport.add_server_key(key)
                transport.set_subsystem_handler("sftp", server, _Files, shown)
                transport.start_server(server=_Login())

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"


LIMITS = FetchLimits(bytes_max=MEBIBYTE, files_max=100, whole_s=3.0, silent_s=1.0)


def fetched(address: str, into: Path) -> list[Path]:
    """The files of a server."""
    return FileServer(address, "user", "password").fetch_new(into, LIMITS)


def test_a_file_is_fetched_once(tmp_path: Path) -> None:
    with serving(Shown()) as address:
        (path,) = fetched(address, tmp_path)
    assert path.read_bytes() == Shown().content
    with serving(Shown()) as address:
        assert fetched(address, tmp_path) == []


@pytest.mark.parametrize(("shown", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_server_that_never_ends_is_given_up_in_one_line(
    tmp_path: Path, shown: Shown, said: str
) -> None:
    began = monotonic()
    with serving(shown) as address, pytest.raises(FileServerError, match=said) as refused:
        fetched(address, tmp_path)
    assert monotonic() - began < ENDED_S_MAX
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("server", [_Overstating, _Long])
def test_an_answer_that_names_a_wrong_length_is_given_up(
    tmp_path: Path, server: type[paramiko.SFTPServer]
) -> None:
    began = monotonic()
    with serving(Shown(), server) as address, pytest.raises(FileServerError):
        fetched(address, tmp_path)
    assert monotonic() - began < ENDED_S_MAX


def _says_nothing(peer: socket.socket) -> None:
    sleep(60)


def _says_no_ssh(peer: socket.socket) -> None:
    peer.sendall(b"HTTP/1.1 400 No\r\n\r\n" * 1000)


def _has_no_end(peer: socket.socket) -> None:
    while True:
        peer.sendall(b"x" * 65536)


@pytest.mark.parametrize("answer", [_says_nothing, _says_no_ssh, _has_no_end])
def test_what_is_no_server_of_files_is_given_up_in_one_line(
    tmp_path: Path, answer: Callable[[socket.socket], None], capfd: pytest.CaptureFixture[str]
) -> None:
    began = monotonic()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError):
                answer(listener.accept()[0])

        threading.Thread(target=serve, daemon=True).start()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(FileServerError, match="expected settlement files by SFTP"):
            fetched(address, tmp_path)
    assert monotonic() - began < ENDED_S_MAX
    assert "Traceback" not in capfd.readouterr().err
