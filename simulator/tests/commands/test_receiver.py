"""`sandgate webhooks listen`: how it ends, and that its endpoint ends with it."""

import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from simulator.client.listener import IDLE_S_MAX
from simulator.commands.control.receiver import Receiver
from simulator.tests.commands.test_steering import Terminal, paid_in
from simulator.tests.kit.running import serving

# Seconds, or payments with a second between them.
ENDS_WITHIN = 20
LISTEN = (sys.executable, "-m", "simulator", "webhooks", "listen")
# As a shell starts what it runs in the background.
IN_THE_BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh", *LISTEN)


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    folder = tmp_path_factory.mktemp("receiver")
    with serving(folder / "data") as running:
        yield Terminal(running, folder)


@contextmanager
def listening_in(terminal: Terminal, command: tuple[str, ...]) -> Iterator[subprocess.Popen]:
    """A receiver that listens, killed where it does not end."""
    with subprocess.Popen(
        command, env=terminal.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as listening:
        try:
            assert "listening" in listening.stdout.readline()
            yield listening
        finally:
            listening.kill()


@pytest.mark.parametrize("command", [LISTEN, IN_THE_BACKGROUND], ids=["usual", "background"])
def test_a_receiver_ends_with_its_reader_and_leaves_no_endpoint(
    terminal: Terminal, command: tuple[str, ...]
) -> None:
    with listening_in(terminal, command) as listening:
        listening.stdout.close()
        # It notices at the first notification that it writes; one may come before it closes.
        for _ in range(ENDS_WITHIN):
            paid_in(terminal)
            if is_ended(listening):
                break
        assert listening.returncode is not None, "it ends"
        errors = listening.stderr.read()

    assert errors == ""
    assert terminal.said("webhooks", "endpoints") == "no endpoint is set up\n"


def test_a_receiver_that_is_terminated_leaves_no_endpoint(terminal: Terminal) -> None:
    with listening_in(terminal, LISTEN) as listening:
        listening.terminate()
        assert listening.wait(ENDS_WITHIN) == 0

    assert terminal.said("webhooks", "endpoints") == "no endpoint is set up\n"


@pytest.fixture
def receiver() -> Iterator[tuple[str, int]]:
    """The address of a receiver that runs until one notification has come."""
    receiver = Receiver(0, count=1, show=lambda document: None)
    running = threading.Thread(target=receiver.run, daemon=True)
    running.start()
    host, _, port = receiver.url.removeprefix("http://").rstrip("/").partition(":")
    yield host, int(port)
    assert answer_to((host, int(port)), b"Content-Length: 2\r\n\r\n{}").startswith(b"HTTP/1.1 400")
    running.join(ENDS_WITHIN)
    assert not running.is_alive()


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (b"-1", b"400"),
        (b"abc", b"400"),
        (b"+3", b"400"),
        (b"1" * 5000, b"413"),
        (b"9999999", b"413"),
    ],
    ids=["negative", "word", "sign", "digits", "long"],
)
def test_a_length_that_is_no_number_or_too_long_is_refused_unread(
    receiver: tuple[str, int], length: bytes, status: bytes
) -> None:
    answer = answer_to(receiver, b"Content-Length: %b\r\n\r\n" % length)

    assert answer.startswith(b"HTTP/1.1 " + status)


def test_a_sender_that_stops_within_a_body_is_not_waited_for(receiver: tuple[str, int]) -> None:
    assert answer_to(receiver, b"Content-Length: 9\r\n\r\n1") == b""


def answer_to(address: tuple[str, int], sent: bytes) -> bytes:
    """What a receiver answers to a POST with this end of its head, until it closes."""
    with socket.create_connection(address, timeout=IDLE_S_MAX + 5) as link:
        link.sendall(b"POST / HTTP/1.1\r\nHost: x\r\n" + sent)
        answer = b""
        while piece := link.recv(4096):
            answer += piece
            if b"Content-Length: 0" in answer:
                break
        return answer


def is_ended(process: subprocess.Popen) -> bool:
    """Whether a process ends within a short time."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    return process.returncode is not None


def test_what_its_sender_did_not_wait_for_is_counted_all_the_same() -> None:
    came = threading.Event()

    def show(document: Mapping[str, Any]) -> None:
        came.set()
        time.sleep(0.2)

    receiver = Receiver(0, count=1, show=show)
    running = threading.Thread(target=receiver.run, daemon=True)
    running.start()
    host, _, port = receiver.url.removeprefix("http://").rstrip("/").partition(":")
    with socket.create_connection((host, int(port))) as link:
        link.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
        assert came.wait(ENDS_WITHIN)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    running.join(ENDS_WITHIN)
    assert not running.is_alive()


def test_what_cannot_be_shown_leaves_its_place_to_the_next() -> None:
    shown: list[Mapping[str, Any]] = []

    def show(document: Mapping[str, Any]) -> None:
        shown.append(document)
        if len(shown) == 1:
            raise BrokenPipeError

    receiver = Receiver(0, count=1, show=show)
    running = threading.Thread(target=receiver.run, daemon=True)
    running.start()
    host, _, port = receiver.url.removeprefix("http://").rstrip("/").partition(":")
    for _ in range(2):
        answer_to((host, int(port)), b"Content-Length: 2\r\n\r\n{}")
    running.join(ENDS_WITHIN)
    assert not running.is_alive() and len(shown) == 2
