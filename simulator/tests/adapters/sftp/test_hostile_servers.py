"""A server that files are pushed to gets them, or fails the push; it holds up nothing else."""

import logging
import os
import socket
import struct
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import paramiko
import pytest
from paramiko.sftp import (
    CMD_ATTRS,
    CMD_CLOSE,
    CMD_DATA,
    CMD_HANDLE,
    CMD_NAME,
    CMD_OPEN,
    CMD_READ,
    CMD_RENAME,
    CMD_STAT,
    CMD_STATUS,
    CMD_WRITE,
)

from simulator.adapters.sftp.push import FilePusher
from simulator.adapters.sftp.transport import KEY_EXCHANGES
from simulator.domain.settlement.pushing import PushAccess, PushFailedError, PushTarget
from simulator.tests.adapters.sftp.test_library_log import answering, push_to, server_that

LOOPBACK, PASSWORD = "127.0.0.1", "theirs-Tulip/Garden"
FAILS_WITHIN_S = 5
# What an answer claims and does not have; the library took ten seconds for so much.
CLAIMED = struct.pack(">II", 2**31, 2**24 - 1)


# A message of SSH that is to be ignored, in a packet.
IGNORED = struct.pack(">IBBI", 12, 6, 2, 0) + bytes(6)


class Folder(paramiko.SFTPServerInterface):
    """Files in a folder of this machine."""

    def __init__(self, server: "Login", *_: object, **__: object):
        super().__init__(server)
        self._root = server.root

    def stat(self, path: str) -> paramiko.SFTPAttributes | int:
        """What is there."""
        place = self._root / path
        if not place.exists():
            return paramiko.SFTP_NO_SUCH_FILE
        return paramiko.SFTPAttributes.from_stat(place.stat())

    def open(self, path: str, flags: int, attr: Any) -> Any:
        """A file to write or to read."""
        handle: Any = paramiko.SFTPHandle(flags)
        if flags & os.O_WRONLY:
            handle.writefile = (self._root / path).open("wb")
        else:
            handle.readfile = (self._root / path).open("rb")
        return handle

    def rename(self, oldpath: str, newpath: str) -> int:
        """Another name."""
        (self._root / oldpath).rename(self._root / newpath)
        return paramiko.SFTP_OK


class Claiming(paramiko.SFTPServer):
    """A server whose answers claim more than they have."""

    def _process(self, t: int, request_number: int, msg: Any) -> None:
        if t != CMD_STAT:
            super()._process(t, request_number, msg)  # type: ignore[misc]
            return
        sent = struct.pack(">I", request_number) + CLAIMED
        packet = SimpleNamespace(asbytes=lambda: sent)
        self._send_packet(CMD_ATTRS, packet)  # type: ignore[attr-defined]


class Endless(paramiko.SFTPServer):
    """A server that sends beyond the window and beside its answers, and never ends."""

    def _process(self, t: int, request_number: int, msg: Any) -> None:
        channel, transport = self.sock, self.sock.get_transport()
        for kind in (b"\x5e", b"\x5f"):
            sent = paramiko.Message()
            sent.add_byte(kind)
            sent.add_int(channel.remote_chanid)
            if kind == b"\x5f":
                sent.add_int(1)
            sent.add_string(b"\0" * 30_000)
            for _ in range(20):
                transport._send_user_message(sent)


def packet_of(payload: bytes) -> bytes:
    """A message of SSH in a packet, before keys are exchanged."""
    padding = 4 + -(5 + len(payload) + 4) % 8
    return struct.pack(">IB", 1 + len(payload) + padding, padding) + payload + bytes(padding)


def wire_text(text: str) -> bytes:
    """A text in a message of SSH."""
    return struct.pack(">I", len(text)) + text.encode()


# What a server says in place of an answer, and how it is shown: in one line, masked, and cut.
SAID = {
    b"<script>4200000000000042": "<script>420000******0042",
    b"Failure: \x1b[2J\xe2\x80\xaeabc\x07": "Failure: \\x1b[2J\\u202eabc\\x07",
    b"password: hunter22": "password: ***",
    b"\xff\xfe not UTF-8": "what is not UTF-8",
    b"first\r\nsecond": "first",
    b"x" * 10_000: "x" * 80,
    b"x" * 74 + b"4200000000000042": "x" * 74,
    b"\xef\xbf\xbf": "\\uffff",
}


REFUSED_WORDS = "words that repeat the password or key, or a part of it"
# The password as it is, in other letters, for an address and in base64, and parts of it.
REPEATED = [
    f"user jones/{PASSWORD}: quota exceeded",
    PASSWORD.upper(),
    f"/in?as={quote(PASSWORD, safe='')}",
    f"{b64encode(f'jones:{PASSWORD}'.encode()).decode()} is over its quota",
    f"begins with {PASSWORD[:6]}",
    f"ends with {PASSWORD[-6:]}",
    f"{'long ' * 15}{PASSWORD}",
    f"first of {PASSWORD[5:14]}\r\nsecond",
]


class Refusing(paramiko.SFTPServer):
    """A server that refuses what it is `asked` in its own words, by an answer of a `kind` that may
    be that to something else.
    """

    text = b""
    asked = CMD_STAT
    kind = CMD_STATUS

    def _process(self, t: int, request_number: int, msg: Any) -> None:
        if t != self.asked:
            super()._process(t, request_number, msg)  # type: ignore[misc]
            return
        failed = struct.pack(">II", request_number, paramiko.SFTP_FAILURE)
        sent = failed + struct.pack(">I", len(self.text)) + self.text + struct.pack(">I", 0)
        packet = SimpleNamespace(asbytes=lambda: sent)
        self._send_packet(self.kind, packet)  # type: ignore[attr-defined]


class Login(paramiko.ServerInterface):
    """Lets one password in."""

    def __init__(self, root: Path):
        self.root = root

    def check_auth_password(self, username: str, password: str) -> int:
        """Whether it is the one."""
        return paramiko.AUTH_SUCCESSFUL if password == PASSWORD else paramiko.AUTH_FAILED

    def check_channel_request(self, kind: str, chanid: int) -> int:
        """Any."""
        return paramiko.OPEN_SUCCEEDED

    def get_banner(self) -> tuple[str, str]:
        """What it says before a login."""
        return (f"welcome, you came with {PASSWORD}\r\n", "en")


@contextmanager
def server_of(
    kind: type[paramiko.SFTPServer], root: Path, *, exchanges: Sequence[str] = ()
) -> Iterator[PushAccess]:
    """A server of this kind, for one connection; with these key exchanges, or any."""
    key = paramiko.ECDSAKey.generate()
    with socket.create_server((LOOPBACK, 0)) as listening:
        Thread(target=serve, args=(listening, key, kind, root, exchanges), daemon=True).start()
        target = PushTarget(
            id="merchant", host=LOOPBACK, port=listening.getsockname()[1], user="jones",
            host_key=f"{key.get_name()} {key.get_base64()}", folder=".",
        )  # fmt: skip
        yield PushAccess(target, PASSWORD, "")


def serve(
    listening: socket.socket, key: Any, kind: Any, root: Path, exchanges: Sequence[str]
) -> None:
    transport = paramiko.Transport(listening.accept()[0])
    if exchanges:
        transport.get_security_options().kex = exchanges
    transport.add_server_key(key)
    transport.set_subsystem_handler("sftp", kind, sftp_si=Folder)
    with suppress(paramiko.SSHException):
        transport.start_server(server=Login(root))


def dial(host: str, port: int) -> socket.socket:
    return socket.create_connection((host, port), 5)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "day.csv"
    path.write_bytes(b"SETTLED;DEBIT;POS\r\n" * 20_000)
    return path


def test_a_file_is_pushed_whole(tmp_path: Path, file: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    with server_of(paramiko.SFTPServer, inbox) as access:
        FilePusher(dial).push(access, (file,))
    assert [(each.name, each.read_bytes()) for each in inbox.iterdir()] == [
        (file.name, file.read_bytes())
    ]


@pytest.mark.parametrize(
    "exchange", [each for each in paramiko.Transport._preferred_kex if each not in KEY_EXCHANGES]
)
def test_no_key_is_exchanged_in_a_group_that_the_server_chooses_or_a_long_one(
    tmp_path: Path, file: Path, exchange: str
) -> None:
    exchanges = (exchange,)
    with (
        server_of(paramiko.SFTPServer, tmp_path, exchanges=exchanges) as access,
        pytest.raises(PushFailedError, match="expected an SSH server with a host key"),
    ):
        FilePusher(dial).push(access, (file,))


def test_a_server_that_sends_messages_without_end_before_a_login_fails_the_push(
    tmp_path: Path, file: Path
) -> None:
    def flood(listening: socket.socket) -> None:
        with listening.accept()[0] as link, suppress(OSError):
            link.sendall(b"SSH-2.0-x\r\n")
            while True:
                link.sendall(IGNORED * 1000)

    with socket.create_server((LOOPBACK, 0)) as listening:
        Thread(target=flood, args=(listening,), daemon=True).start()
        target = PushTarget(
            id="merchant", host=LOOPBACK, port=listening.getsockname()[1], user="jones",
            host_key="ssh-ed25519 AAAA", folder=".",
        )  # fmt: skip
        with pytest.raises(PushFailedError):
            FilePusher(dial).push(PushAccess(target, PASSWORD, ""), (file,))


@pytest.mark.parametrize("exchange", KEY_EXCHANGES)
def test_a_server_may_have_one_of_the_key_exchanges_alone(
    tmp_path: Path, file: Path, exchange: str
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    with server_of(paramiko.SFTPServer, inbox, exchanges=(exchange,)) as access:
        FilePusher(dial).push(access, (file,))
    assert [each.name for each in inbox.iterdir()] == [file.name]


@pytest.mark.parametrize("suffix", ["", ".sha256"])
@pytest.mark.parametrize("place", [0, 40_000, -1])
def test_a_file_of_the_same_size_and_other_content_is_not_taken_for_this_one(
    tmp_path: Path, file: Path, suffix: str, place: int
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    pushed = file.rename(f"{file}{suffix}")
    there = inbox / pushed.name
    old = bytearray(pushed.read_bytes())
    old[place] ^= 1
    there.write_bytes(old)
    with server_of(paramiko.SFTPServer, inbox) as access, pytest.raises(PushFailedError) as failed:
        FilePusher(dial).push(access, (pushed,))
    assert "got one of other content; remove it there" in str(failed.value)
    assert there.read_bytes() == old and [*inbox.iterdir()] == [there]


def test_a_file_that_is_there_is_not_written_again(tmp_path: Path, file: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / file.name).write_bytes(file.read_bytes())
    (inbox / file.name).chmod(0o400)
    before = (inbox / file.name).stat().st_mtime_ns
    with server_of(paramiko.SFTPServer, inbox) as access:
        FilePusher(dial).push(access, (file,))
    assert (inbox / file.name).stat().st_mtime_ns == before


@pytest.mark.parametrize("asked", [CMD_OPEN, CMD_READ])
def test_a_file_that_cannot_be_compared_is_not_taken_for_this_one(
    tmp_path: Path, file: Path, asked: int
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / file.name).write_bytes(file.read_bytes())
    kind = type("Hiding", (Refusing,), {"asked": asked, "text": b"not yours"})
    with server_of(kind, inbox) as access, pytest.raises(PushFailedError) as failed:
        FilePusher(dial).push(access, (file,))
    assert f"expected to compare ./{file.name}, got not yours" in str(failed.value)


@pytest.mark.parametrize("kind", (Claiming, Endless))
def test_answers_of_another_length_fail_the_push_at_once(
    tmp_path: Path, file: Path, kind: type[paramiko.SFTPServer]
) -> None:
    before = monotonic()
    with server_of(kind, tmp_path) as access, pytest.raises(PushFailedError):
        FilePusher(dial).push(access, (file,))
    assert monotonic() - before < FAILS_WITHIN_S


@pytest.mark.parametrize(("text", "shown"), SAID.items())
def test_what_a_server_says_is_one_masked_line(
    tmp_path: Path, file: Path, text: bytes, shown: str
) -> None:
    kind = type("Saying", (Refusing,), {"text": text})
    with server_of(kind, tmp_path) as access, pytest.raises(PushFailedError) as failed:
        FilePusher(dial).push(access, (file,))
    said = str(failed.value).partition("is there, got ")[2]
    assert said == shown


@pytest.mark.parametrize("text", REPEATED)
@pytest.mark.parametrize("asked", [CMD_STAT, CMD_OPEN])
def test_words_of_a_server_that_repeat_the_password_are_not_shown(
    tmp_path: Path, file: Path, text: str, asked: int
) -> None:
    kind = type("Repeating", (Refusing,), {"text": text.encode(), "asked": asked})
    with server_of(kind, tmp_path) as access, pytest.raises(PushFailedError) as failed:
        FilePusher(dial).push(access, (file,))
    assert str(failed.value).endswith(f", got {REFUSED_WORDS}")


def test_a_banner_that_repeats_the_password_is_not_logged(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, file: Path
) -> None:
    caplog.set_level(logging.DEBUG, logger="sandgate.sftp")
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    with server_of(paramiko.SFTPServer, inbox) as access:
        FilePusher(dial).push(access, (file,))
    lines = [each.getMessage() for each in caplog.records if each.name == "sandgate.sftp"]
    assert f"the SSH library: {REFUSED_WORDS}" in lines
    assert not any(PASSWORD in line for line in lines)


@pytest.mark.parametrize(
    "said",
    [
        f"SSH-2.0-x_{PASSWORD}\r\n".encode(),
        b"SSH-2.0-x\r\n" + packet_of(struct.pack(">BI", 1, 2) + wire_text(PASSWORD) + bytes(4)),
    ],
    ids=["version", "disconnect"],
)
def test_what_a_server_says_before_a_login_is_not_logged_where_it_repeats_the_password(
    caplog: pytest.LogCaptureFixture, file: Path, said: bytes
) -> None:
    caplog.set_level(logging.DEBUG, logger="sandgate.sftp")
    with server_that(answering(said)) as port:
        push_to(port, file, PASSWORD)
    lines = [each.getMessage() for each in caplog.records if each.name == "sandgate.sftp"]
    assert f"the SSH library: {REFUSED_WORDS}" in lines
    assert not any(PASSWORD in line for line in lines)


@pytest.mark.parametrize("kind", [CMD_HANDLE, CMD_DATA, CMD_NAME, CMD_ATTRS, 200, 255])
@pytest.mark.parametrize("asked", [CMD_STAT, CMD_OPEN, CMD_WRITE, CMD_CLOSE, CMD_RENAME])
@pytest.mark.parametrize("text", [b"", b"\xff" * 9])
def test_an_answer_to_something_else_fails_the_push_in_words(
    tmp_path: Path, file: Path, kind: int, asked: int, text: bytes
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    server = type("Answering", (Refusing,), {"kind": kind, "asked": asked, "text": text})
    with server_of(server, inbox) as access, suppress(PushFailedError):
        FilePusher(dial, answer_s=1, push_s=2).push(access, (file,))
