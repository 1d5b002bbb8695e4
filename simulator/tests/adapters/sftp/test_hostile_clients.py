"""Whatever a client claims or opens, before its login and after, others are served meanwhile."""

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Timer
from threading import enumerate as enumerate_threads
from time import monotonic, sleep
from tracemalloc import get_traced_memory, start, stop
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import gevent
import paramiko
import pytest
from paramiko.sftp import (
    CMD_FSETSTAT,
    CMD_MKDIR,
    CMD_OPEN,
    CMD_OPENDIR,
    CMD_READ,
    CMD_SETSTAT,
    int64,
)

from simulator.adapters.sftp.connections import GuardedSocket, SftpConnections
from simulator.adapters.sftp.folder import ListedFolder, OutgoingFolder
from simulator.adapters.sftp.handles import FILES_MAX, FOLDERS_MAX
from simulator.adapters.sftp.login import CHANNELS_IN_ALL_MAX, SftpLogin
from simulator.adapters.sftp.transport import IncomingTransport, OutgoingTransport
from simulator.adapters.sftp.users import SftpLimits
from simulator.tests.adapters.sftp.conftest import CONTENT, MONTH, Served, new_key
from simulator.tests.adapters.sftp.test_listener import connected, logged_in

# Members that a message claims and does not have; the library took ten seconds for so many.
CLAIMED = struct.pack(">I", 2**24 - 1)
SERVED_WITHIN_S, WAITED_S = 3, 10
DISCONNECT, KEXINIT, NEWKEYS = 1, 20, 21


def assert_others_are_served(served: Served) -> None:
    """A request of the merchant API's listener is answered."""
    with urlopen(f"{served.facts['base_url']}openapi.json", timeout=SERVED_WITHIN_S) as answer:
        assert answer.status == 200


def message_of(kind: int, content: bytes) -> paramiko.Message:
    made = paramiko.Message()
    made.add_byte(bytes([kind]))
    made.add_bytes(content)
    return made


@pytest.mark.parametrize("is_logged_in", (False, True), ids=("before", "after"))
def test_no_message_that_claims_more_than_it_has_holds_up_others(
    served: Served, is_logged_in: bool
) -> None:
    for kind in set(range(1, 128)) - {DISCONNECT, KEXINIT, NEWKEYS}:
        with connected(served) as transport:
            if is_logged_in:
                transport.auth_password(served.merchants[1], served.passwords[1])
            else:
                asked = message_of(5, b"\0\0\0\x0cssh-userauth")
                transport._send_message(asked)  # type: ignore[attr-defined]
            transport._send_message(message_of(kind, CLAIMED))  # type: ignore[attr-defined]
            assert_others_are_served(served)
    assert "Traceback" not in served.log()


@pytest.mark.parametrize("request_kind", (CMD_OPEN, CMD_MKDIR, CMD_SETSTAT, CMD_FSETSTAT))
def test_no_request_that_claims_more_than_it_has_holds_up_others(
    served: Served, request_kind: int
) -> None:
    with logged_in(served) as client:
        flags = struct.pack(">I", 1) if request_kind == CMD_OPEN else b""
        sent = struct.pack(">II", 7, 1) + b"/" + flags + struct.pack(">I", 2**31) + CLAIMED
        packet = SimpleNamespace(asbytes=lambda: sent)
        client._send_packet(request_kind, packet)  # type: ignore[attr-defined]
        assert_others_are_served(served)
        with pytest.raises(OSError, match="length|Failure|read|such file"):
            client._convert_status(answer_of(client))  # type: ignore[attr-defined]
        assert client.listdir(MONTH) == ["0.csv"]


def answer_of(client: paramiko.SFTPClient) -> paramiko.Message:
    """What came back, after the number of its request."""
    _, content = client._read_packet()  # type: ignore[attr-defined]
    return paramiko.Message(content[4:])


def test_a_client_may_ask_for_a_long_file_before_it_reads_an_answer(served: Served) -> None:
    """Both sides had waited for ever: one for a window, the other for answers to be read."""
    with logged_in(served, 1) as client:
        channel = client.get_channel()
        assert channel is not None
        channel.settimeout(WAITED_S)
        opened = client.open(f"{MONTH}/1.csv")
        for _ in range(2_000_000_000 // 32768):
            asked = CMD_READ, opened.handle, int64(0), 32768
            client._async_request(type(None), *asked)  # type: ignore[attr-defined]
        assert answer_of(client).get_binary() == CONTENT


def test_what_waits_of_a_client_is_its_part_or_what_others_leave(tmp_path: Path) -> None:
    new_key(tmp_path / "key")
    key, limits = (tmp_path / "key").read_text(), SftpLimits(waiting_bytes_max=100)
    connections = SftpConnections(key, lambda name: None, limits)
    clients = [GuardedSocket(None, bool) for _ in range(4)]
    connections._connections = dict.fromkeys(clients)  # type: ignore[arg-type]
    clients[0].waiting_bytes = lambda: 80

    assert connections._may_wait(80)
    clients[1].waiting_bytes = lambda: 25
    assert not connections._may_wait(80)
    assert connections._may_wait(25)
    assert not connections._may_wait(26)


def test_what_ended_before_its_login_is_not_kept_for_the_time_of_a_login(tmp_path: Path) -> None:
    new_key(tmp_path / "key")
    key = (tmp_path / "key").read_text()
    connections = SftpConnections(key, lambda name: None, SftpLimits())
    accepted, client = socket.socketpair()
    with client:
        client.sendall(b"SSH-2.0-hostile\r\n" + b"\0" * 100)
        client.shutdown(socket.SHUT_WR)
        gevent.spawn(connections.serve, accepted, ("127.0.0.1", 1)).get()
    timers = [each for each in enumerate_threads() if isinstance(each, Timer)]
    for each in timers:
        each.join(SERVED_WITHIN_S)
    assert not any(each.is_alive() for each in timers)


def test_a_channel_has_one_session(served: Served) -> None:
    with connected(served) as transport:
        transport.auth_password(served.merchants[0], served.passwords[0])
        channel = transport.open_session()
        channel.invoke_subsystem("sftp")
        with pytest.raises(paramiko.SSHException):
            channel.invoke_subsystem("sftp")


@pytest.mark.parametrize("kind", (IncomingTransport, lambda opened: OutgoingTransport(opened, str)))
def test_the_end_of_an_answer_waits_for_no_acknowledgement(
    kind: Callable[[object], object],
) -> None:
    with socket.socket() as opened:
        kind(opened)
        assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_channel_that_is_closed_is_kept_no_longer() -> None:
    transport = IncomingTransport(SimpleNamespace(settimeout=print, setsockopt=print))
    closed, opened = SimpleNamespace(closed=True), SimpleNamespace(closed=False)
    for each in (opened, closed, closed, opened):
        transport._queue_incoming_channel(each)  # type: ignore[arg-type]
    assert transport.server_accepts == [opened, opened]


def test_a_connection_has_so_many_channels_in_all() -> None:
    login: Any = SimpleNamespace(touch=bool, open_channels=int, may_go_on=lambda: True)
    last = SftpLogin.check_channel_request(login, "session", CHANNELS_IN_ALL_MAX - 1)
    beyond = SftpLogin.check_channel_request(login, "session", CHANNELS_IN_ALL_MAX)
    assert (last, beyond) == (paramiko.OPEN_SUCCEEDED, paramiko.OPEN_FAILED_RESOURCE_SHORTAGE)


def test_a_merchant_has_so_many_files_open_over_all_its_connections(served: Served) -> None:
    with logged_in(served) as first, logged_in(served) as second:
        name = f"{MONTH}/0.csv"
        files = [each.open(name) for each in (first, second) for _ in range(FILES_MAX // 2)]
        with pytest.raises(OSError, match=f"at most {FILES_MAX} files"):
            second.open(name)
        with logged_in(served, 1) as other:
            assert other.listdir(MONTH) == ["1.csv"]
        files.pop().close()
        second.open(name).close()
    wait_until(lambda: can_be_read(served, lambda client: client.open(name).read()))


def test_a_merchant_has_so_many_folders_open_over_all_its_connections(served: Served) -> None:
    with logged_in(served) as first, logged_in(served) as second:
        for each in (first, second):
            for _ in range(FOLDERS_MAX // 2):
                each._request(CMD_OPENDIR, MONTH.encode())  # type: ignore[attr-defined]
        with pytest.raises(OSError, match=f"at most {FOLDERS_MAX} folders"):
            second.listdir(MONTH)
    # The server closes them when it sees that their connections have ended.
    wait_until(lambda: can_be_read(served, lambda client: client.listdir(MONTH)))


def wait_until(holds: Callable[[], bool]) -> None:
    until = monotonic() + WAITED_S
    while not holds():
        assert monotonic() < until
        sleep(0.05)


def can_be_read(served: Served, read: Callable[[paramiko.SFTPClient], object]) -> bool:
    """Whether a new connection may open what it reads."""
    with logged_in(served) as client, suppress(OSError):
        return bool(read(client))
    return False


def test_an_open_folder_takes_little_more_memory_than_its_names(tmp_path: Path) -> None:
    names = [f"{number:04}-a-settlement-file.csv" for number in range(2000)]
    for name in names:
        (tmp_path / name).touch()
    folder = OutgoingFolder(tmp_path)
    start()
    listed = folder.open_folder("/")
    taken = get_traced_memory()[0]
    stop()
    assert isinstance(listed, ListedFolder)
    assert taken / len(names) < 150
    found = [each.filename for each in iter_entries(listed)]
    assert found == names


def iter_entries(listed: ListedFolder) -> list[paramiko.SFTPAttributes]:
    """All entries, as a client comes to them."""
    found: list[paramiko.SFTPAttributes] = []
    while part := listed._get_next_files():
        found += part
    return found
