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

from features.merchant_side.webhook_messages import NotifiedPayment
from simulator.client.browser import failure_reason, plain_opener, run_within

ANSWER_S_MAX = 10.0
ANSWER_BYTES_MAX = 64 * 1024
UNKNOWN = "unknown"


class PaymentStateError(ValueError):
    """The merchant did not say what it believes: what was expected and what came."""


@dataclass(frozen=True, slots=True)
class MerchantPaymentState:
    """A state (unknown, pending, paid, failed) and how often it changed, where that is told."""

    state: str
    changes: int | None = None

    def __str__(self) -> str:
        often = "" if self.changes is None else f", changed {self.changes} times"
        return f"{self.state}{often}"


ReadState = Callable[[NotifiedPayment], MerchantPaymentState]


def state_reader(
    url: str | None, command: Sequence[str], tls: ssl.SSLContext | None
) -> ReadState | None:
    """How the merchant is asked: by its address, else by its command, else not at all."""
    if url is not None:
        return state_reader_by_url(url, tls)
    return state_reader_by_command(command) if command else None


def state_reader_by_url(
    url: str, tls: ssl.SSLContext | None, *, time_limit_s: float = ANSWER_S_MAX
) -> ReadState:
    """Ask by GET; `{id}` and `{merchantTransactionId}` in the address are filled in.

    The merchant is asked, and nobody else: no proxy, and nobody it redirects to.
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
        except (OSError, http.client.HTTPException, ValueError) as gone:
            raise PaymentStateError(
                f"--state-url: expected an answer, got {failure_reason(gone)}"
            ) from None
        if status == 404:
            return MerchantPaymentState(UNKNOWN, 0)
        if not 200 <= status < 300:
            raise PaymentStateError(f"--state-url: expected 200 or 404, got {status}")
        return parse_state(content.decode("utf-8", "replace"), "--state-url")

    return ask


def state_reader_by_command(command: Sequence[str]) -> ReadState:
    """Ask by a command that prints it; the payment's id and merchantTransactionId are appended."""

    def ask(payment: NotifiedPayment) -> MerchantPaymentState:
        try:
            content = run_state_command([*command, payment.id, payment.reference])
        except OSError as error:
            raise PaymentStateError(f"--state-command: expected it to run, got {error}") from None
        return parse_state(content.decode("utf-8", "replace"), "--state-command")

    return ask


def run_state_command(command: Sequence[str], *, time_limit_s: float = ANSWER_S_MAX) -> bytes:
    """What a command prints, no more than a byte over the limit. Raises PaymentStateError, OSError.

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
        raise PaymentStateError(
            f"--state-command: expected status 0 within {time_limit_s:g} s, got {status}"
        )
    return content


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def parse_state(text: str, source: str) -> MerchantPaymentState:
    """The belief that a JSON object tells: state, and changes if it is there. Raises PaymentStateError."""
    expected = '{"id": "...", "state": "paid"}, where there is such a payment'
    if len(text) > ANSWER_BYTES_MAX:
        raise PaymentStateError(f"{source}: expected {expected}, got more than 64 KiB")
    try:
        told: Any = json.loads(text)
    # One list in another, a thousand times, is JSON that nobody means.
    except (ValueError, RecursionError):
        raise PaymentStateError(f"{source}: expected {expected}, got no JSON") from None
    if not isinstance(told, dict) or not isinstance(told.get("state"), str):
        raise PaymentStateError(f"{source}: expected {expected}, got other JSON")
    changes = told.get("changes")
    return MerchantPaymentState(told["state"], changes if isinstance(changes, int) else None)
