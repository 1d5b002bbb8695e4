"""What the library says of a connection that the other side ends: no traceback, and no more than
the line of the gateway itself.
"""

import logging
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import sleep

import pytest

from simulator.adapters.sftp.connections import SftpConnections
from simulator.adapters.sftp.push import FilePusher
from simulator.adapters.sftp.users import LIMITS
from simulator.domain.settlement.pushing import PushAccess, PushFailedError, PushTarget
from simulator.tests.adapters.sftp.conftest import Served, new_key

LOOPBACK, CARD = "127.0.0.1", "4200000000000042"
RESET = struct.pack("ii", 1, 0)
# One second has one line of what clients do.
LINE_S = 1.1
KEX = b"SSH-2.0-x\r\n" + struct.pack(">IB", 28, 10) + b"\x14" + b"\xff" * 26
Ending = Callable[[socket.socket], object]


def reset(accepted: socket.socket) -> None:
    accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def answering(said: bytes) -> Ending:
    def answer(accepted: socket.socket) -> None:
        accepted.sendall(said)
        sleep(0.1)

    return answer


ENDINGS: dict[str, Ending] = {
    "closes": lambda accepted: None,
    "resets": reset,
    "reads and closes": lambda accepted: accepted.recv(10),
    "speaks HTTP": answering(b"HTTP/1.0 400 Bad\r\n\r\n"),
    "speaks another version": answering(b"SSH-1.5-" + CARD.encode() + b"\r\n"),
    "says no text": answering(b"\xff\xfe\r\n" * 200),
    "sends a broken packet": answering(KEX),
    "ends after its name": answering(b"SSH-2.0-x\r\n"),
}


@contextmanager
def server_that(ends: Ending) -> Iterator[int]:
    """The port of a server that ends each connection so."""

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                with listening.accept()[0] as accepted:
                    ends(accepted)

    with socket.create_server((LOOPBACK, 0)) as listening:
        Thread(target=serve, args=(listening,), daemon=True).start()
        yield listening.getsockname()[1]


def push_to(port: int, file: Path, password: str = "theirs") -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"
    target = PushTarget(
        id="merchant", host=LOOPBACK, port=port, user="jones", host_key=key, folder="."
    )
    pusher = FilePusher(lambda host, at: socket.create_connection((host, at), 5), answer_s=2)
    # What resets its connections may do so before the first is made.
    expected = "expected an SSH server with a host key|expected a server that answers"
    with pytest.raises(PushFailedError, match=expected):
        pusher.push(PushAccess(target, password, ""), (file,))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "day.csv"
    path.write_bytes(b"SETTLED;DEBIT;POS\r\n")
    return path


@pytest.mark.parametrize("has_listener", (False, True))
@pytest.mark.parametrize("ends", ENDINGS.values(), ids=ENDINGS)
def test_a_push_that_fails_leaves_its_line_to_the_gateway(
    caplog: pytest.LogCaptureFixture, file: Path, ends: Ending, *, has_listener: bool
) -> None:
    caplog.set_level(logging.INFO, logger="sandgate.sftp")
    if has_listener:
        new_key(file.with_name("key"))
        SftpConnections(file.with_name("key").read_text(), lambda name: None, LIMITS)
    with server_that(ends) as port:
        push_to(port, file)
    assert [each.getMessage() for each in caplog.records if each.levelno > logging.DEBUG] == []


def test_at_level_debug_the_log_says_why_a_push_failed_without_a_traceback(
    caplog: pytest.LogCaptureFixture, file: Path
) -> None:
    caplog.set_level(logging.DEBUG, logger="sandgate.sftp")
    with server_that(ENDINGS["says no text"]) as port:
        push_to(port, file)
    lines = [each.getMessage() for each in caplog.records]
    assert any("Error reading SSH protocol banner" in line for line in lines)
    for word in ("Traceback", 'File "', "SSHException:"):
        assert not any(word in line for line in lines)


@pytest.mark.parametrize("said", (b"GET / HTTP/1.0\r\n\r\n", b"SSH-1.5-old\r\n", KEX))
def test_a_client_that_is_refused_is_one_line_of_the_log(served: Served, said: bytes) -> None:
    sleep(LINE_S)
    before = len(served.log())
    for _ in range(2):
        with socket.create_connection(served.address, 5) as client, suppress(OSError):
            client.sendall(said)
            client.recv(4096)
            while client.recv(4096):
                pass
        sleep(LINE_S)
    lines = served.log()[before:].splitlines()
    assert len(lines) == 2
    assert not any("paramiko" in line for line in lines)
    # The first may count what other tests have left unsaid.
    assert "more since the last line" not in lines[1]
