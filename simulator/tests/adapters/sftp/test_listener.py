"""The SFTP server as clients meet it: by the library's own client, and by OpenSSH's."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import paramiko
import pytest

from simulator.adapters.sftp.folder import ListedFolder, OutgoingFolder
from simulator.adapters.sftp.outgoing import outgoing_folder
from simulator.adapters.sftp.transport import REQUESTS_BYTES
from simulator.tests.adapters.sftp.clients import FETCHERS, skip_where_missing
from simulator.tests.adapters.sftp.conftest import CONTENT, MONTH, Served, new_key


@contextmanager
def logged_in(served: Served, merchant: int = 0) -> Iterator[paramiko.SFTPClient]:
    """A client of the library, logged in by password."""
    with connected(served) as transport:
        transport.auth_password(served.merchants[merchant], served.passwords[merchant])
        client = paramiko.SFTPClient.from_transport(transport)
        assert client is not None
        yield client


@contextmanager
def connected(served: Served) -> Iterator[paramiko.Transport]:
    """A connection whose keys are exchanged, before its login."""
    transport = paramiko.Transport(served.address)
    try:
        transport.start_client(timeout=10)
        yield transport
    finally:
        transport.close()


def send_to_end(served: Served, sent: bytes) -> None:
    """Send bytes that are no client's, and read until the server ends the connection."""
    # Where the server was faster, it is not connected any more, which is no ConnectionError.
    with socket.create_connection(served.address, timeout=10) as raw, suppress(OSError):
        raw.sendall(sent)
        raw.shutdown(socket.SHUT_WR)
        while raw.recv(4096):
            pass


def test_a_merchant_lists_and_reads_its_files(served: Served) -> None:
    with logged_in(served) as client:
        assert client.listdir("/") == ["reconciliation"]
        assert client.listdir(MONTH) == ["0.csv"]
        assert client.file(f"{MONTH}/0.csv").read() == CONTENT
        assert oct(client.stat(f"{MONTH}/0.csv").st_mode or 0) == "0o100444"


def test_a_merchant_without_a_file_has_an_empty_folder_for_them(tmp_path: Path) -> None:
    folder = OutgoingFolder(outgoing_folder(tmp_path.resolve(), "sandbox", "merchant"))
    listed = folder.open_folder("/reconciliation")
    assert isinstance(listed, ListedFolder) and listed._get_next_files() == []


@pytest.mark.parametrize(
    ("path", "named"),
    [("", "/"), (".", "/"), ("/", "/"), ("//", "/"), ("/..", "/"), ("/../..", "/"),
     ("//reconciliation/..", "/"), ("//reconciliation", "/reconciliation"),
     ("reconciliation/.", "/reconciliation")],
)  # fmt: skip
def test_a_path_is_named_from_the_root_by_one_slash(served: Served, path: str, named: str) -> None:
    with logged_in(served) as client:
        assert client.normalize(path) == named


def test_two_merchants_see_their_own_files_alone(served: Served) -> None:
    with logged_in(served, 1) as client:
        assert client.listdir(MONTH) == ["1.csv"]
        for path in (f"{MONTH}/0.csv", f"/../{served.merchants[0]}{MONTH}/0.csv"):
            with pytest.raises(FileNotFoundError):
                client.file(path)


@pytest.mark.parametrize(
    "path",
    (
        "../../../../../../etc/hostname", "/../../etc/hostname", f"{MONTH}/link.csv",
        "/reconciliation/etc/hostname", f"{MONTH}/.0.csv.part", f"{MONTH}/../../.ssh",
        "/reconciliation/etc", "x" * 2000, "\udcff",
    ),
)  # fmt: skip
def test_no_path_leads_out_of_the_folder_or_to_a_file_that_is_still_written(
    served: Served, path: str
) -> None:
    with logged_in(served) as client:
        for read in (client.file, client.listdir, client.lstat):
            with pytest.raises((FileNotFoundError, UnicodeEncodeError)):
                read(path)


def test_nothing_can_be_changed(served: Served) -> None:
    name = f"{MONTH}/0.csv"
    with logged_in(served) as client:
        for change in (
            lambda: client.file(f"{MONTH}/new.csv", "w"),
            lambda: client.file(name, "r+"),
            lambda: client.file(name, "a"),
            lambda: client.remove(name),
            lambda: client.rename(name, f"{MONTH}/other.csv"),
            lambda: client.mkdir("/new"),
            lambda: client.rmdir("/reconciliation"),
            lambda: client.chmod(name, 0o777),
            lambda: client.truncate(name, 0),
            lambda: client.symlink(name, f"{MONTH}/linked.csv"),
        ):
            with pytest.raises(PermissionError):
                change()
        assert client.file(name).read() == CONTENT


@pytest.mark.parametrize("extension", ("posix_rename", "check"))
def test_extensions_are_refused(served: Served, extension: str) -> None:
    with logged_in(served) as client, pytest.raises(OSError, match="extension|unsupported"):
        if extension == "posix_rename":
            client.posix_rename(f"{MONTH}/0.csv", "/moved.csv")
        else:
            client.file(f"{MONTH}/0.csv").check("sha1")


def test_no_command_is_run_and_no_port_forwarded(served: Served) -> None:
    with connected(served) as transport:
        transport.auth_password(served.merchants[0], served.passwords[0])
        with pytest.raises(paramiko.SSHException):
            transport.open_session().exec_command("id")
        with pytest.raises(paramiko.SSHException):
            transport.open_session().invoke_shell()
        with pytest.raises(paramiko.ChannelException):
            transport.open_channel("direct-tcpip", ("127.0.0.1", 22), ("127.0.0.1", 1))
        with pytest.raises(paramiko.SSHException):
            transport.request_port_forward("", 0)


@pytest.mark.parametrize(
    ("user", "password"),
    (("first", ""), ("second", "a password of mine"), ("unknown", "a password of mine"),
     ("x" * 5000, "y")),
)  # fmt: skip
def test_another_password_is_refused(served: Served, user: str, password: str) -> None:
    known = dict(zip(("first", "second"), served.merchants, strict=True))
    with connected(served) as transport:
        with pytest.raises(paramiko.AuthenticationException):
            transport.auth_password(known.get(user, user), password)
        with pytest.raises(paramiko.SSHException):
            transport.open_session(timeout=2)
    assert password not in served.log() or len(password) < 2


def test_a_key_opens_its_own_merchant_alone(served: Served, tmp_path: Path) -> None:
    own = paramiko.Ed25519Key.from_private_key_file(str(served.key))
    new_key(tmp_path / "other")
    other = paramiko.Ed25519Key.from_private_key_file(str(tmp_path / "other"))
    for merchant, key, opens in ((0, own, True), (1, own, False), (0, other, False)):
        with connected(served) as transport:
            if opens:
                transport.auth_publickey(served.merchants[merchant], key)
                assert transport.is_authenticated()
                continue
            with pytest.raises(paramiko.AuthenticationException):
                transport.auth_publickey(served.merchants[merchant], key)


def test_the_ready_line_names_the_host_key(served: Served) -> None:
    with connected(served) as transport:
        assert transport.get_remote_server_key().fingerprint == served.facts["sftp_fingerprint"]
        assert transport.remote_version == "SSH-2.0-Sandgate"


@pytest.mark.parametrize("client", ("library", *FETCHERS))
def test_each_client_fetches_the_whole_files_of_a_folder(
    served: Served, tmp_path: Path, client: str
) -> None:
    skip_where_missing(client)
    into = tmp_path / "got"

    FETCHERS.get(client, fetch_by_library)(served, "/reconciliation", into)

    found = [each for each in into.rglob("*") if each.is_file()]
    assert [(each.name, each.read_bytes()) for each in found] == [("0.csv", CONTENT)]


def fetch_by_library(served: Served, folder: str, into: Path) -> None:
    """The files of each month, by the client of the library."""
    with logged_in(served) as client:
        for month in client.listdir(folder):
            (into / month).mkdir(parents=True)
            for name in client.listdir(f"{folder}/{month}"):
                client.get(f"{folder}/{month}/{name}", str(into / month / name))


def test_a_session_that_its_client_ends_in_order_ends_with_status_0(served: Served) -> None:
    with logged_in(served) as client:
        assert client.listdir(MONTH) == ["0.csv"]
        channel = client.get_channel()
        assert channel is not None
        channel.shutdown_write()
        assert channel.recv_exit_status() == 0


@pytest.mark.parametrize(
    "sent", [b"\x7f\xff\xff\xff", b"\0\0\0\x09\x05"], ids=["too-long", "cut-short"]
)
def test_a_session_that_ends_within_a_request_has_no_status(served: Served, sent: bytes) -> None:
    with logged_in(served) as client:
        channel = client.get_channel()
        assert channel is not None
        channel.sendall(sent)
        channel.shutdown_write()
        assert channel.recv_exit_status() == -1


def test_bytes_that_are_no_client_end_their_connection_and_no_other(served: Served) -> None:
    with logged_in(served) as client:
        send_to_end(served, b"GET / HTTP/1.1\r\n\r\n")
        send_to_end(served, b"SSH-2.0-x\r\n" + b"\xff" * 400_000)
        send_to_end(served, b"\0" * 99)
        assert client.listdir(MONTH) == ["0.csv"]
    assert "Traceback" not in served.log()


def test_a_thousand_idle_connections_leave_room_for_one_that_logs_in(served: Served) -> None:
    idle = [socket.create_connection(served.address, timeout=10) for _ in range(1_000)]
    try:
        with logged_in(served) as client:
            assert client.listdir(MONTH) == ["0.csv"]
    finally:
        for each in idle:
            each.close()


def test_twenty_clients_read_at_once(served: Served) -> None:
    transports = [paramiko.Transport(served.address) for _ in range(20)]
    try:
        for each in transports:
            each.connect(username=served.merchants[0], password=served.passwords[0])
        clients = [paramiko.SFTPClient.from_transport(each) for each in transports]
        assert [each.file(f"{MONTH}/0.csv").read() for each in clients if each] == [CONTENT] * 20
    finally:
        for each in transports:
            each.close()


def test_a_client_has_ten_channels_at_once_and_no_more_than_the_window_of_each(
    served: Served,
) -> None:
    with connected(served) as transport:
        transport.auth_password(served.merchants[0], served.passwords[0])
        channels = [transport.open_session() for _ in range(10)]
        with pytest.raises(paramiko.ChannelException, match="Resource shortage"):
            transport.open_session()
        # Nothing reads a channel that is no SFTP session yet.
        sent = paramiko.Message()
        sent.add_byte(b"\x5e")
        sent.add_int(channels[0].remote_chanid)  # type: ignore[attr-defined]
        sent.add_string(b"x" * 30_000)
        for _ in range(REQUESTS_BYTES // 30_000 + 1):
            transport._send_message(sent)  # type: ignore[attr-defined]
        transport.join(10)
        assert not transport.is_active()
