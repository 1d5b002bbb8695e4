"""A sender waits no longer than a gateway, whatever the other side does."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from features.merchant_side.webhook_encryption import encrypt_notification
from features.merchant_side.webhook_messages import activation
from features.merchant_side.webhook_sender import WebhookReply, WebhookSender

LIMIT_S = 0.4
LETTER = encrypt_notification(activation(), bytes(32))


@contextmanager
def listener(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of a server that treats its first connection like this."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def run() -> None:
            line, _ = server.accept()
            with line:
                serve(line)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        thread.join(5)


def dribble(line: socket.socket) -> None:
    """An answer that never comes to its end, a byte at a time."""
    line.sendall(b"HTTP/1.1 ")
    end = time.monotonic() + 3
    try:
        while time.monotonic() < end:
            line.sendall(b"2")
            time.sleep(0.05)
    except OSError:
        return


def hang_up(line: socket.socket) -> None:
    """No answer at all."""
    line.recv(1)


def speak_otherwise(line: socket.socket) -> None:
    """An answer in another language."""
    line.recv(65536)
    line.sendall(b"220 mail.example ready\r\n")


@pytest.mark.parametrize("serve", [dribble, hang_up, speak_otherwise])
def test_what_is_no_answer_is_none_and_ends_in_time(serve) -> None:
    with listener(serve) as url:
        reply = WebhookSender(url, time_limit_s=LIMIT_S, tls=None).post(LETTER)

    assert (reply.status, reply.is_accepted, reply.is_refused) == (0, False, False)
    assert reply.error.startswith("no answer")
    assert reply.seconds < 2 * LIMIT_S


def answer_in_the_end(line: socket.socket) -> None:
    """An interim answer before the answer."""
    line.recv(65536)
    line.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")


def test_an_interim_answer_is_not_the_answer() -> None:
    with listener(answer_in_the_end) as url:
        assert WebhookSender(url, time_limit_s=5, tls=None).post(LETTER).status == 204


@pytest.mark.parametrize(
    ("status", "is_accepted"), [(200, True), (204, True), (299, True), (302, False), (500, False)]
)
def test_any_2xx_is_taken_and_a_redirect_is_not(status: int, is_accepted: bool) -> None:
    assert WebhookReply(status, 0.0).is_accepted is is_accepted
    assert WebhookReply(status, 0.0).is_refused is not is_accepted
