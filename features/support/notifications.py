"""The notifications of a scenario's merchant: its receiver, and the key that decrypts them."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cryptography.exceptions import InvalidTag

from features.spec.envelopes import opened
from simulator.client.receiver import ReceivedCall, WebhookReceiver

# Raised where a key does not decrypt a call, or where the plain text is no wrapper.
DECRYPTION_ERRORS = (InvalidTag, KeyError, RecursionError, TypeError, ValueError)
# How long to wait for late deliveries where a gateway cannot report that there are none.
QUIET_S = 1.0
TIMESTAMPS_APART_S_MAX = 10


def wait_for_late_deliveries() -> None:
    """Wait for deliveries that may be under way."""
    time.sleep(QUIET_S)


@dataclass(frozen=True)
class NotificationInbox:
    """A receiver that a gateway notifies under a key; `wait` returns when no delivery is under way.

    It may be the receiver of other scenarios too: notifications of their payments are ignored.
    """

    receiver: WebhookReceiver
    key: str
    wait: Callable[[], object] = wait_for_late_deliveries

    def calls_about(self, payment: str) -> list[ReceivedCall]:
        """The calls about a payment, and those that the key does not decrypt, whose payment is
        unknown.
        """

        def is_wanted(call: ReceivedCall) -> bool:
            return call.method == "POST" and self._payment_in(call) in (payment, None)

        self.receiver.calls(1, wanted=is_wanted)
        self.wait()
        return self.receiver.calls(wanted=is_wanted)

    def opened(self, call: ReceivedCall) -> Mapping[str, Any]:
        """The wrapper of a notification; an empty one where the key does not decrypt it."""
        try:
            return opened(call.headers, call.body, self.key)
        except DECRYPTION_ERRORS:
            return {}

    def _payment_in(self, call: ReceivedCall) -> str | None:
        """The payment a call is about, nothing where it is about none; None for one not opened."""
        wrapper = self.opened(call)
        payload = wrapper.get("payload")
        payment = str(payload.get("id", "")) if isinstance(payload, dict) else ""
        return payment if wrapper else None


def is_about_now(one: object, other: object) -> bool:
    """Whether two timestamps are of the same few seconds."""
    try:
        span = datetime.fromisoformat(str(one)) - datetime.fromisoformat(str(other))
    except ValueError:
        return False
    return abs(span) <= timedelta(seconds=TIMESTAMPS_APART_S_MAX)
