"""What a merchant believes about a payment, as it exposes it to its judge."""

import http.client
import json
import os
import signal
import ssl
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from features.merchant_side.webhook_messages import Payment
from simulator.client.browser import plain_opener, why, within

ANSWER_S_MAX = 10.0
ANSWER_BYTES_MAX = 64 * 1024
UNHEARD = "unknown"


class Unreadable(ValueError):
    """The merchant did not say what it believes: what was expected and what came."""


@dataclass(frozen=True, slots=True)
class Belief:
    """A state (unknown, pending, paid, failed) and how often it changed, where that is told."""

    state: str
    changes: int | None = None

    def __str__(self) -> str:
        often = "" if self.changes is None else f", changed {self.changes} times"
        return f"{self.state}{often}"


Ask = Callable[[Payment], Belief]


def asking(url: str | None, command: Sequence[str], tls: ssl.SSLContext | None) -> Ask | None:
    """How the merchant is asked: by its address, else by its command, else not at all."""
    if url is not None:
        return asking_url(url, tls)
    return asking_command(command) if command else None


def asking_url(url: str, tls: ssl.SSLContext | None, *, time_limit_s: float = ANSWER_S_MAX) -> Ask:
    """Ask by GET; `{id}` and `{merchantTransactionId}` in the address are filled in.

    The merchant is asked, and nobody else: no proxy, and nobody it redirects to.
    """
    with_id = url if "{" in url else f"{url}{'&' if '?' in url else '?'}id={{id}}"
    opener = plain_opener(tls)

    def get(address: str) -> tuple[int, bytes]:
        with opener.open(address, timeout=time_limit_s) as answer:
            return answer.status, answer.read(ANSWER_BYTES_MAX + 1)

    def ask(payment: Payment) -> Belief:
        address = with_id.replace("{id}", payment.id)
        address = address.replace("{merchantTransactionId}", quote(payment.reference))
        try:
            status, content = within(time_limit_s, lambda: get(address))
        except (OSError, http.client.HTTPException, ValueError) as gone:
            raise Unreadable(f"--state-url: expected an answer, got {why(gone)}") from None
        if status == 404:
            return Belief(UNHEARD, 0)
        if not 200 <= status < 300:
            raise Unreadable(f"--state-url: expected 200 or 404, got {status}")
        return belief_in(content.decode("utf-8", "replace"), "--state-url")

    return ask


def asking_command(command: Sequence[str]) -> Ask:
    """Ask by a command that prints it; the payment's id and merchantTransactionId are appended."""

    def ask(payment: Payment) -> Belief:
        try:
            content = printed([*command, payment.id, payment.reference])
        except OSError as error:
            raise Unreadable(f"--state-command: expected it to run, got {error}") from None
        return belief_in(content.decode("utf-8", "replace"), "--state-command")

    return ask


def printed(command: Sequence[str], *, time_limit_s: float = ANSWER_S_MAX) -> bytes:
    """What a command prints, no more than a byte over the limit. Raises Unreadable, OSError.

    One that prints more, or takes too long, is ended with all that it started.
    """
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        late = threading.Timer(time_limit_s, _end, [process])
        late.start()
        content = process.stdout.read(ANSWER_BYTES_MAX + 1)
        is_long = len(content) > ANSWER_BYTES_MAX
        if is_long:
            _end(process)
        status = process.wait()
        late.cancel()
    if status and not is_long:
        raise Unreadable(
            f"--state-command: expected status 0 within {time_limit_s:g} s, got {status}"
        )
    return content


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def belief_in(text: str, source: str) -> Belief:
    """The belief that a JSON object tells: state, and changes if it is there. Raises Unreadable."""
    expected = '{"id": "...", "state": "paid"}, where there is such a payment'
    if len(text) > ANSWER_BYTES_MAX:
        raise Unreadable(f"{source}: expected {expected}, got more than 64 KiB")
    try:
        told: Any = json.loads(text)
    # One list in another, a thousand times, is JSON that nobody means.
    except (ValueError, RecursionError):
        raise Unreadable(f"{source}: expected {expected}, got no JSON") from None
    if not isinstance(told, dict) or not isinstance(told.get("state"), str):
        raise Unreadable(f"{source}: expected {expected}, got other JSON")
    changes = told.get("changes")
    return Belief(told["state"], changes if isinstance(changes, int) else None)
