"""The state of a payment at the merchant, read from a URL or a command."""

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

from features.merchant_side.webhook_messages import NotifiedPayment
from simulator.client.browser import BY_OPTION, failure_reason, plain_opener, run_within

ANSWER_S_MAX = 10.0
ANSWER_BYTES_MAX = 64 * 1024
UNKNOWN = "unknown"


class PaymentStateError(ValueError):
    """The merchant's state could not be read: what was expected and what came."""


@dataclass(frozen=True, slots=True)
class MerchantPaymentState:
    """A state (unknown, pending, paid, failed) and how often it changed, where that is known."""

    state: str
    changes: int | None = None

    def __str__(self) -> str:
        often = "" if self.changes is None else f", changed {self.changes} times"
        return f"{self.state}{often}"


ReadState = Callable[[NotifiedPayment], MerchantPaymentState]


def state_reader(
    url: str | None, command: Sequence[str], tls: ssl.SSLContext | None
) -> ReadState | None:
    """A reader of states: by URL, else by command, else none."""
    if url is not None:
        return state_reader_by_url(url, tls)
    return state_reader_by_command(command) if command else None


def state_reader_by_url(
    url: str, tls: ssl.SSLContext | None, *, time_limit_s: float = ANSWER_S_MAX
) -> ReadState:
    """A reader by GET; `{id}` and `{merchantTransactionId}` in the URL are filled in.

    Only that URL is requested: no proxy, and no redirect is followed.
    """
    with_id = url if "{" in url else f"{url}{'&' if '?' in url else '?'}id={{id}}"
    opener = plain_opener(tls)

    def get(address: str) -> tuple[int, bytes]:
        with opener.open(address, timeout=time_limit_s) as answer:
            return answer.status, answer.read(ANSWER_BYTES_MAX + 1)

    def ask(payment: NotifiedPayment) -> MerchantPaymentState:
        address = with_id.replace("{id}", payment.id)
        address = address.replace("{merchantTransactionId}", quote(payment.reference))
        try:
            status, content = run_within(time_limit_s, lambda: get(address))
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise PaymentStateError(
                f"--state-url: expected an answer, got {failure_reason(error, trust=BY_OPTION)}"
            ) from None
        if status == 404:
            return MerchantPaymentState(UNKNOWN, 0)
        if not 200 <= status < 300:
            raise PaymentStateError(f"--state-url: expected 200 or 404, got {status}")
        return parse_state(content.decode("utf-8", "replace"), "--state-url")

    return ask


def state_reader_by_command(command: Sequence[str]) -> ReadState:
    """A reader by command; the payment's id and merchantTransactionId are appended."""

    def ask(payment: NotifiedPayment) -> MerchantPaymentState:
        try:
            content = run_state_command([*command, payment.id, payment.reference])
        except OSError as error:
            raise PaymentStateError(
                f"--state-command: expected it to run, got {error.strerror}"
            ) from None
        return parse_state(content.decode("utf-8", "replace"), "--state-command")

    return ask


def run_state_command(command: Sequence[str], *, time_limit_s: float = ANSWER_S_MAX) -> bytes:
    """The output of a command, at most a byte over the limit. Raises PaymentStateError, OSError.

    A command that prints more, or takes too long, is killed with its process group.
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
        raise PaymentStateError(
            f"--state-command: expected status 0 within {time_limit_s:g} s, got {status}"
        )
    return content


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def parse_state(text: str, source: str) -> MerchantPaymentState:
    """The state in a JSON object, with its changes if present. Raises PaymentStateError."""
    expected = '{"id": "...", "state": "paid"}, where there is such a payment'
    if len(text) > ANSWER_BYTES_MAX:
        raise PaymentStateError(f"{source}: expected {expected}, got more than 64 KiB")
    try:
        document: Any = json.loads(text)
    # RecursionError: lists nested a thousand times.
    except (ValueError, RecursionError):
        raise PaymentStateError(f"{source}: expected {expected}, got no JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("state"), str):
        raise PaymentStateError(f"{source}: expected {expected}, got other JSON")
    changes = document.get("changes")
    return MerchantPaymentState(document["state"], changes if isinstance(changes, int) else None)
