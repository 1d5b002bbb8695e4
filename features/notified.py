"""Where the merchant of a scenario is notified: its receiver, and the key that opens what comes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidTag

from features.receiver import Call, Receiver
from features.spec.envelopes import opened

# What tells that a key does not open a call, or that what it opens is no wrapper.
UNOPENED = (InvalidTag, KeyError, TypeError, ValueError)


@dataclass(frozen=True)
class Notified:
    """A receiver that a gateway notifies under a key; `settle` waits until nothing is on its way.

    It may be the receiver of other scenarios too: what is told of their payments is left aside.
    """

    receiver: Receiver
    key: str
    settle: Callable[[], object] = lambda: None

    def told_of(self, payment: str) -> list[Call]:
        """The calls about a payment, and those that the key does not open: whose would they be?"""
        self.settle()
        return self.receiver.calls(1, wanted=lambda call: self._payment_in(call) in (payment, None))

    def opened(self, call: Call) -> Mapping[str, Any]:
        """The wrapper of a notification; an empty one where the key does not open it."""
        try:
            return opened(call.headers, call.body, self.key)
        except UNOPENED:
            return {}

    def _payment_in(self, call: Call) -> str | None:
        """The payment a call is about, nothing where it is about none; None for one not opened."""
        wrapper = self.opened(call)
        payload = wrapper.get("payload")
        told = str(payload.get("id", "")) if isinstance(payload, dict) else ""
        return told if wrapper else None
