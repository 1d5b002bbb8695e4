"""Where the merchant of a scenario is notified: its receiver, and the key that opens what comes."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag

from features.spec.envelopes import opened
from simulator.client.receiver import ReceivedCall, WebhookReceiver

# What tells that a key does not open a call, or that what it opens is no wrapper.
DECRYPTION_ERRORS = (InvalidTag, KeyError, RecursionError, TypeError, ValueError)
# How long more may come where a gateway cannot be asked whether it does.
QUIET_S = 1.0


def wait_for_late_deliveries() -> None:
    """Let come what may come."""
    time.sleep(QUIET_S)


@dataclass(frozen=True)
class NotificationInbox:
    """A receiver that a gateway notifies under a key; `settle` waits until nothing is on its way.

    It may be the receiver of other scenarios too: what is told of their payments is left aside.
    """

    receiver: WebhookReceiver
    key: str
    settle: Callable[[], object] = wait_for_late_deliveries

    def told_of(self, payment: str) -> list[ReceivedCall]:
        """What was posted about a payment, and what the key does not open: whose would that be?"""

        def is_wanted(call: ReceivedCall) -> bool:
            return call.method == "POST" and self._payment_in(call) in (payment, None)

        self.receiver.calls(1, wanted=is_wanted)
        self.settle()
        return self.receiver.calls(wanted=is_wanted)

    def opened(self, call: ReceivedCall) -> Mapping[str, Any]:
        """The wrapper of a notification; an empty one where the key does not open it."""
        try:
            return opened(call.headers, call.body, self.key)
        except DECRYPTION_ERRORS:
            return {}

    def _payment_in(self, call: ReceivedCall) -> str | None:
        """The payment a call is about, nothing where it is about none; None for one not opened."""
        wrapper = self.opened(call)
        payload = wrapper.get("payload")
        told = str(payload.get("id", "")) if isinstance(payload, dict) else ""
        return told if wrapper else None
